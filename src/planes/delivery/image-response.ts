import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import {
  dependencyTagsOf,
  hostTagOf,
  surrogateTagsOf,
} from '../../domain/content/delivered/surrogate-tags.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ImageResponse, ImageCacheStatus } from '../../domain/media/image-service.ts'
import type { RuledSvgs } from '../../domain/media/svg/ruled-svgs.ts'
import type { Variant } from '../../ports/media/variant-store.ts'
import { respondWith } from '../../http/response/respond.ts'
import { sandboxPolicy } from '../../lib/text/media-types.ts'

/**
 * A rendered or stored picture on the wire. `namedBy` is the host name of a zone's own by which the asset
 * was named: whose it is may change.
 */
export function imageAnswer(request: Request, answer: ImageResponse, namedBy?: string): Response {
  const tags = [
    ...surrogateTagsOf(answer.source),
    ...dependencyTagsOf(answer.source.path),
    ...(namedBy === undefined ? [] : [hostTagOf(namedBy)]),
  ]
  const headers = {
    'Content-Type': answer.contentType,
    ETag: answer.etag,
    ...(answer.vary.length > 0 && { Vary: answer.vary.join(', ') }),
    'Cache-Control': cacheLifetimes.image,
    'Cache-Status': cacheStatus(answer.cacheStatus),
    'Content-Security-Policy': sandboxPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Timing-Allow-Origin': '*',
    'Cache-Tag': tags.join(','),
    'Surrogate-Key': tags.join(' '),
    ...answer.headers,
  }
  const response = respondWith(request, {
    validators: { etag: answer.etag, lastModified: undefined },
    // No ranges: an image is small, and nobody plays one.
    sizeBytes: undefined,
    headers: { ...headers, 'Content-Length': String(answer.sizeBytes) },
    open: () => bodyOf(answer.body),
  })
  if (response.status === 412)
    throw new ServiceError('PreconditionFailed', 'The picture is not the one the request names')
  return response
}

/** The answer for whoever asks, with a stored drawing made safe where rules ask for that. */
export async function pictureAnswer(
  request: Request,
  answer: ImageResponse,
  ruledSvgs: RuledSvgs,
): Promise<ImageResponse> {
  if (answer.body instanceof Uint8Array) return answer
  const { hostname } = new URL(request.url)
  const safe = await ruledSvgs.replace(answer.source, hostname, request.signal)
  return safe ? sanitisedAnswer(answer, safe) : answer
}

/** The same answer with a drawing that was made safe in place of the stored one. */
export const sanitisedAnswer = (
  { source, vary }: Pick<ImageResponse, 'source' | 'vary'>,
  { bytes, contentType, digest }: Variant,
): ImageResponse => ({
  source,
  vary,
  body: bytes,
  sizeBytes: bytes.length,
  contentType,
  etag: `"${digest}"`,
  cacheStatus: { hit: true, detail: 'source' },
  headers: {},
})

/** Views on shared memory never come out of a renderer. */
const bodyOf = (body: ImageResponse['body']): BodyInit => body as Blob | Uint8Array<ArrayBuffer>

/** RFC 9211: the cache of variants, as one member of the list. */
function cacheStatus(status: ImageCacheStatus): string {
  if ('hit' in status) return `sedge-variants; hit; detail="${status.detail}"`
  return `sedge-variants; fwd=${status.fwd}; stored${status.collapsed ? '; collapsed' : ''}`
}
