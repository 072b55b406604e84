import type { AssetPath } from '../../domain/content/asset-path.ts'
import { previewIn } from '../../domain/content/past/version-names.ts'
import { cacheLifetimes, freshnessOf, publicFor } from '../../http/response/cache-lifetimes.ts'
import {
  dependencyTagsOf,
  hostTagOf,
  surrogateTagsOf,
} from '../../domain/content/delivered/surrogate-tags.ts'
import { versionFields } from './version-fields.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ImageResponse, ImageCacheStatus } from '../../domain/media/image-service.ts'
import type { RuledSvgs } from '../../domain/media/svg/ruled-svgs.ts'
import type { Variant } from '../../ports/media/variant-store.ts'
import { respondWith } from '../../http/response/respond.ts'
import { bodyOf } from '../../lib/bytes/byte-streams.ts'
import { sandboxPolicy } from '../../lib/text/media-types.ts'

interface Naming {
  /** The host name of a zone's own by which the asset was named: whose it is may change. */
  readonly namedBy?: string | undefined
  /** The version that the URL names: by a commit it can never mean another image. */
  readonly version?: string | undefined
  /** Whether the URL names these very bytes of what is published. */
  readonly isPinned?: boolean
  /** Whether a named transform says how it looks, which may mean something else tomorrow. */
  readonly isNamed?: boolean
  /** For how many seconds its zone has it used without asking, where that says so. */
  readonly cacheSeconds?: number | undefined
  /** Which asset the image stands for, since that is not there. */
  readonly missing?: AssetPath | undefined
}

/** A rendered or stored image on the wire. */
export function respondWithImage(
  request: Request,
  image: ImageResponse,
  naming: Naming = {},
): Response {
  const { missing } = naming
  const tags = tagsOf(image, naming)
  const headers = {
    'Content-Type': image.contentType,
    ETag: image.etag,
    ...(image.vary.length > 0 && { Vary: image.vary.join(', ') }),
    ...lifetimeOf(image, naming),
    'Cache-Status': cacheStatus(image.cacheStatus),
    'Content-Security-Policy': sandboxPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Timing-Allow-Origin': '*',
    'Cache-Tag': tags.join(','),
    'Surrogate-Key': tags.join(' '),
    ...image.headers,
    ...(missing !== undefined && {
      'Image-Notes': withNote(image.headers['Image-Notes'], 'fallback'),
    }),
  }
  const response = respondWith(request, {
    validators: { etag: image.etag, lastModified: undefined },
    // No ranges: an image is small, and nobody plays one.
    sizeBytes: undefined,
    headers: { ...headers, 'Content-Length': String(image.sizeBytes) },
    open: () => imageBody(image.body),
  })
  if (response.status === 412)
    throw new ServiceError('PreconditionFailed', 'The image is not the one the request names')
  return response
}

function tagsOf(image: ImageResponse, { namedBy, missing }: Naming): readonly string[] {
  const assets = [image.source, ...(image.overlays ?? [])]
  return [
    ...assets.flatMap((asset) => [...surrogateTagsOf(asset), ...dependencyTagsOf(asset.path)]),
    ...(missing === undefined ? [] : dependencyTagsOf(missing)),
    ...(namedBy === undefined ? [] : [hostTagOf(namedBy)]),
  ]
}

function lifetimeOf(
  { isForCaller = false, isDegraded = false }: ImageResponse,
  { version, isPinned = false, isNamed = false, cacheSeconds }: Naming,
) {
  if (isForCaller) return { 'Cache-Control': cacheLifetimes.comparedEachTime }
  if (isDegraded) return { 'Cache-Control': cacheLifetimes.degraded }
  const usual = isPinned ? cacheLifetimes.pinned : publicFor(freshnessOf(cacheSeconds))
  return versionFields(isNamed ? previewAlone(version) : version, usual)
}

/** A commit says what the image is, and not what a name means. */
const previewAlone = (version: string | undefined): string | undefined =>
  version !== undefined && previewIn(version) !== undefined ? version : undefined

const withNote = (notes: string | undefined, note: string): string =>
  notes === undefined ? note : `${notes}, ${note}`

/** The image for whoever asks, with a stored SVG made safe where rules ask for that. */
export async function ruledImage(
  request: Request,
  image: ImageResponse,
  ruledSvgs: RuledSvgs,
): Promise<ImageResponse> {
  if (image.body instanceof Uint8Array) return image
  const { hostname } = new URL(request.url)
  const safe = await ruledSvgs.replace(image.source, hostname, request.signal)
  return safe ? sanitisedImage(image, safe) : image
}

/** The same with an SVG that was made safe in place of the stored one. */
export const sanitisedImage = (
  { source, vary, isForCaller = false }: Pick<ImageResponse, 'source' | 'vary' | 'isForCaller'>,
  { bytes, contentType, digest }: Variant,
): ImageResponse => ({
  source,
  vary,
  isForCaller,
  body: bytes,
  sizeBytes: bytes.length,
  contentType,
  etag: `"${digest}"`,
  cacheStatus: { hit: true, detail: 'source' },
  headers: {},
})

/** Views on shared memory never come out of a renderer. */
const imageBody = (body: ImageResponse['body']): BodyInit =>
  body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : bodyOf(body)

/** RFC 9211: the cache of variants, as one member of the list. */
function cacheStatus(status: ImageCacheStatus): string {
  if ('hit' in status) return `sedge-variants; hit; detail="${status.detail}"`
  return `sedge-variants; fwd=${status.fwd}; stored${status.collapsed ? '; collapsed' : ''}`
}
