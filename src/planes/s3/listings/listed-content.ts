import { markerContent } from '../../../domain/content/directory-marker.ts'
import { contentOf } from '../../../domain/content/objects/object-content.ts'
import type { PublishedObject } from '../../../domain/catalog/objects/object-cursor.ts'
import type { ObjectContent } from '../../../ports/records/object-version.ts'

/** With their quotes, in the order of the contents. */
export type EntityTags = (contents: readonly ObjectContent[]) => Promise<readonly string[]>

/** MD5 by SHA-256, of bytes that are stored. */
interface Digests {
  of(sha256s: readonly string[]): Promise<ReadonlyMap<string, { readonly md5: string }>>
}

const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e'

/** The MD5 of the bytes, but of what came in parts. */
export const entityTagsBy =
  (stored: Digests): EntityTags =>
  async (contents) => {
    const wanted = contents.filter(({ entityTag, sizeBytes }) => !entityTag && sizeBytes > 0)
    const digests = await stored.of([...new Set(wanted.map(({ sha256 }) => sha256))])
    return contents.map(
      ({ entityTag, sizeBytes, sha256 }) =>
        `"${entityTag ?? (sizeBytes === 0 ? emptyMd5 : (digests.get(sha256)?.md5 ?? ''))}"`,
    )
  }

export const objectContent = (object: PublishedObject): ObjectContent =>
  object.kind === 'asset' ? contentOf(object.asset) : markerContent
