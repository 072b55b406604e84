import { crc32 } from 'node:zlib'

import { zlibStream } from '../../../lib/bytes/zlib-stream.ts'
import type { ObjectKind } from './object-id.ts'

/** See gitformat-pack(5). */
const typeNumber: Readonly<Record<ObjectKind, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }

/** An object as it stands in a pack, and what the index says of it. */
export interface PackedObject {
  readonly id: string
  readonly crc32: number
  readonly bytes: Buffer
}

export interface IndexedObject {
  readonly id: string
  readonly crc32: number
  readonly offset: number
}

export function packObject(
  { id, kind, body }: { readonly id: string; readonly kind: ObjectKind; readonly body: Uint8Array },
  level: 0 | 1,
): PackedObject {
  const bytes = Buffer.concat([objectHeader(kind, body.length), zlibStream(body, level)])
  return { id, crc32: crc32(bytes), bytes }
}

/** Kind and inflated size: four bits of it in the first byte, then seven a byte. */
export function objectHeader(kind: ObjectKind, sizeBytes: number): Buffer {
  const bytes: number[] = []
  let byte = (typeNumber[kind] << 4) | (sizeBytes & 0x0f)
  for (let rest = Math.floor(sizeBytes / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80)
    byte = rest & 0x7f
  }
  bytes.push(byte)
  return Buffer.from(bytes)
}

export const packHeaderBytes = 12

export function packHeader(objectCount: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(objectCount, 8)
  return header
}

const largestShortOffset = 0x7fff_ffff

/** A version 2 index. `packChecksum` is the pack's own last twenty bytes. */
export function packIndex(objects: readonly IndexedObject[], packChecksum: Buffer): Buffer {
  const sorted = objects.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const body = Buffer.concat([
    Buffer.from('\xfftOc\0\0\0\x02', 'latin1'),
    fanout(sorted),
    Buffer.from(sorted.map(({ id }) => id).join(''), 'hex'),
    uint32s(sorted.map((object) => object.crc32)),
    ...offsets(sorted),
    packChecksum,
  ])
  return Buffer.concat([body, new Bun.CryptoHasher('sha1').update(body).digest()])
}

/** For each first byte, how many ids begin with it or a lower one. */
function fanout(sorted: readonly IndexedObject[]): Buffer {
  const counts = Array.from({ length: 256 }, () => 0)
  for (const { id } of sorted) {
    const first = Number.parseInt(id.slice(0, 2), 16)
    counts[first] = (counts[first] ?? 0) + 1
  }
  let total = 0
  return uint32s(counts.map((count) => (total += count)))
}

/** Offsets from 2 GiB on are kept in a second table, to which the first then points. */
function offsets(sorted: readonly IndexedObject[]): Buffer[] {
  const large = sorted.filter(({ offset }) => offset > largestShortOffset)
  const placeByOffset = new Map(large.map(({ offset }, place) => [offset, place]))
  const long = Buffer.alloc(large.length * 8)
  large.forEach(({ offset }, place) => long.writeBigUInt64BE(BigInt(offset), place * 8))
  const short = sorted.map(({ offset }) => {
    const place = placeByOffset.get(offset)
    return place === undefined ? offset : 0x8000_0000 + place
  })
  return [uint32s(short), long]
}

function uint32s(values: readonly number[]): Buffer {
  const buffer = Buffer.allocUnsafe(values.length * 4)
  values.forEach((value, index) => buffer.writeUInt32BE(value, index * 4))
  return buffer
}
