import { setImmediate } from 'node:timers/promises'

import { type ByteSource, refuse } from '../mp4/byte-source.ts'
import { type Element, elementAt, numberIn, variableSizeIn } from './ebml.ts'

/** A frame of the track that is looked for. */
export interface Block {
  /** In units of the segment. */
  readonly time: number
  readonly isKey: boolean
  readonly offset: number
  readonly sizeBytes: number
}

/** Where blocks are looked for: how far, and of which track. */
export interface Walk {
  readonly from: number
  readonly to: number
  readonly track: number
}

// RFC 9559 §5.1.3
export const clusterId = 0x1f43b675
const clusterTime = 0xe7
const simpleBlock = 0xa3
const blockGroup = 0xa0
const blockInGroup = 0xa1
const referenceBlock = 0xfb
/** Elements of this many bytes in their name stand beside clusters, not within. */
const leastTopId = 0x10000000

/** Track number (at most 8 bytes), time and flags. */
const blockHeaderBytes = 11
const maxElements = 600_000
/** Others have their turn after so many. */
const elementsPerSlice = 2000

/** The blocks of a track in the order of the file, from the first cluster at or after `from`. */
export async function* blocksIn(
  source: ByteSource,
  { from, to, track }: Walk,
): AsyncGenerator<Block> {
  let offset = from
  let base = 0
  for (let count = 0; offset < to; count += 1) {
    if (count === maxElements) return
    if (count % elementsPerSlice === elementsPerSlice - 1) await setImmediate()
    const element = await elementAt(source, offset)
    if (element === undefined) return
    if (element.id === clusterId) {
      offset = element.dataStart
      continue
    }
    // What is cut off ends here: what came before is as good as ever.
    if (element.end > source.sizeBytes) return
    offset = element.end
    if (element.id >= leastTopId) continue
    if (element.id === clusterTime) base = await numberAt(source, element)
    const block = await blockOf(source, element, track)
    if (block !== undefined) yield { ...block, time: base + block.time }
  }
}

async function blockOf(
  source: ByteSource,
  element: Element,
  track: number,
): Promise<Block | undefined> {
  if (element.id === simpleBlock) {
    const read = await readBlock(source, element, track)
    return read && { ...read.block, isKey: (read.flags & 0x80) !== 0 }
  }
  return element.id === blockGroup ? await groupedBlock(source, element, track) : undefined
}

/** A block that refers to no other can be shown by itself. */
async function groupedBlock(source: ByteSource, group: Element, track: number) {
  let found: Block | undefined
  let isKey = true
  let offset = group.dataStart
  for (let count = 0; offset < group.end && count < 64; count += 1) {
    const element = await elementAt(source, offset)
    if (element === undefined || element.end > group.end) return undefined
    if (element.id === referenceBlock) isKey = false
    if (element.id === blockInGroup) found = (await readBlock(source, element, track))?.block
    offset = element.end
  }
  return found && { ...found, isKey }
}

async function readBlock(source: ByteSource, { dataStart, end }: Element, track: number) {
  const available = Math.min(blockHeaderBytes, end - dataStart)
  const bytes = source.held(dataStart, available) ?? (await source.read(dataStart, available))
  const { value, length } = variableSizeIn(bytes)
  if (value !== track || length + 3 > available) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const flags = view.getUint8(length + 2)
  if ((flags & 0x06) !== 0) refuse('Several pictures share a block')
  const offset = dataStart + length + 3
  const block = { time: view.getInt16(length), isKey: true, offset, sizeBytes: end - offset }
  return { block, flags }
}

async function numberAt(source: ByteSource, { dataStart, end }: Element): Promise<number> {
  if (end - dataStart > 8) return refuse('A time in the file is too long')
  return numberIn(await source.read(dataStart, end - dataStart))
}
