import { latin1, type PagedBytes, uint32 } from './paged-file.ts'

const maxBoxes = 1000

interface BoxPlace {
  readonly type: string
  /** Of its content. */
  readonly start: number
  readonly end: number
}

/** Boxes that follow each other (ISO 14496-12 §4.2). */
export function boxesIn(file: PagedBytes, from: number, to: number): readonly BoxPlace[] {
  const boxes: BoxPlace[] = []
  let at = from
  while (boxes.length < maxBoxes && at + 8 <= to) {
    const head = file.bytes(at, 16)
    const short = uint32(head, 0)
    const isLong = short === 1
    const size = isLong ? uint32(head, 8) * 2 ** 32 + uint32(head, 12) : short || to - at
    const headBytes = isLong ? 16 : 8
    if (size < headBytes || at + size > to) break
    boxes.push({ type: latin1(head.subarray(4, 8)), start: at + headBytes, end: at + size })
    at += size
  }
  return boxes
}
