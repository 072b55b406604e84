import type { BlobRef } from '../../ports/content/blob-store.ts'
import type { ObjectContent } from '../../ports/records/object-version.ts'

/**
 * What the placeholder of a directory holds where the directory is an object of its own: one line feed. The
 * placeholders of standard directories are empty.
 */
export const markerBytes: Uint8Array = new Uint8Array([0x0a])

const markerSha256 = '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b'

export const isMarkerBlob = ({ sha256 }: Pick<BlobRef, 'sha256'>): boolean =>
  sha256 === markerSha256

/** What such an object is to who reads it: nothing. */
export const markerContent: ObjectContent = {
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  sizeBytes: 0,
  contentType: 'application/x-directory',
}
