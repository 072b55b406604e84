import type { Freshness } from '../../http/response/cache-lifetimes.ts'
import { encodePath } from '../../domain/content/asset-path.ts'
import { bookAsksToSanitise } from '../../domain/content/rules/books/book-headers.ts'
import type { RuleBooks } from '../../domain/content/rules/books/rule-books.ts'
import { ruledUrl } from '../../domain/content/rules/books/ruled-url.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { assetFields, essenceOf } from './asset-fields.ts'
import type { Route } from '../routing/decision.ts'
import type { Bytes } from './representation.ts'
import { ruledHeaders } from './ruled-fields.ts'
import { holdBytes } from '../../lib/bytes/held-bytes.ts'

/**
 * A drawing's bytes without anything that acts. Rejects with `UnprocessableImage` where it cannot be
 * made safe, and with `Unavailable` where nobody can tell just now.
 */
export type Sanitise = (record: AssetRecord) => Promise<Uint8Array>

export const svgType = 'image/svg+xml'

interface SanitiseOptions {
  readonly freshness: Freshness
  readonly bookOf: RuleBooks
}

/** Whether rules ask for it, and the URL shows a drawing: by its name, or by the type it is sent as. */
export function isToBeSanitised(
  { book, url, located, dependsOnClient }: Route,
  { freshness, bookOf }: SanitiseOptions,
): boolean {
  const { record } = located
  const own = ruledUrl({ hostname: url.hostname, path: `/${encodePath(record.path)}` }, undefined)
  if (!bookAsksToSanitise(book, url) && !bookAsksToSanitise(bookOf(record.zone), own)) return false
  if (record.format === 'svg') return true
  const fields = assetFields({ record, isPinned: false, dependsOnClient, freshness })
  const sentAs = ruledHeaders(book, url, fields).get('content-type')
  return essenceOf(sentAs ?? '') === svgType
}

/** They are other bytes than the stored ones, and so have a digest and an ETag of their own. */
export async function sanitisedBytes(sanitise: Sanitise, record: AssetRecord): Promise<Bytes> {
  const bytes = await sanitise(record)
  const digest = (encoding: 'hex' | 'base64') =>
    new Bun.CryptoHasher('sha256').update(bytes).digest(encoding)
  return {
    coding: undefined,
    etag: `"${digest('hex')}"`,
    digest: digest('base64'),
    sizeBytes: bytes.length,
    held: holdBytes(bytes),
    isFile: false,
    isSanitised: true,
  }
}
