import { readdirSync, readFileSync } from 'node:fs'

/**
 * What a process and all that it has started hold in memory, in bytes; what several of them share
 * counts once. Linux alone.
 */
export function memoryOfTree(pid: number): number {
  const childrenByParent = Map.groupBy(processes(), ({ parent }) => parent)
  const sum = (id: number): number =>
    proportionalBytes(id) +
    (childrenByParent.get(id) ?? []).reduce((total, child) => total + sum(child.id), 0)
  return sum(pid)
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
