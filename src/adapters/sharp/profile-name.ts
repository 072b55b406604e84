import { readTags, textAt } from './color-profile.ts'

const maxLength = 100

/** What a colour profile calls itself; `undefined` where it does not, or is damaged. */
export function profileName(profile: Uint8Array): string | undefined {
  try {
    const tag = readTags(new DataView(profile.buffer, profile.byteOffset, profile.byteLength)).get(
      'desc',
    )
    const name = tag && (textAt(tag, 0) === 'mluc' ? localised(tag) : described(tag))
    const visible = name?.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
    return visible === '' ? undefined : visible
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The first of several languages (ICC.1:2022 §10.15). */
function localised(tag: DataView): string | undefined {
  if (tag.getUint32(8) === 0) return undefined
  const [bytes, start] = [tag.getUint32(20), tag.getUint32(24)]
  return decoded(tag, { start, bytes: Math.min(bytes, 2 * maxLength), label: 'utf-16be' })
}

/** `textDescriptionType` (ICC.1:2001-04 §6.5.17): a count, and so many bytes of ASCII. */
const described = (tag: DataView): string | undefined =>
  textAt(tag, 0) === 'desc'
    ? decoded(tag, { start: 12, bytes: Math.min(tag.getUint32(8), maxLength), label: 'latin1' })
    : undefined

interface Text {
  readonly start: number
  readonly bytes: number
  readonly label: 'utf-16be' | 'latin1'
}

const decoded = ({ buffer, byteOffset, byteLength }: DataView, { start, bytes, label }: Text) =>
  new TextDecoder(label).decode(
    new Uint8Array(buffer, byteOffset, byteLength).subarray(start, start + bytes),
  )
