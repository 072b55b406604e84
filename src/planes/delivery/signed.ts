import { z } from 'zod'

import { isSignatureValid, type SignedParameters } from '../../domain/access/signed-url.ts'
import { parseAssetPath, zoneOf } from '../../domain/content/asset-path.ts'
import type { PinnedDelivery } from '../../domain/content/past/pinned-delivery.ts'
import { namedVersionIn } from '../../domain/content/past/version-names.ts'
import type { Deliverable } from '../../domain/content/delivered/expiry.ts'
import { deliveredAsset } from '../../domain/content/delivered/delivered-assets.ts'
import type { FileReader } from '../../domain/content/delivered/published-bytes.ts'
import { ServiceError } from '../../domain/errors.ts'
import type {
  ImageResponse,
  ImageService,
  TransformRequest,
} from '../../domain/media/image-service.ts'
import type { NamedTransforms } from '../../domain/media/named/named-transforms.ts'
import { nameParameter } from '../../domain/media/named/parse-transforms.ts'
import { allTransformParameters } from '../../domain/media/recipe/transform-parameters.ts'
import type { RuledSvgs } from '../../domain/media/svg/ruled-svgs.ts'
import { type Call, operation } from '../../http/operation.ts'
import { sandboxPolicy } from '../../lib/text/media-types.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import { fileResponse } from '../file-response.ts'
import { endingWith } from './ending-response.ts'
import { respondWithImage, ruledImage, sanitisedImage } from './image-response.ts'
import { overlayFrom, type OverlayPath, overlaysIn, withOverlays } from './overlays.ts'
import { clientOf, pathsFor } from './transform.ts'

export interface SignedDependencies {
  readonly published: Deliverable
  readonly pinned: PinnedDelivery
  readonly images: Pick<ImageService, 'transform'>
  readonly ruledSvgs: RuledSvgs
  readonly named: NamedTransforms
  readonly reader: FileReader
  readonly signedUrlSecret: Secret
  readonly previousSignedUrlSecret?: Secret | undefined
  readonly signedUrlMaxAgeSeconds: number
  readonly now: () => Date
}

const query = z.object({
  path: z.string().optional().describe('The asset; `/clients/…`, `clients/…` or the clean form'),
  expires: z.string().optional().describe('Unix seconds, at most seven days ahead'),
  sig: z.string().optional().describe('Lower-case hex HMAC-SHA256 of `<path>:<expires>`'),
})

/** `GET /api/signed`. */
export const getSigned = operation({
  id: 'getSigned',
  plane: 'delivery',
  method: 'get',
  path: '/api/signed',
  summary: 'An asset, private ones too, at a URL that was signed',
  access: 'public',
  envelope: 'flat',
  query,
  description:
    'Parameters of a transform may be signed as well: with the prefix `t.`, e.g. `t.w=300`. The signed text then ends in `|` and these pairs, percent-encoded, sorted and joined by `&`, and the response is the image that they ask for. `t.t` is a named transform.',
  responses: {
    200: { description: 'The asset', contentType: '*/*' },
    206: { description: 'Part of it', contentType: '*/*' },
    304: { description: 'The client has it already' },
    403: { description: 'The signature is missing, wrong or expired' },
  },
}).handledBy(
  (dependencies: SignedDependencies) =>
    async ({ query: { path, expires, sig }, request, caller }) => {
      const { pinned, reader, signedUrlMaxAgeSeconds, now } = dependencies
      const parameters = { path, expires, signature: sig, extras: extrasOf(request) }
      const terms = {
        secret: dependencies.signedUrlSecret.reveal(),
        previousSecret: dependencies.previousSignedUrlSecret?.reveal(),
        now: now(),
        maxAgeSeconds: signedUrlMaxAgeSeconds,
      }
      if (!isSignatureValid(parameters, terms))
        throw new ServiceError('Forbidden', 'The signature is missing, wrong or expired')
      const { version, text } = namedVersionIn(path ?? '')
      const assetPath = parseAssetPath(text)
      const recipe = inOwnSpelling(() =>
        dependencies.named.read(recipeOf(request), zoneOf(assetPath)),
      ).query
      const overlays = inOwnSpelling(() => overlaysIn(recipe, (named) => parseAssetPath(named)))
      const paths = withOverlays(pathsFor(assetPath, recipe), overlays)
      const wanted = { version, paths, isSigned: true, address: caller.ip }
      const assets = await pinned.from(wanted)
      const asset = deliveredAsset(assets, assetPath, { isSigned: true })
      const image = await imageOf(
        { asset, assets, recipe, overlays },
        { request, caller },
        dependencies,
      )
      const response =
        image === undefined
          ? await fileResponse(request, { asset, reader, headers: signedHeaders })
          : respondWithImage(request, {
              ...image,
              headers: { ...image.headers, ...signedHeaders },
            })
      return endingWith(response, [asset, ...(image?.overlays ?? [])], now())
    },
)

const signedHeaders = {
  'X-Signed-URL': 'verified',
  'Cache-Control': 'private',
  'Content-Security-Policy': sandboxPolicy,
}

interface Signed {
  readonly asset: AssetRecord
  readonly assets: Deliverable
  /** Nothing where the file itself was signed. */
  readonly recipe: URLSearchParams
  readonly overlays: readonly OverlayPath[]
}

/** What is to be sent in place of the file itself: what was signed with it, or what rules ask. */
async function imageOf(
  { asset, assets, recipe, overlays }: Signed,
  { request, caller }: Pick<Call, 'request' | 'caller'>,
  { images, ruledSvgs }: SignedDependencies,
): Promise<ImageResponse | undefined> {
  if (recipe.size > 0)
    return await ruledImage(
      request,
      await transform(images, {
        ...clientOf(request, caller),
        asset,
        assets,
        query: recipe,
        isVouched: true,
        overlay: (named) => overlayFrom(assets, overlays, { named, isSigned: true }),
      }),
      ruledSvgs,
    )
  const { hostname } = new URL(request.url)
  const safe = await ruledSvgs.replace(asset, hostname, request.signal)
  return safe && sanitisedImage({ source: asset, vary: [] }, safe)
}

/** Faults are told in the caller's own spelling. */
async function transform(
  images: SignedDependencies['images'],
  wanted: TransformRequest,
): Promise<ImageResponse> {
  return await images.transform(wanted).catch((error: unknown) => {
    throw respelled(error)
  })
}

function inOwnSpelling<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw respelled(error)
  }
}

function respelled(error: unknown): unknown {
  const { code, message, target } = error instanceof ServiceError ? error : {}
  if (code !== 'InvalidParameter' || target === undefined) return error
  return new ServiceError(code, prefix + message, { target: prefix + target, cause: error })
}

const prefix = 't.'

/** The parameters of a transform, as `/api/transform` would have them; others that are signed say nothing. */
function recipeOf(request: Request): URLSearchParams {
  const names = new Set([nameParameter, ...allTransformParameters.map(({ name }) => name)])
  const known = extrasOf(request).filter(([name]) => names.has(name.slice(prefix.length)))
  return new URLSearchParams(known.map(([name, value]) => [name.slice(prefix.length), value]))
}

/** Transform parameters travel with a prefix, and are part of what is signed. */
const extrasOf = (request: Request): SignedParameters['extras'] =>
  [...new URL(request.url).searchParams].filter(([name]) => name.startsWith(prefix))
