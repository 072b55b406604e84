/** A box of a HEIF file (ISO/IEC 14496-12 §4.2) that lies in memory. */
export interface HeifBox {
  readonly type: string
  /** Of its size field. */
  readonly at: number
  /** Of its content. */
  readonly start: number
  readonly end: number
}

const maxBoxes = 10_000

/** Boxes that lie one after another; those that lead out of where they are end the list. */
export function boxesIn(file: Buffer, from: number, to: number): readonly HeifBox[] {
  const boxes: HeifBox[] = []
  let at = from
  while (at + 8 <= to && boxes.length < maxBoxes) {
    const short = file.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= to
    const size = isLong ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short
    const head = isLong ? 16 : 8
    if (size < head || at + size > to) break
    const type = file.toString('latin1', at + 4, at + 8)
    boxes.push({ type, at, start: at + head, end: at + size })
    at += size
  }
  return boxes
}

/** What the file says of its images: which is the main one, and what they have. */
export function tablesOf(file: Buffer) {
  const meta = boxesIn(file, 0, file.length).find(({ type }) => type === 'meta')
  const boxes = meta === undefined ? [] : boxesIn(file, meta.start + 4, meta.end)
  const named = (wanted: string) => boxes.find(({ type }) => type === wanted)
  const [pitm, iinf, iprp] = [named('pitm'), named('iinf'), named('iprp')]
  if (pitm === undefined || iinf === undefined || iprp === undefined) return undefined
  return { pitm, iinf, iprp, iref: named('iref') }
}

/** Whether numbers of items have 32 bits in a box: in all versions but the first. */
export const isWide = (file: Buffer, { start }: HeifBox): boolean => file[start] !== 0

/** Which item a PrimaryItemBox names (§8.11.4). */
export const idOf = (file: Buffer, box: HeifBox): number =>
  isWide(file, box) ? file.readUInt32BE(box.start + 4) : file.readUInt16BE(box.start + 4)
