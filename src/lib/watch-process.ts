import { readFileSync } from 'node:fs'

const everyMs = 50
/** Linux reports memory in pages; on every machine we run on they have this size or more. */
const pageBytes = 4096
/** And CPU time in hundredths of a second. */
const tickMs = 10

export interface ProcessBounds {
  readonly maxBytes: number
  readonly maxCpuMs: number
}

export type Exceeded = 'too-much-memory' | 'too-slow'

/**
 * Calls `onExceeded` once a process has more memory, or has used more CPU time from now on, than it
 * may. CPU time, because on a busy machine the harmless would look slow too. Linux only: elsewhere
 * it never does.
 */
export function watchProcess(
  pid: number,
  { maxBytes, maxCpuMs }: ProcessBounds,
  onExceeded: (what: Exceeded) => void,
): Disposable {
  const cpuMsBefore = cpuMsOf(pid)
  const timer = setInterval(() => {
    const isHeavy = residentBytes(pid) > maxBytes
    if (!isHeavy && cpuMsOf(pid) - cpuMsBefore <= maxCpuMs) return
    clearInterval(timer)
    onExceeded(isHeavy ? 'too-much-memory' : 'too-slow')
  }, everyMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

export function residentBytes(pid: number): number {
  const [, residentPages = 0] = read(`/proc/${pid}/statm`).split(' ')
  return Number(residentPages) * pageBytes
}

/** The fields after the name, which may hold blanks: `utime` and `stime` are the 12th and 13th. */
function cpuMsOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
