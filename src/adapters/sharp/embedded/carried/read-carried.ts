import type { CarriedData } from '../../../../ports/media/carried-data.ts'
import type { CarriedFacts, EmbeddedFormat } from '../../../../ports/media/renderer.ts'
import { PagedFile } from '../paged-file.ts'
import { credentialBytes } from './credential-bytes.ts'
import { readCredentials } from './credentials.ts'
import { hdrOf } from './hdr.ts'

/** What a file carries besides an image. A damaged one carries nothing. No pixel is decoded. */
export function readCarried(path: string, format: EmbeddedFormat): CarriedData {
  if (format === 'svg') return {}
  return {
    hdr: attempt(path, (file) => hdrOf(file, format)),
    credentials: attempt(path, (file) => {
      const bytes = credentialBytes(file, format)
      return bytes && readCredentials(bytes)
    }),
  }
}

/** What is worth knowing of it; of a HEIC it lies where it lies in an AVIF. */
export function carriedFacts(path: string, format: EmbeddedFormat | 'heic'): CarriedFacts {
  const { hdr, credentials } = readCarried(path, format === 'heic' ? 'avif' : format)
  return { hdr: hdr ?? null, hasCredentials: credentials !== undefined }
}

/** Numbers in a damaged file lead anywhere: out of its bytes, or into more of them than are read. */
function attempt<Result>(path: string, read: (file: PagedFile) => Result): Result | undefined {
  using file = new PagedFile(path)
  try {
    return read(file)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
