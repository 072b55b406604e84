import { isCompressible } from '../../lib/text/compressible-types.ts'
import { cacheLifetimes, publicFor, type Freshness } from '../../http/response/cache-lifetimes.ts'
import { surrogateTagsOf } from '../../domain/content/delivered/surrogate-tags.ts'
import { formatHttpDate } from '../../http/request/http-date.ts'
import { isHarmless, sandboxPolicy } from '../../lib/text/media-types.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { isDictionary } from '../codings/dictionaries.ts'

/** Header fields in the order they are sent, names as written. */
export type Fields = readonly (readonly [name: string, value: string])[]

export interface FieldsQuestion {
  readonly record: AssetRecord
  readonly isPinned: boolean
  /** Whether a rule looked at the client to decide on this answer. */
  readonly dependsOnClient: boolean
  readonly freshness: Freshness
}

/** What every answer about an asset carries, before rules; `ETag` and codings are added to each one. */
export function assetFields(question: FieldsQuestion): Fields {
  const { record } = question
  const tags = surrogateTagsOf(record)
  return [
    ['Content-Type', withCharset(record.contentType)],
    ['Last-Modified', formatHttpDate(record.changedAt)],
    ['Cache-Control', cacheControl(question)],
    ['Accept-Ranges', 'bytes'],
    ...varyOf(record),
    ...commonFields,
    ...(isHarmless(record.contentType)
      ? []
      : ([['Content-Security-Policy', sandboxPolicy]] as const)),
    ['Access-Control-Expose-Headers', exposedFields],
    ['Timing-Allow-Origin', '*'],
    ['Cache-Tag', tags.join(',')],
    ['Surrogate-Key', tags.join(' ')],
  ]
}

/** What is chosen by, whether there is a choice yet or not. */
function varyOf(record: AssetRecord): Fields {
  if (!isCompressible(record.contentType)) return []
  return [
    ['Vary', isDictionary(record) ? 'Accept-Encoding, Available-Dictionary' : 'Accept-Encoding'],
  ]
}

const exposedFields =
  'ETag, Content-Range, Content-Encoding, Repr-Digest, Cache-Status, Server-Timing, X-Request-ID'

/** Delivered files are public: any origin may read and embed them. */
export const commonFields: Fields = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Access-Control-Allow-Origin', '*'],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
]

function cacheControl({ isPinned, dependsOnClient, freshness }: FieldsQuestion): string {
  // Only this client would have got it.
  if (dependsOnClient) return cacheLifetimes.comparedEachTime
  return isPinned ? cacheLifetimes.pinned : publicFor(freshness)
}

/** The type alone, lower case, without parameters. */
export const essenceOf = (contentType: string): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase()

const withCharset = (contentType: string): string =>
  contentType.toLowerCase().startsWith('text/') && !/;\s*charset\s*=/iu.test(contentType)
    ? `${contentType}; charset=utf-8`
    : contentType
