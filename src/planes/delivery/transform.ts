import { z } from 'zod'

import { type AssetPath, zoneOf } from '../../domain/content/asset-path.ts'
import { versionedPath } from '../../domain/content/past/version-names.ts'
import { storedFormatPaths } from '../../domain/media/render/stored-formats.ts'
import type { PinnedDelivery } from '../../domain/content/past/pinned-delivery.ts'
import type { Deliverable } from '../../domain/content/delivered/expiry.ts'
import { deliveredAsset } from '../../domain/content/delivered/delivered-assets.ts'
import type { ImageService, Preferences } from '../../domain/media/image-service.ts'
import { posterPaths } from '../../domain/media/stills/poster.ts'
import type { RuledSvgs } from '../../domain/media/svg/ruled-svgs.ts'
import type { NamedTransforms } from '../../domain/media/named/named-transforms.ts'
import { nameParameter } from '../../domain/media/named/parse-transforms.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { allTransformParameters } from '../../domain/media/recipe/transform-parameters.ts'
import { attachmentNamed, inlineNamed } from '../../http/response/content-disposition.ts'
import { type Call, type Caller, isOperator, operation } from '../../http/operation.ts'
import { clientHintsOf, savesData } from '../../http/request/client-hints.ts'
import { type Hosts, parseAssetUrl, requireShown, versionIn, zoneHostIn } from './asset-url.ts'
import { overlayFrom, overlaysIn, withOverlays } from './overlays.ts'
import { endingWith } from './ending-response.ts'
import { respondWithImage, ruledImage } from './image-response.ts'

export interface TransformDependencies extends Hosts {
  readonly images: ImageService
  readonly ruledSvgs: RuledSvgs
  readonly published: Deliverable
  readonly pinned: PinnedDelivery
  readonly named: NamedTransforms
  readonly now: () => Date
}

const fileName = /^[^\p{Cc}\ud800-\udfff/\\]{1,200}$/u

const query = z.object({
  url: z.string().describe('The asset: a path, or a URL on a host of this service'),
  v: z
    .string()
    .optional()
    .describe(
      'The first 8 or more hex digits of the SHA-256 of the asset: then the URL can mean no other image and is kept for a year; 404 once the asset has other bytes',
    ),
  fallback: z
    .string()
    .optional()
    .describe('An image that is sent where the asset is not there, or no image; named as `url`'),
  download: z
    .string()
    .regex(fileName, 'must be a file name of at most 200 characters')
    .optional()
    .describe('Has browsers save the image under this name'),
  [nameParameter]: z
    .string()
    .optional()
    .describe(
      'A named transform of `_transforms`: the parameters that stand there, with those of the query laid over them',
    ),
  filename: z
    .string()
    .regex(fileName, 'must be a file name of at most 200 characters')
    .optional()
    .describe('The name under which it is saved where somebody does; browsers show it as ever'),
  onerror: z
    .enum(['redirect'])
    .optional()
    .describe('`redirect` leads to the asset as it is stored where no image can be made of it'),
  ...Object.fromEntries(
    allTransformParameters.map(({ name, meaning, range, written, default: standard }) => [
      name,
      z
        .string()
        .meta({
          ...valueSchemaOf(written),
          description: `${meaning} ${sentence(range)}; default ${standard}`,
        })
        .optional(),
    ]),
  ),
})

/** JSON Schema without the address of the dialect, which the whole document names. */
function valueSchemaOf(written: z.ZodType) {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(written)
  return schema
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** `GET /api/transform`. */
export const transformImage = operation({
  id: 'transformImage',
  plane: 'delivery',
  method: 'get',
  path: '/api/transform',
  summary: 'An image in another size, shape or format',
  example: { query: { url: '/acme/v1/logos/logo.svg', w: 200, format: 'webp' } },
  description:
    'The same parameters in another order, or with their defaults spelled out, are one variant. A variant that is there already costs nothing; encoding a new one counts against the monthly limit.',
  access: 'public',
  envelope: 'flat',
  query,
  responses: {
    200: { description: 'The image', contentType: 'image/*' },
    302: { description: 'With onerror=redirect: where the asset is as it is stored' },
    304: { description: 'The client has it already' },
    403: { description: 'The zone lets not everybody choose that' },
    404: { description: 'No such asset' },
    422: { description: 'Not an image that can be worked on' },
    429: { description: 'The monthly limit of new variants is reached' },
    503: { description: 'Too many images wait to be made' },
  },
}).handledBy(
  (dependencies: TransformDependencies) =>
    async ({ query: wanted, request, caller }) => {
      const call = { request, caller, dependencies }
      try {
        return await transformed(wanted, call)
      } catch (error) {
        const { url, fallback, download, onerror } = wanted
        if (onerror === 'redirect' && isUnmade(error)) return redirected(wanted, call)
        if (fallback === undefined || !isMissing(error)) throw error
        const { text } = versionIn(url, request, dependencies)
        const missing = parseAssetUrl(text, request, dependencies)
        return await transformed({ url: fallback, download }, { ...call, missing })
      }
    },
)

/** Where another image may stand for one: it is not there, or no image. */
const isMissing = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.code === 'UnprocessableImage' ||
    error.code === 'StillUnavailable' ||
    (error.code === 'AssetNotFound' && error.target === 'url'))

/** Where there is a file, and no image can be made of it now. */
const isUnmade = (error: unknown): boolean =>
  error instanceof ServiceError &&
  ['UnprocessableImage', 'StillUnavailable', 'limit_reached', 'Unavailable'].includes(error.code)

