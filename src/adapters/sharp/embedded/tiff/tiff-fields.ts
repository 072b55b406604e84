import type { PagedBytes } from '../paged-file.ts'
import { tiffDirectory, tiffHeader } from './tiff-directory.ts'

/** Values of the first image file directory by their tags (TIFF 6.0 §2), as far as they are wanted. */
export function tiffFields(
  file: Pick<PagedBytes, 'bytes'>,
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, Uint8Array> {
  const header = tiffHeader(file)
  if (header === undefined) return new Map()
  const fields = tiffDirectory(file, header, (tag) => wanted.has(tag))
  return new Map([...fields].map(([tag, { bytes }]) => [tag, bytes]))
}
