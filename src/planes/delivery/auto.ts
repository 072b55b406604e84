import { z } from 'zod'

import { decodePath, zoneOf } from '../../domain/content/asset-path.ts'
import { requireOpenZone } from '../../domain/content/delivered/delivered-assets.ts'
import { type Deliverable, requireUnexpired } from '../../domain/content/delivered/expiry.ts'
import type { PinnedDelivery } from '../../domain/content/past/pinned-delivery.ts'
import { defaultsOf } from '../../domain/media/named/named-transforms.ts'
import { findStoredFormats, storedFormatPaths } from '../../domain/media/render/stored-formats.ts'
import { invalid } from '../../domain/errors.ts'
import type { ImageService } from '../../domain/media/image-service.ts'
import type { RuledSvgs } from '../../domain/media/svg/ruled-svgs.ts'
import { type Call, type HandledOperation, operation } from '../../http/operation.ts'
import { type HostRules, parsePathAt, requireShown, versionIn } from './asset-url.ts'
import { endingWith } from './ending-response.ts'
import { respondWithImage, ruledImage } from './image-response.ts'
import { clientOf } from './transform.ts'

export interface AutoDependencies extends HostRules {
  readonly images: ImageService
  readonly ruledSvgs: RuledSvgs
  readonly published: Deliverable
  readonly pinned: PinnedDelivery
  readonly now: () => Date
}

const anim = z.string().optional().describe('`1` prefers animated formats; default `0`')
const common = {
  plane: 'delivery',
  method: 'get',
  access: 'public',
  envelope: 'flat',
  responses: {
    200: { description: 'The image', contentType: 'image/*' },
    304: { description: 'The client has it already' },
    404: { description: 'No image of that name' },
  },
} as const

/** `GET /api/auto`, in both spellings. */
const negotiateImage = operation({
  ...common,
  id: 'negotiateImage',
  path: '/api/auto',
  summary: 'An image in the best format the client takes',
  example: { query: { path: 'acme/v1/logos/logo' } },
  description:
    'The path goes without its extension. A stored file in an acceptable format is preferred, AVIF to WebP to PNG; where none fits, one is encoded.',
  query: z.object({ path: z.string().describe('An asset path without extension'), anim }),
}).handledBy(
  (dependencies: AutoDependencies) =>
    ({ query: { path }, ...call }) =>
      answer(path, call, dependencies),
)

const negotiateImageByPath = operation({
  ...common,
  id: 'negotiateImageByPath',
  path: '/api/auto/{path}',
  summary: 'The same, with the path in the URL',
  example: { params: { path: 'acme/v1/logos/logo' } },
  params: z.object({ path: z.string() }),
  query: z.object({ anim }),
}).handledBy(
  (dependencies: AutoDependencies) =>
    ({ params, ...call }) =>
      answer(decodePath(params.path), call, dependencies),
)

async function answer(
  text: string,
  { request, caller, noteAsset }: Pick<Call, 'request' | 'caller' | 'noteAsset'>,
  dependencies: AutoDependencies,
): Promise<Response> {
  if (text === '') throw invalid('path', 'is required')
  const { images, pinned, published, ruledSvgs } = dependencies
  const { version, text: named } = versionIn(text, request, dependencies)
  const path = parsePathAt(named, request, dependencies)
  requireShown(path, request, dependencies)
  requireOpenZone(published, zoneOf(path), path)
  const paths = [path, ...storedFormatPaths(path)] as const
  const assets = await pinned.from({ version, paths, isSigned: false, address: caller.ip })
  requireUnexpired([...findStoredFormats(assets, path).values()], assets)
  const zone = published.zone(zoneOf(path))
  const chosen = await images.auto({
    path,
    assets,
    defaults: defaultsOf(zone),
    query: new URL(request.url).searchParams,
    ...clientOf(request, caller),
  })
  noteAsset(chosen.source.path)
  requireShown(chosen.source.path, request, dependencies)
  const image = await ruledImage(request, chosen, ruledSvgs)
  const response = respondWithImage(request, image, { version, cacheSeconds: zone?.cacheSeconds })
  return endingWith(response, [chosen.source], dependencies.now())
}

export const autoOperations: readonly HandledOperation<AutoDependencies>[] = [
  negotiateImage,
  negotiateImageByPath,
]