/** To the file at the host that is asked, which on a zone's own has its paths without the zone. */
function redirected({ url }: TransformQuery, { request, dependencies }: TransformCall): Response {
  const { version, text } = versionIn(url, request, dependencies)
  const path = parseAssetUrl(text, request, dependencies)
  const { hostname } = new URL(request.url)
  const ownZone = dependencies.zoneOfHost(hostname)
  const named = ownZone === undefined ? path : path.slice(ownZone.length + 1)
  const isNamedByHost = dependencies.previewOfHost(hostname) !== undefined
  const Location = `/${versionedPath(isNamedByHost ? undefined : version, encodeURI(named))}`
  return new Response(null, { status: 302, headers: { Location, 'Cache-Control': 'no-store' } })
}

interface TransformQuery {
  readonly url: string
  readonly v?: string | undefined
  readonly fallback?: string | undefined
  readonly download?: string | undefined
  readonly filename?: string | undefined
  readonly onerror?: 'redirect' | undefined
}

interface TransformCall extends Pick<Call, 'request' | 'caller'> {
  readonly dependencies: TransformDependencies
  /** What this image stands for. */
  readonly missing?: AssetPath
}

async function transformed(
  { url, v, fallback, download, filename }: TransformQuery,
  { request, caller, dependencies, missing }: TransformCall,
): Promise<Response> {
  const { version, text } = versionIn(url, request, dependencies)
  const path = parseAssetUrl(text, request, dependencies)
  const asked = dependencies.named.read(new URL(request.url).searchParams, zoneOf(path))
  const overlays = overlaysIn(asked.query, (named) => parseAssetUrl(named, request, dependencies))
  const delivered = await dependencies.pinned.from({
    version,
    paths: withOverlays(pathsFor(path, asked.query), overlays),
    isSigned: false,
    address: caller.ip,
  })
  const asset = deliveredAsset(delivered, path, { isSigned: false, target: 'url' })
  requireShown(asset.path, request, dependencies)
  const isNamedBySha = requireNamed(asset, v)
  const made = await dependencies.images.transform({
    ...clientOf(request, caller),
    refusesCards: fallback !== undefined,
    asset,
    query: asked.query,
    chosen: { name: asked.name, free: chosenIn(asked.free) },
    isVouched: isOperator(caller),
    assets: delivered,
    overlay(named) {
      const overlay = overlayFrom(delivered, overlays, { named, isSigned: false })
      requireShown(overlay.path, request, dependencies)
      return overlay
    },
  })
  const image = await ruledImage(request, made, dependencies.ruledSvgs)
  const namedBy = zoneHostIn(text, dependencies)
  const isNamed = asked.isLedByZone
  const isAlone = overlays.length === 0 && !mayHavePoster(path, asked.query)
  const isPinned = isNamedBySha && !isNamed && isAlone && !isLedByOwner(asked.query)
  const { cacheSeconds } = dependencies.published.zone(zoneOf(path)) ?? {}
  const naming = { namedBy, version, isPinned, isNamed, cacheSeconds, missing }
  const response = respondWithImage(request, image, naming)
  if (filename !== undefined) response.headers.set('Content-Disposition', inlineNamed(filename))
  if (download !== undefined) response.headers.set('Content-Disposition', attachmentNamed(download))
  return endingWith(response, [image.source, ...(image.overlays ?? [])], dependencies.now())
}

/** As for the file itself: any other `v` is the page's own business. */
function requireNamed({ path, sha256 }: AssetRecord, v: string | undefined): boolean {
  if (v === undefined || !/^[0-9a-f]{8,64}$/iu.test(v)) return false
  if (sha256.startsWith(v.toLowerCase())) return true
  throw new ServiceError('AssetNotFound', `"${path}" has other bytes now`, { target: 'v' })
}

/** What names the image and its response is not of the transform, nor is what no parameter is called. */
const chosenIn = (asked: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...asked].filter(([name]) => parameterNames.has(name)))

const parameterNames: ReadonlySet<string> = new Set(allTransformParameters.map(({ name }) => name))

/** The owner of an image may see its subject elsewhere tomorrow, and what is stored beside it may change. */
const isLedByOwner = (asked: URLSearchParams): boolean =>
  ['face', 'auto'].includes(asked.get('gravity') ?? '') || isStoredFormat(asked)

/** What is never made, and sent where it is stored beside the image. */
const isStoredFormat = (parameters: URLSearchParams): boolean =>
  ['svg', 'jxl'].includes(parameters.get('format') ?? '')

/** What is looked up for a transform: an SVG, a JPEG XL, or the poster of a video is what is stored beside it. */
export function pathsFor(
  path: AssetPath,
  parameters: URLSearchParams,
): readonly [AssetPath, ...string[]] {
  const stem = path.slice(0, path.lastIndexOf('.'))
  const formats = isStoredFormat(parameters) ? storedFormatPaths(stem) : []
  return [path, ...formats, ...posterPaths(path)]
}

/** A video whose image is stored beside it, today or tomorrow. */
const mayHavePoster = (path: AssetPath, asked: URLSearchParams): boolean =>
  posterPaths(path).length > 0 && !asked.has('t') && !asked.has('preview')

/** What a client says of what it wants, and who is charged for it. */
export const clientOf = (request: Request, caller: Caller): Preferences => ({
  accept: request.headers.get('accept'),
  savesData: savesData(request.headers),
  hints: clientHintsOf(request),
  signal: request.signal,
  payer: { address: caller.ip, isOperator: isOperator(caller) },
})
