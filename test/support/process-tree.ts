import { readdirSync, readFileSync } from 'node:fs'

/**
 * The most that a process and all that it has started hold in memory, in bytes, of now and `before`; what
 * several of them share counts once. Linux alone.
 */
export function greaterMemoryOfTree(pid: number, before: number): number {
  const ids = idsOfTree(pid)
  // What is resident is read in no time, and is never less; what is shared, the kernel has to count.
  if (sum(ids, residentBytes) <= before) return before
  return Math.max(before, sum(ids, proportionalBytes))
}

const sum = (ids: readonly number[], bytesOf: (id: number) => number): number =>
  ids.reduce((total, id) => total + bytesOf(id), 0)

function idsOfTree(pid: number): readonly number[] {
  const childrenByParent = Map.groupBy(processes(), ({ parent }) => parent)
  const below = (id: number): readonly number[] => [
    id,
    ...(childrenByParent.get(id) ?? []).flatMap((child) => below(child.id)),
  ]
  return below(pid)
}

interface Process {
  readonly id: number
  readonly parent: number
}

function processes(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => {
      const stat = read(`/proc/${name}/stat`)
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return { id: Number(name), parent: Number(parent) }
    })
}

const pageBytes = 4096

const residentBytes = (pid: number): number =>
  Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageBytes

const proportionalBytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/mu.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024

/** A process may end at any moment. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
