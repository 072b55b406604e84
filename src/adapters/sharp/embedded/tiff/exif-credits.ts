import { tiffFields } from './tiff-fields.ts'

const [artistTag, copyrightTag] = [0x01_3b, 0x82_98]
const wanted: ReadonlySet<number> = new Set([artistTag, copyrightTag])
const maxLength = 500
/** `Exif` and two zeroes are before the directory where it comes out of a JPEG. */
const mark = 'Exif\0\0'

/** Who made an image and whose it is, as its EXIF says (Exif 3.0 §4.6.5). */
export function exifCredits(exif: Uint8Array): {
  readonly artist?: string
  readonly copyright?: string
} {
  const isMarked = Buffer.from(exif.subarray(0, mark.length)).toString('latin1') === mark
  const bytes = isMarked ? exif.subarray(mark.length) : exif
  const fields = tiffFields(
    { bytes: (start, length) => bytes.subarray(start, start + length) },
    wanted,
  )
  const artist = textOf(fields.get(artistTag))
  const copyright = textOf(fields.get(copyrightTag))
  return { ...(artist && { artist }), ...(copyright && { copyright }) }
}

/** Editor and photographer may be apart by a zero byte. */
const textOf = (bytes: Uint8Array | undefined): string =>
  new TextDecoder()
    .decode(bytes?.subarray(0, maxLength))
    .split('\0')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('; ')
