import {
  cacheLifetimes,
  endingLifetime,
  freshnessOf,
  type Freshness,
} from '../../http/response/cache-lifetimes.ts'
import { ServiceError } from '../../domain/errors.ts'
import { hasHeaderRules } from '../../domain/content/rules/books/book-headers.ts'
import type { FieldList } from '../../domain/content/rules/headers/header-rules.ts'
import { type AssetRecord, assetWith } from '../../ports/records/asset.ts'
import { assetFields } from './asset-fields.ts'
import type { Route } from '../routing/decision.ts'
import {
  type Bytes,
  createRepresentation,
  entityTag,
  type Representation,
} from './representation.ts'
import { ruledHeaders } from './ruled-fields.ts'
import { svgType } from './sanitised-bytes.ts'
import { isUnavailable } from '../../ports/store-unavailable-error.ts'
import type { BlobBytes, BlobStore } from '../../ports/content/blob-store.ts'
import { holdBytes } from '../../lib/bytes/held-bytes.ts'
import { isNamedFile } from '../../lib/files/sendable-file.ts'
import { isDictionary, useAsDictionary } from '../codings/dictionaries.ts'

export interface ByteSource {
  readonly blobs: EdgeBlobs
  /** Up to this size bytes are held in memory; beyond it the kernel sends the file. */
  readonly maxInlineBytes: number
}

/**
 * From this size on a plain connection gets what is in memory from its file: the kernel has that in memory as
 * well and need not copy it, which is worth the microseconds of opening it.
 */
const minSentBytes = 64 * 1024

/** The stored bytes, in memory up to a size, else as a file; `undefined` where they are not there. */
export async function readBytes(
  { blobs, maxInlineBytes }: ByteSource,
  record: AssetRecord,
): Promise<Bytes | undefined> {
  const { sha256, sizeBytes } = record
  const about = bytesFactsOf(record)
  if (sizeBytes > maxInlineBytes) {
    const body = await orMissing(blobs.open(sha256))
    return body && { ...about, body, isFile: true }
  }
  const bytes = await orMissing(blobs.read(sha256))
  if (bytes === undefined) return undefined
  const file = sizeBytes < minSentBytes ? undefined : await fileOf(blobs, sha256)
  return { ...about, held: holdBytes(bytes), file, isFile: false }
}

/** `undefined` where it is no file of this machine, or not yet: what is in memory is enough. */
async function fileOf(blobs: EdgeBlobs, sha256: string): Promise<BlobBytes | undefined> {
  const body = await blobs.open(sha256).catch(() => undefined)
  return isNamedFile(body) ? body : undefined
}

/** What is known of stored bytes that are sent as they are. */
export const bytesFactsOf = ({ sha256, sizeBytes }: AssetRecord) => ({
  coding: undefined,
  etag: entityTag(sha256, undefined),
  digest: Buffer.from(sha256, 'hex').toString('base64'),
  sizeBytes,
})

/** What a store elsewhere cannot give now is as good as not there, for now; what is erased, for ever. */
const orMissing = async <T>(reading: Promise<T | undefined>): Promise<T | undefined> =>
  await reading.catch((error: unknown) => {
    if (isUnavailable(error, 'blobs')) return undefined
    if (error instanceof ServiceError && error.code === 'Erased') return undefined
    throw error
  })

export interface Lifetimes {
  readonly freshness: Freshness
  readonly now: () => Date
}

/** What is sent for a URL when these are the bytes. */
export function buildRepresentation(
  route: Route,
  bytes: Bytes,
  { freshness, now }: Lifetimes,
): Representation {
  const { located, url, book, dependsOnClient } = route
  const { cacheSeconds } = located.zone
  const isPinned = located.pin !== undefined
  const { record } = located
  const about = bytes.isSanitised
    ? // How it is made safe may change, so the URL does not stand for one response for ever.
      { record: assetWith(record, { contentType: svgType }), isPinned: false }
    : { record, isPinned }
  const fields: FieldList = [
    ...assetFields({
      ...about,
      dependsOnClient,
      freshness: freshnessOf(cacheSeconds, freshness),
    }).filter(
      // The day the stored bytes changed says nothing about when rules came to ask for others.
      ([name]) => !(bytes.isSanitised && name === 'Last-Modified'),
    ),
    ['ETag', bytes.etag],
    ...(bytes.coding === undefined ? [] : ([['Content-Encoding', bytes.coding]] as const)),
    ...dictionaryFields(route, bytes),
  ]
  const headers = ruledHeaders(book, url, fields)
  if (hasHeaderRules(book)) mirrorTags(headers)
  // When a former version ends is for the present one to say.
  const { expiresAt } = located.shown?.metadata ?? {}
  if (expiresAt !== undefined) endAt(headers, expiresAt, now())
  if (located.preview !== undefined) markAsPreview(headers)
  return createRepresentation({ ...bytes, headers })
}

/** Asks clients to keep what they get, so that they need be sent no more than what changes (RFC 9842 §2.1). */
function dictionaryFields({ key, located, dependsOnClient }: Route, bytes: Bytes): FieldList {
  const isReplaced = located.pin === undefined && located.preview === undefined && !dependsOnClient
  if (!isReplaced || bytes.isSanitised || !isDictionary(located.record)) return []
  const value = useAsDictionary(key)
  return value === undefined ? [] : [['Use-As-Dictionary', value]]
}

/** Whatever rules say: what is written to it is seen at once, and only by those who were told of it. */
function markAsPreview(headers: Headers): void {
  withoutOtherLifetimes(headers)
  headers.set('Cache-Control', cacheLifetimes.comparedEachTime)
  headers.set('X-Robots-Tag', 'noindex')
  // It may be written twice in a second, which is all that dates of HTTP tell apart.
  headers.delete('Last-Modified')
}

/** Fields that rules may have for some caches alone. */
function withoutOtherLifetimes(headers: Headers): void {
  for (const name of Array.from(headers.keys()))
    if (/^(?:.+-cache-control|surrogate-control|expires)$/u.test(name)) headers.delete(name)
}

/** Nothing may outlive the asset. */
function endAt(headers: Headers, endsAt: Date, now: Date): void {
  const cacheControl = headers.get('cache-control') ?? ''
  withoutOtherLifetimes(headers)
  headers.set('Cache-Control', endingLifetime(cacheControl, { endsAt, now, isPrepared: true }))
}

/** Tags that a rule adds under one of the two names are sent under both. */
function mirrorTags(headers: Headers): void {
  const tags = `${headers.get('cache-tag') ?? ''},${headers.get('surrogate-key') ?? ''}`
    .split(/[\s,]+/u)
    .filter((tag) => tag !== '')
  const all = [...new Set(tags)]
  if (headers.has('cache-tag')) headers.set('Cache-Tag', all.join(','))
  if (headers.has('surrogate-key')) headers.set('Surrogate-Key', all.join(' '))
}

/** Where the bytes are. */
export interface EdgeBlobs extends Pick<BlobStore, 'open' | 'read' | 'readAtOnce'> {
  /** For a place that forgets bytes: whether it still has them, which then stay for a while. */
  touch?(sha256: string): boolean
}
