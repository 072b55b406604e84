import { createHash } from 'node:crypto'

import { cacheLifetimes } from '../../../http/response/cache-lifetimes.ts'
import { videoTagsOf, surrogateTagsOf } from '../../../domain/content/delivered/surrogate-tags.ts'
import { versionFields } from '../version-fields.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { Part } from '../../../domain/streaming/segments/assemble.ts'
import type { Grant, StreamRequest } from '../../../domain/streaming/stream-request.ts'
import type { Playlist, Segment } from '../../../domain/streaming/streams.ts'
import { compress, weakened } from '../../../http/response/compression.ts'
import { evaluatePreconditions } from '../../../http/request/conditional.ts'
import type { ByteSpan } from '../../../http/response/ranges.ts'
import { respondWithLater } from '../../../http/response/respond.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'

/** A playlist, compressed for who takes it (authoring specification 10.1). */
export async function playlistResponse(
  request: Request,
  { text, sources }: Playlist,
  { grant, pin }: StreamRequest,
): Promise<Response> {
  const caching = versionFields(pin?.version, cacheLifetimes.playlist)
  const bytes = Buffer.from(text)
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`
  const headers: Record<string, string> = {
    ...commonHeaders(grant, caching),
    ...tagHeaders(sources, pin !== undefined),
    'Content-Type': 'application/vnd.apple.mpegurl',
    ETag: etag,
    Vary: 'Accept-Encoding',
  }
  if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers })
  const compressed = await compress(bytes, request.headers.get('accept-encoding'))
  const body = compressed?.bytes ?? bytes
  headers['Content-Length'] = String(body.byteLength)
  if (compressed !== undefined) {
    headers['Content-Encoding'] = compressed.coding
    headers['ETag'] = weakened(etag)
  }
  return new Response(body, { headers })
}

/** A segment or the part of it that was asked for; nothing is read for a `HEAD` or a 304. */
export async function segmentResponse(
  request: Request,
  segment: Segment,
  { grant, pin }: StreamRequest,
): Promise<Response> {
  const { sizeBytes } = segment
  const usual = segment.isImmutable ? cacheLifetimes.pinned : cacheLifetimes.segment
  const response = await respondWithLater(request, {
    validators: { etag: `"${segment.tag}"`, lastModified: undefined },
    sizeBytes,
    headers: {
      ...commonHeaders(grant, versionFields(pin?.version, usual)),
      ...tagHeaders(segment.sources, segment.isImmutable || pin !== undefined),
      'Content-Type': segment.contentType,
      'Accept-Ranges': 'bytes',
      'Content-Length': String(sizeBytes),
      ETag: `"${segment.tag}"`,
    },
    open: async (span) => bodyOf(cut(await segment.read(), span ?? { start: 0, end: sizeBytes })),
  })
  if (response.status === 412) throw streamIsAnother()
  return response
}

function isUnchanged(request: Request, etag: string): boolean {
  const precondition = evaluatePreconditions(request, { etag, lastModified: undefined })
  if (precondition === 'failed') throw streamIsAnother()
  return precondition === 'not-modified'
}

const streamIsAnother = () =>
  new ServiceError('PreconditionFailed', 'The stream is not the one the request names')

const commonHeaders = (
  grant: Grant | undefined,
  caching: Readonly<Record<string, string>>,
): Record<string, string> => ({
  ...caching,
  ...(grant && { 'Cache-Control': 'private', 'X-Signed-URL': 'verified' }),
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
})

/** Purging the address of a film, or of any file it is made of, purges the answer with them. */
function tagHeaders(sources: readonly AssetRecord[], isPinned: boolean): Record<string, string> {
  const paths = sources.map(({ path }) => path)
  const tags = [...new Set(sources.flatMap(surrogateTagsOf)), ...videoTagsOf(paths, { isPinned })]
  return { 'Cache-Tag': tags.join(','), 'Surrogate-Key': tags.join(' ') }
}

/** The parts of `parts` between two places. */
function cut(parts: readonly Part[], { start, end }: ByteSpan): readonly Part[] {
  let offset = 0
  return parts.flatMap((part) => {
    const sizeBytes = part instanceof Uint8Array ? part.length : part.size
    const from = Math.max(0, start - offset)
    const to = Math.min(sizeBytes, end - offset)
    offset += sizeBytes
    if (from >= to) return []
    if (from === 0 && to === sizeBytes) return [part]
    return [part instanceof Uint8Array ? part.subarray(from, to) : part.slice(from, to)]
  })
}

const pieceBytes = 256 * 1024

/**
 * Bun copies a large body that it is given whole, twice where the connection is slow; one that it has
 * to pull it sends from where it is, at a third of the CPU, though without a Content-Length.
 */
function bodyOf(parts: readonly Part[]): BodyInit {
  const held = parts.filter((part) => part instanceof Uint8Array)
  if (held.length < parts.length) return streamOf(parts)
  const [first] = held
  return held.length === 1 && first !== undefined && first.length <= pieceBytes
    ? first
    : heldStream(held)
}

function heldStream(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** Parts of files are read as the connection takes them. */
function streamOf(parts: readonly Part[]): ReadableStream<Uint8Array> {
  const pieces = piecesOf(parts)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        if (done === true) return controller.close()
        controller.enqueue(value)
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
}

async function* piecesOf(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Uint8Array) yield part
    else
      for (let start = 0; start < part.size; start += pieceBytes)
        yield await part.slice(start, Math.min(start + pieceBytes, part.size)).bytes()
  }
}
