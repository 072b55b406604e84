import { z } from 'zod'

import { decodePath } from '../../domain/content/asset-path.ts'
import { deliveredAsset } from '../../domain/content/delivered/delivered-assets.ts'
import type { Deliverable } from '../../domain/content/delivered/expiry.ts'
import { surrogateTagsOf } from '../../domain/content/delivered/surrogate-tags.ts'
import type { PinnedDelivery } from '../../domain/content/past/pinned-delivery.ts'
import { versionedPath } from '../../domain/content/past/version-names.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { KnownMedia } from '../../domain/media/facts/known-media.ts'
import type { ImageService } from '../../domain/media/image-service.ts'
import { defaultsOf, laidOver } from '../../domain/media/named/named-transforms.ts'
import type { RuledSvgs } from '../../domain/media/svg/ruled-svgs.ts'
import { type Call, type Caller, isOperator, operation } from '../../http/operation.ts'
import { evaluatePreconditions } from '../../http/request/conditional.ts'
import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import type { Size } from '../../ports/media/renderer.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { baseUrlOf } from '../caller.ts'
import { type HostRules, parsePathAt, requireShown, versionIn } from '../delivery/asset-url.ts'
import { endingWith } from '../delivery/ending-response.ts'
import { respondWithImage, ruledImage } from '../delivery/image-response.ts'
import { clientOf } from '../delivery/transform.ts'
import { context, imageInformation, profile } from './image-information.ts'
import { readIiifPath } from './iiif-path.ts'
import { type ImageSegments, readImageRequest } from './image-request.ts'

export interface IiifDependencies extends HostRules {
  readonly images: ImageService
  readonly media: Pick<KnownMedia, 'find'>
  readonly ruledSvgs: RuledSvgs
  readonly published: Deliverable
  readonly pinned: PinnedDelivery
  readonly baseUrl: string | undefined
  readonly now: () => Date
}

const jsonLd = `application/ld+json;profile="${context}"`

/** `GET /iiif/3/…`: IIIF Image API 3.0, level 2. */
export const getIiifImage = operation({
  id: 'getIiifImage',
  plane: 'delivery',
  method: 'get',
  path: '/iiif/3/{path}',
  summary: 'An image as viewers of the IIIF Image API 3.0 ask for it',
  description:
    'Behind the identifier, which is the path of the asset, best with its slashes as `%2F`, stand region, size, rotation, quality and format; or `info.json`, which describes the image and to which the identifier alone leads. Level 2, with mirroring, `^` to enlarge, WebP and AVIF.',
  example: { params: { path: 'acme/v1/logos/logo.svg/full/max/0/default.png' } },
  access: 'public',
  envelope: 'flat',
  params: z.object({
    path: z.string().describe('`{identifier}/{region}/{size}/{rotation}/{quality}.{format}`'),
  }),
  responses: {
    200: {
      description: 'The image, or what there is to know of it',
      contentType: 'image/*',
      otherContentTypes: ['application/json', 'application/ld+json'],
    },
    303: { description: 'To `info.json`' },
    304: { description: 'The client has it already' },
    400: { description: 'A segment that cannot be, or a size that is not made' },
    403: { description: 'The zone lets not everybody choose that' },
    404: { description: 'No such asset' },
    422: { description: 'Not an image that can be worked on' },
  },
}).handledBy((dependencies: IiifDependencies) => async ({ params, request, caller }) => {
  const { identifier, rest: segments } = readIiifPath(params.path)
  const found = await findImage(identifier, { request, caller, dependencies })
  const [region, size, rotation, file] = segments.map((segment) => decodePath(segment, 'path'))
  if (segments.length === 0 || (segments.length === 1 && region === ''))
    return redirect(`${found.id}/info.json`)
  if (segments.length === 1 && region === 'info.json') return await describe(found, request)
  if (segments.length !== 4)
    throw new ServiceError('NotFound', 'IIIF has no such URL; slashes of an identifier are %2F', {
      target: 'path',
    })
  const wanted = { region, size, rotation, file } as ImageSegments
  return await show(wanted, found)
})

