import type { FileReader } from '../file-reader.ts'
import type { Cover } from './cover.ts'

interface Box {
  readonly type: string
  /** Of what is in it. */
  readonly start: number
  readonly end: number
}

const maxBoxes = 2000
/** Where iTunes keeps a cover; `meta` has four bytes of its own before what is in it. */
const way = ['moov', 'udta', 'meta', 'ilst', 'covr'] as const

/** The pictures among the metadata of an MP4 file (ISO 14496-12 §4.2 for boxes). */
export function mp4Covers(file: FileReader): readonly Cover[] {
  let box: Box | undefined = { type: '', start: 0, end: file.sizeBytes }
  for (const type of way) {
    const inside: Box = box.type === 'meta' ? { ...box, start: box.start + 4 } : box
    box = boxesIn(file, inside).find((each) => each.type === type)
    if (box === undefined) return []
  }
  return boxesIn(file, box)
    .filter(({ type }) => type === 'data')
    .map(({ start, end }) => ({ of: 3, bytes: file.read(start + 8, end - start - 8) }))
}

function boxesIn(file: FileReader, { start, end }: Box): readonly Box[] {
  const boxes: Box[] = []
  let at = start
  while (at + 8 <= end && boxes.length < maxBoxes) {
    const header = file.read(at, 16)
    if (header.length < 8) break
    const short = header.readUInt32BE(0)
    const isLong = short === 1 && header.length === 16
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short
    const next = short === 0 ? end : at + size
    if (next < at + 8 || next > end) break
    boxes.push({
      type: header.toString('latin1', 4, 8),
      start: at + (isLong ? 16 : 8),
      end: next,
    })
    at = next
  }
  return boxes
}
