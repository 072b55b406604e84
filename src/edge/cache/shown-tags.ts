import { createS3FifoCache } from '../../lib/collections/s3-fifo-cache.ts'

/** Tags that no caller can purge by, for our caches alone. */
const ownTag = /[ ,](?:path|stem|whole-zone):[^ ,]*/gu

interface FieldTags {
  readonly shown: string
  readonly asset: string | undefined
}

const readTagsBytes = 4 * 2 ** 20
const bytesPerCharacter = 4

/** The same assets are asked for again and again. */
const knownTags = createS3FifoCache<FieldTags>(readTagsBytes)

function tagsIn(tags: string): FieldTags {
  const known = knownTags.get(tags)
  if (known !== undefined) return known
  const read = { shown: tags.replaceAll(ownTag, ''), asset: assetIn(tags) }
  knownTags.set(tags, read, tags.length * bytesPerCharacter)
  return read
}

const pathTag = 'path:'

function assetIn(tags: string): string | undefined {
  const tag = tags.split(',').find((each) => each.startsWith(pathTag))
  return tag && decodeURIComponent(tag.slice(pathTag.length))
}

const tagFields = ['Cache-Tag', 'Surrogate-Key'] as const

/** Leaves those out that are for our caches alone. */
export function hideOwnTags(headers: Headers): void {
  for (const name of tagFields) {
    const tags = headers.get(name)
    if (tags !== null) headers.set(name, tagsIn(tags).shown)
  }
}

/** The path of the asset that a response was made from, `<zone>/v1/…`, where it says so. */
export function sourceOf(headers: Headers): string | undefined {
  const tags = headers.get('cache-tag')
  return tags === null ? undefined : tagsIn(tags).asset
}
