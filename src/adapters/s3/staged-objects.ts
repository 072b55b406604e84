import type { S3Object } from './s3-objects.ts'

/**
 * A part of an upload's bytes. Each process that goes on with an upload takes the next turn: of two objects
 * for the same place that of the later turn counts, and none that an earlier turn wrote behind one of a
 * later turn. So what a former leader still sends does no harm; it was acknowledged to nobody, since a
 * response needs the database, which refuses it.
 */
export interface StagedObject {
  readonly id: string
  readonly key: string
  readonly offset: number
  readonly turn: number
  readonly sizeBytes: number
  readonly etag: string | undefined
}

export const stagedRoot = 'staged/'

export const stagedPrefix = (id: string): string => {
  if (!/^[\w-]{1,64}$/u.test(id)) throw new Error(`${id} is no id of an upload`)
  return `${stagedRoot}${id}/`
}

/** Keys are in the order of their places, then of their turns. */
export const stagedKey = (id: string, offset: number, turn: number): string =>
  `${stagedPrefix(id)}${String(offset).padStart(16, '0')}-${String(turn).padStart(6, '0')}`

export function parseStagedKey({
  key,
  sizeBytes,
  etag,
}: Omit<S3Object, 'changedAt'>): StagedObject | undefined {
  const [, id, offset, turn] = /^staged\/([\w-]{1,64})\/(\d{16})-(\d{6})$/u.exec(key) ?? []
  if (id === undefined) return undefined
  return { id, key, sizeBytes, etag, offset: Number(offset), turn: Number(turn) }
}

/** The objects that follow each other without a gap. */
export function chainOf(objects: readonly StagedObject[]): StagedObject[] {
  const latestByOffset = new Map<number, StagedObject>()
  for (const object of objects)
    if ((latestByOffset.get(object.offset)?.turn ?? 0) < object.turn)
      latestByOffset.set(object.offset, object)
  const chain: StagedObject[] = []
  for (let end = 0, turn = 0; ;) {
    const next = latestByOffset.get(end)
    if (next === undefined || next.turn < turn || next.sizeBytes === 0) return chain
    chain.push(next)
    end += next.sizeBytes
    turn = next.turn
  }
}

export const lengthOf = (chain: readonly StagedObject[]): number => {
  const last = chain.at(-1)
  return last === undefined ? 0 : last.offset + last.sizeBytes
}

/** No store takes a smaller part, but for the last one. */
const leastPartBytes = 5 * 2 ** 20

/** Objects that become one part of a larger one: several only where each alone would be too small. */
export function partGroups(chain: readonly StagedObject[]): readonly (readonly StagedObject[])[] {
  const groups: StagedObject[][] = []
  for (const object of chain) {
    const group = groups.at(-1)
    if (group !== undefined && bytesOf(group) < leastPartBytes) group.push(object)
    else groups.push([object])
  }
  return groups
}

const bytesOf = (group: readonly StagedObject[]): number =>
  group.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
