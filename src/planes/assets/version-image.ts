import { z } from 'zod'

import { parseAssetPath } from '../../domain/content/asset-path.ts'
import type { PastAssets } from '../../domain/content/past/past-assets.ts'
import type { ImageService } from '../../domain/media/image-service.ts'
import { operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import { respondWith } from '../../http/response/respond.ts'
import { actorOf } from '../caller.ts'
import { clientOf } from '../delivery/transform.ts'

export interface VersionImageDependencies {
  readonly images: ImageService
  readonly pastAssets: PastAssets
}

/** `GET /api/assets/version/image`. */
export const getAssetVersionImage = operation({
  id: 'getAssetVersionImage',
  plane: 'assets',
  envelope: 'standard',
  method: 'get',
  path: '/api/assets/version/image',
  summary: 'How an image looked as of a commit',
  description:
    'As small as asked for, and in a format that the client takes. For those who may read the files of the zone, whether it opens its history to others or not.',
  access: { keys: ['access'], scope: 'storage:read', session: true },
  query: z.object({
    path: z.string().describe('`<zone>/v1/…`; a leading `/` or `clients/` does no harm'),
    commit: z.string().describe('A commit, or the first digits of it, at least 7'),
    w: clampedInteger({ min: 16, max: 2048, default: 320, description: 'It is no wider' }),
    h: clampedInteger({ min: 16, max: 2048, default: 320, description: 'It is no higher' }),
  }),
  responses: {
    200: { description: 'The image', contentType: 'image/*' },
    304: { description: 'The client has it already' },
    404: { description: 'The commit has no such asset' },
    422: { description: 'Not an image that can be worked on' },
  },
}).handledBy(
  ({ images, pastAssets }: VersionImageDependencies) =>
    async ({ query: { path, commit, w, h }, request, caller }) => {
      const asset = await pastAssets.at(parseAssetPath(path), commit, actorOf(caller))
      const query = new URLSearchParams({ w: String(w), h: String(h), fit: 'inside' })
      const image = await images.transform({
        ...clientOf(request, caller),
        asset,
        query,
        isVouched: true,
      })
      return respondWith(request, {
        validators: { etag: image.etag, lastModified: undefined },
        sizeBytes: undefined,
        headers: {
          'Content-Type': image.contentType,
          'Content-Length': String(image.sizeBytes),
          'Content-Disposition': 'inline',
          'X-Content-Type-Options': 'nosniff',
          // What is erased is not to be seen again, so it is compared each time.
          'Cache-Control': cacheLifetimes.comparedEachTime,
          ETag: image.etag,
          Vary: image.vary.join(', '),
        },
        open: () => image.body as Uint8Array<ArrayBuffer>,
      })
    },
)
