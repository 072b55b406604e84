import { latin1, uint32 } from '../paged-file.ts'

/** A box of boxes (ISO 19566-5) with its label, or one of content. */
export interface JumbfBox {
  readonly type: string
  /** Of a box of boxes. */
  readonly label: string
  readonly children: readonly JumbfBox[]
  /** Of a box of content. */
  readonly content: Uint8Array
}

const maxDepth = 8
const maxBoxes = 2000
const superbox = 'jumb'
const description = 'jumd'
/** What a description begins with: the type of content, and flags. */
const descriptionBytes = 17

/** The boxes that lie in bytes, one after another. What is cut off or nested too deep is left out. */
export function readJumbf(bytes: Uint8Array): readonly JumbfBox[] {
  return readBoxes(bytes, { depth: 0, budget: { boxes: maxBoxes } })
}

interface Place {
  readonly depth: number
  readonly budget: { boxes: number }
}

function readBoxes(bytes: Uint8Array, { depth, budget }: Place): readonly JumbfBox[] {
  const boxes: JumbfBox[] = []
  if (depth === maxDepth) return boxes
  let at = 0
  while (at + 8 <= bytes.length && budget.boxes > 0) {
    budget.boxes -= 1
    const short = uint32(bytes, at)
    const isLong = short === 1
    const size = isLong
      ? uint32(bytes, at + 8) * 2 ** 32 + uint32(bytes, at + 12)
      : short || bytes.length - at
    const headBytes = isLong ? 16 : 8
    if (size < headBytes || at + size > bytes.length) break
    const type = latin1(bytes.subarray(at + 4, at + 8))
    const content = bytes.subarray(at + headBytes, at + size)
    boxes.push(
      type === superbox ? boxOfBoxes(content, { depth: depth + 1, budget }) : leaf(type, content),
    )
    at += size
  }
  return boxes
}

const leaf = (type: string, content: Uint8Array): JumbfBox => ({
  type,
  label: '',
  children: [],
  content,
})

function boxOfBoxes(content: Uint8Array, place: Place): JumbfBox {
  const all = readBoxes(content, place)
  const said = all.find(({ type }) => type === description)?.content ?? new Uint8Array(0)
  const end = said.indexOf(0, descriptionBytes)
  const label = latin1(said.subarray(descriptionBytes, end < 0 ? said.length : end)).slice(0, 200)
  const children = all.filter(({ type }) => type !== description)
  return { type: superbox, label, children, content: new Uint8Array(0) }
}
