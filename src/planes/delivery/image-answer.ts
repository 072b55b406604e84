import { dependencyTagsOf, surrogateTagsOf } from '../../domain/content/surrogate-tags.ts'
import type { ImageAnswer, ImageCacheStatus } from '../../domain/media/images.ts'
import { evaluatePreconditions } from '../../http/conditional.ts'

/** Short: a picture can be overwritten under its address at any time. */
const caching = 'public, max-age=60, stale-while-revalidate=600'

/** A rendered or stored picture on the wire. */
export function imageAnswer(request: Request, answer: ImageAnswer): Response {
  const tags = [...surrogateTagsOf(answer.source), ...dependencyTagsOf(answer.source.path)]
  const headers = {
    'Content-Type': answer.contentType,
    ETag: answer.etag,
    Vary: answer.vary.join(', '),
    'Cache-Control': caching,
    'Cache-Status': cacheStatus(answer.cacheStatus),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Timing-Allow-Origin': '*',
    'Cache-Tag': tags.join(','),
    'Surrogate-Key': tags.join(' '),
    ...answer.headers,
  }
  const validators = { etag: answer.etag, lastModified: undefined }
  if (evaluatePreconditions(request, validators) === 'not-modified')
    return new Response(null, { status: 304, headers })
  return new Response(bodyOf(answer.body), {
    headers: { ...headers, 'Content-Length': String(answer.sizeBytes) },
  })
}

/** Views on shared memory never come out of a renderer. */
const bodyOf = (body: ImageAnswer['body']): BodyInit => body as Blob | Uint8Array<ArrayBuffer>

/** RFC 9211: the cache of variants, as one member of the list. */
function cacheStatus(status: ImageCacheStatus): string {
  if ('hit' in status) return `sedge-variants; hit; detail="${status.detail}"`
  return `sedge-variants; fwd=${status.fwd}; stored${status.collapsed ? '; collapsed' : ''}`
}
