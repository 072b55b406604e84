import { parseHttpDate } from '../../http/request/http-date.ts'
import { unchangedFields } from '../../http/response/respond.ts'
import type { Coding } from '../codings/encode.ts'
import type { BlobBytes } from '../../ports/content/blob-store.ts'
import type { CacheResult } from '../hits/hit-counter.ts'
import { createWireResponse, type WireResponse } from '../../http/wire/wire-response.ts'
import type { HeldBytes } from '../../lib/bytes/held-bytes.ts'
import type { deltaCoding } from '../codings/dictionaries.ts'

/**
 * One selected representation, ready to send. The `Headers` are shared by every answer made from it:
 * nobody may change them (`Response` copies them, and so does {@link extended}).
 */
export interface Representation {
  readonly coding: SentCoding | undefined
  readonly digest: string
  readonly etag: string | undefined
  readonly lastModified: Date | undefined
  readonly contentType: string
  readonly sizeBytes: number
  readonly body: BlobBytes
  /** The same where it is in memory. */
  readonly held: HeldBytes | undefined
  /** Whether `body` reads a file: Bun then answers ranges of its own accord. */
  readonly isFile: boolean
  /** Where the kernel sends the same bytes from for less than it takes to copy them. */
  readonly file: BlobBytes | undefined
  /** The fields of a 200 from memory. */
  readonly headers: Headers
  full(cache: CacheResult): SharedInit
  notModified(cache: CacheResult): SharedInit
  /** The whole of a hit as it is sent, but the bytes of a file; what comes before its bytes; or the 304 of one. */
  wire(slot: WireSlot): WireResponse
}

export type WireSlot = 'full' | 'beforeFile' | 'notModified'

/** Those that bytes are kept in, and what they have beyond others that the client has. */
export type SentCoding = Coding | typeof deltaCoding

/** Made once and given to every `Response`. */
export interface SharedInit {
  readonly status?: number
  readonly headers: Headers
}

export type Bytes = BytesFacts & (InMemory | InFile)

interface InMemory {
  readonly held: HeldBytes
  readonly isFile: false
  readonly file?: BlobBytes | undefined
}

interface InFile {
  readonly body: BlobBytes
  readonly isFile: true
}

interface BytesFacts {
  readonly coding: SentCoding | undefined
  /** Strong, with its quotes. Rules may put another in its place. */
  readonly etag: string
  /** Base64 SHA-256 of these very bytes. */
  readonly digest: string
  readonly sizeBytes: number
  /** Whether they are the stored bytes made safe, instead of those themselves. */
  readonly isSanitised?: boolean
}

/** With the fields of the 200, rules applied. */
export type RepresentationParts = Bytes & { readonly headers: Headers }

const cacheFields: Readonly<Record<CacheResult, Readonly<Record<string, string>>>> = {
  HIT: { 'Cache-Status': 'sedge; hit', 'Server-Timing': 'cache;desc=HIT' },
  MISS: { 'Cache-Status': 'sedge; fwd=uri-miss; stored', 'Server-Timing': 'cache;desc=MISS' },
}

/** Takes the headers over: they become those of a hit. */
export function createRepresentation(parts: RepresentationParts): Representation {
  const { headers } = parts
  for (const [name, value] of Object.entries(cacheFields.HIT)) headers.set(name, value)
  const changedAt = parseHttpDate(headers.get('last-modified') ?? '')
  const { coding, digest, sizeBytes, isFile } = parts
  const held = parts.isFile ? undefined : parts.held
  const hit: SharedInit = { headers }
  let notModified: SharedInit | undefined
  // Most entries of a large set are never asked about again: made when one is.
  const unchanged = () => (notModified ??= { status: 304, headers: unchangedFields(headers) })
  const wires: Partial<Record<WireSlot, WireResponse>> = {}
  return {
    coding,
    digest,
    sizeBytes,
    isFile,
    headers,
    held,
    file: parts.isFile ? parts.body : parts.file,
    get body() {
      return parts.isFile ? parts.body : parts.held.blob
    },
    etag: headers.get('etag') ?? undefined,
    lastModified: changedAt === undefined ? undefined : new Date(changedAt),
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    full: (cache) => (cache === 'HIT' ? hit : { headers: extended(headers, cacheFields.MISS) }),
    notModified: (cache) =>
      cache === 'HIT'
        ? unchanged()
        : { status: 304, headers: extended(unchanged().headers, cacheFields.MISS) },
    wire(slot) {
      return (wires[slot] ??=
        slot === 'notModified'
          ? createWireResponse({ status: 304, headers: unchanged().headers })
          : slot === 'full' && !parts.isFile
            ? wholeOnWire(headers, parts)
            : createWireResponse({ status: 200, headers, fileBytes: sizeBytes }))
    },
  }
}

function wholeOnWire(headers: Headers, { held }: InMemory): WireResponse {
  const wire = createWireResponse({ status: 200, headers, body: held.bytes })
  held.moveInto(wire.bytes, wire.headBytes)
  return wire
}

/** A copy with more fields; `undefined` values are left out. */
export function extended(
  headers: Headers,
  fields: Readonly<Record<string, string | undefined>>,
): Headers {
  const copy = new Headers(headers)
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) copy.set(name, value)
  return copy
}

/** `"<sha256>"`, and `"<sha256>-br"` for coded bytes: two codings are two representations. */
export const entityTag = (sha256: string, coding: Coding | undefined): string =>
  coding === undefined ? `"${sha256}"` : `"${sha256}-${coding}"`
