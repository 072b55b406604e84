import type { Random } from '../random.ts'
import type { Flush, Node, Operation, Part } from './disk.ts'

/** What was done to a disk, and when it was flushed, by the lines of the record. */
export interface Timeline {
  readonly operations: readonly Operation[]
  readonly flushes: readonly Flush[]
}

/** For each operation how much of it is on the disk. */
export type CutState = (index: number) => Part

const nodesOf = ({ change }: Operation): readonly Node[] =>
  change.kind === 'names' ? change.names.map(({ directory }) => directory) : [change.file]

/**
 * From which line on each operation is sure to survive. A flush of a file covers its bytes and its length, one of a
 * directory its names, and neither anything else; and only what had ended when the flush began.
 */
export function durableFrom({ operations, flushes }: Timeline): readonly number[] {
  const byNode = Map.groupBy(flushes, ({ node }) => node)
  return operations.map((operation) =>
    nodesOf(operation)
      .flatMap((node) => byNode.get(node) ?? [])
      .filter(({ begun }) => begun >= operation.ended)
      .reduce((first, { ended }) => Math.min(first, ended), Infinity),
  )
}

export interface Cut {
  /** The last line that was before the power went. */
  readonly line: number
  /** The first line of the last second. */
  readonly since: number
}

/**
 * The disks of a file system that writes in order: all that was done up to a moment of the last second, and of what
 * came after it what was flushed. Moments between which nothing is unflushed are one.
 */
export function prefixStates(timeline: Timeline, { line, since }: Cut): readonly CutState[] {
  const durable = durableFrom(timeline)
  const { operations } = timeline
  const isSure = (index: number): boolean => (durable[index] ?? Infinity) <= line
  const isBefore = (index: number): boolean => (operations[index]?.ended ?? Infinity) <= line
  const open = [...operations.keys()].filter(
    (index) => !isSure(index) && isBefore(index) && (operations[index]?.ended ?? 0) >= since,
  )
  const lasts = [...open.map((index) => index - 1), operations.length]
  return lasts.map(
    (last) => (index) => (isBefore(index) && (index <= last || isSure(index)) ? 'whole' : 'none'),
  )
}

/**
 * A disk of a file system that writes as it likes: names of each directory are there up to a moment of its own, and of
 * bytes that were not flushed each write is there, or its length alone, or nothing.
 */
export function scatteredState(timeline: Timeline, { line }: Cut, random: Random): CutState {
  const durable = durableFrom(timeline)
  const { operations } = timeline
  const parts = operations.map(({ ended, change }, index): Part => {
    if (ended > line) return 'none'
    if ((durable[index] ?? Infinity) <= line) return 'whole'
    if (change.kind === 'names') return random.integer(0, 5) === 0 ? 'none' : 'whole'
    return random.pick(['whole', 'length', 'none'] as const)
  })
  // What happened in a directory after something that is lost is lost with it.
  const lostIn = new Set<Node>()
  for (const [index, operation] of operations.entries()) {
    if (operation.change.kind !== 'names' || (durable[index] ?? Infinity) <= line) continue
    const nodes = nodesOf(operation)
    if (parts[index] === 'none' || nodes.some((node) => lostIn.has(node))) {
      parts[index] = 'none'
      for (const node of nodes) lostIn.add(node)
    }
  }
  return (index) => parts[index] ?? 'none'
}