interface Asked extends Pick<Call, 'request'> {
  readonly caller: Caller
  readonly dependencies: IiifDependencies
}

interface Found extends Asked {
  /** The URL of the image, without anything behind the identifier. */
  readonly id: string
  readonly asset: AssetRecord
  readonly version: string | undefined
  readonly delivered: Awaited<ReturnType<PinnedDelivery['from']>>
  readonly sizeOf: () => Promise<Size>
}

async function findImage(identifier: string, asked: Asked): Promise<Found> {
  const { request, caller, dependencies } = asked
  const { version, text } = versionIn(decodePath(identifier, 'identifier'), request, dependencies)
  const path = parsePathAt(text, request, { ...dependencies, target: 'identifier' })
  const wanted = { version, paths: [path], isSigned: false, address: caller.ip } as const
  const delivered = await dependencies.pinned.from(wanted)
  const asset = deliveredAsset(delivered, path, { isSigned: false, target: 'identifier' })
  requireShown(asset.path, request, dependencies)
  const named = encodeURIComponent(versionedPath(version, asset.path))
  return {
    ...asked,
    id: `${originOf(request, dependencies)}/iiif/3/${named}`,
    asset,
    version,
    delivered,
    sizeOf: async () => (await dependencies.media.find(asset, request.signal)).header,
  }
}

/** A zone's own host name stays what the client reads. */
function originOf(request: Request, { baseUrl, zoneOfHost, previewOfHost }: IiifDependencies) {
  const { hostname } = new URL(request.url)
  const isOther = zoneOfHost(hostname) !== undefined || previewOfHost(hostname) !== undefined
  return baseUrlOf(request, isOther ? undefined : baseUrl)
}

/** §2.1: the identifier alone stands for the thing, which is described elsewhere. */
const redirect = (url: string): Response =>
  new Response(null, { status: 303, headers: { Location: url, 'Cache-Control': 'no-cache' } })

async function describe({ id, asset, sizeOf, dependencies }: Found, request: Request) {
  const body = JSON.stringify(imageInformation(id, await sizeOf()))
  const isJsonLd = request.headers.get('accept')?.includes('application/ld+json') === true
  const digest = new Bun.CryptoHasher('sha256').update(body).update(String(isJsonLd))
  const tags = surrogateTagsOf(asset)
  const headers = {
    'Content-Type': isJsonLd ? jsonLd : 'application/json',
    Vary: 'Accept',
    ETag: `"${digest.digest('base64url')}"`,
    'Cache-Control': cacheLifetimes.image,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Tag': tags.join(','),
    'Surrogate-Key': tags.join(' '),
    Link: profileLink,
  }
  const validators = { etag: headers.ETag, lastModified: undefined }
  const isKnown = evaluatePreconditions(request, validators) === 'not-modified'
  const response = isKnown
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers })
  return endingWith(response, [asset], dependencies.now())
}

const profileLink = `<${profile}>;rel="profile"`

async function show(segments: ImageSegments, found: Found): Promise<Response> {
  const { id, asset, version, delivered, request, caller, dependencies } = found
  const { query, canonical } = readImageRequest(segments, await found.sizeOf())
  const zone = dependencies.published.zone(asset.zone)
  const made = await dependencies.images.transform({
    ...clientOf(request, caller),
    refusesCards: true,
    asset,
    query: laidOver(defaultsOf(zone), query),
    chosen: { name: undefined, free: query },
    isVouched: isOperator(caller),
    assets: delivered,
  })
  const image = await ruledImage(request, made, dependencies.ruledSvgs)
  const response = respondWithImage(request, image, { version, cacheSeconds: zone?.cacheSeconds })
  response.headers.set('Link', `${profileLink}, <${id}/${canonical}>;rel="canonical"`)
  return endingWith(response, [image.source], dependencies.now())
}
