const clockTicksPerSecond = 100

/** User and system time of a process so far. Linux alone. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond
}

/** What a process holds in memory. Linux alone. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmRSS:\s+(\d+) kB/u.exec(status)?.[1] ?? Number.NaN) * 1024
}

/** How far the memory of a process rises above where it stands now, while `work` goes on. Linux alone. */
export async function peakGrowth(pid: number, work: () => Promise<void>): Promise<number> {
  await Bun.write(`/proc/${pid}/clear_refs`, '5')
  const before = await residentBytes(pid)
  await work()
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(/VmHWM:\s+(\d+) kB/u.exec(status)?.[1] ?? Number.NaN) * 1024 - before
}
