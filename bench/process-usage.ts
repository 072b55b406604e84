import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'

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

/** User and system time of a process, of all that it has started, and of those that have ended. Linux alone. */
export function cpuMsOfTree(pid: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => ({ id: Number(name), fields: fieldsOf(name) }))
  const below = (id: number): number =>
    all
      .filter(({ fields }) => Number(fields[1]) === id)
      .reduce((sum, child) => sum + own(child.fields) + below(child.id), 0)
  return own(fieldsOf(String(pid))) + below(pid)
}

const idleMs = 5_000
const idleCpuMs = 250

/** Resolves once a process, and what it has started, have little left to do. Linux alone. */
export async function untilIdle(pid: number): Promise<void> {
  for (let before = -idleCpuMs, now = 0; now - before >= idleCpuMs;) {
    before = cpuMsOfTree(pid)
    await Bun.sleep(idleMs)
    now = cpuMsOfTree(pid)
  }
}

/** utime, stime, cutime and cstime are the 12th to the 15th behind the name. */
function own(fields: readonly string[]): number {
  return (
    (fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * 1000) /
    clockTicksPerSecond
  )
}

function fieldsOf(name: string): readonly string[] {
  try {
    return (readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ')
  } catch {
    return []
  }
}

/**
 * Processor time so far of all threads that run now of a process and of those that it has started, as the
 * scheduler counts it: to the nanosecond. Linux alone.
 */
export async function exactCpuSecondsOfTree(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const ofThreads = threads.map((thread) => nanosecondsOf(`/proc/${pid}/task/${thread}`))
  const children = (await childrenOf(pid)).map(exactCpuSecondsOfTree)
  return sum(await Promise.all(ofThreads)) / 1e9 + sum(await Promise.all(children))
}

async function nanosecondsOf(thread: string): Promise<number> {
  const [spent] = (await textOf(`${thread}/schedstat`)).split(' ')
  return Number(spent)
}

/** A thread may end at any moment. */
const textOf = (file: string): Promise<string> =>
  Bun.file(file)
    .text()
    .catch(() => '')

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)

async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/children`))
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
