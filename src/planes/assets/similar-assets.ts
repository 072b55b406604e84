import { z } from 'zod'

import type { Catalog } from '../../domain/catalog/catalog.ts'
import { type AssetPath, formatOf, fileNameOf, zoneOf } from '../../domain/content/asset-path.ts'
import type { WrittenFile } from '../../domain/content/files/put/file-put.ts'
import { invalid, ServiceError } from '../../domain/errors.ts'
import {
  type SimilarAsset,
  type SimilarAssets,
  sureDistance,
  usualDistance,
} from '../../domain/media/likeness/similar-assets.ts'
import { type Caller, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { counted } from '../../lib/text/visible-text.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { actorOf } from '../caller.ts'
import { visibleAsset } from './asset-metadata.ts'

export interface SimilarAssetsDependencies {
  readonly catalog: Catalog
  readonly similarAssets: SimilarAssets
}

const maxDistance = 40

const query = z.object({
  path: z.string().optional().describe('An image: `<zone>/v1/…`'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/u, 'must be a SHA-256 in 64 lower-case hex digits')
    .optional()
    .describe('The same by its bytes, instead of `path`'),
  limit: clampedInteger({ min: 1, max: 50, default: 10 }),
  distance: clampedInteger({
    min: 0,
    max: maxDistance,
    default: usualDistance,
    description: 'In how many of 128 bits an image may differ; 24 is nearly always the same image',
  }),
})

/** One that was found, as `GET /api/assets/similar` says it. */
export const similarAsset = z.object({
  Path: z.string(),
  Name: z.string(),
  Project: z.string(),
  Format: z.string(),
  Size: z.int().describe('Bytes'),
  Checksum: z.string().describe('SHA-256 in hex'),
  Distance: z.int().describe('How many of 128 bits differ'),
  Identical: z.boolean().describe('Whether it has the very same bytes'),
  LastChanged: z.iso.datetime(),
})

/** `GET /api/assets/similar`. */
export const findSimilarAssets = operation({
  id: 'findSimilarAssets',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/similar',
  summary: 'Images that look like one',
  example: { query: { path: 'acme/v1/logos/logo.svg' } },
  description:
    'The nearest first: copies that were scaled, encoded anew, or cut by a little. The image itself is not among them. What is of one colour alone is like nothing.',
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query,
  responses: {
    200: {
      description: 'What looks like it',
      schema: z.object({
        HttpCode: z.literal(200),
        Message: z.string(),
        Limit: z.int(),
        Distance: z.int().describe('The `distance` that was used'),
        Data: z.array(similarAsset),
      }),
    },
    404: { description: 'No such image' },
    422: { description: 'Not an image that can be worked on' },
  },
}).handledBy(
  ({ catalog, similarAssets }: SimilarAssetsDependencies) =>
    async ({ query: { path, sha256, limit, distance }, request, caller, respond }) => {
      const asking = { actor: actorOf(caller), distance, limit }
      if ((path === undefined) === (sha256 === undefined))
        throw invalid('path', 'is what an image is named by, or sha256 is: one of both')
      const found =
        path === undefined
          ? await similarAssets.similarToBytes(sha256 ?? '', asking)
          : await similarAssets.similarTo(visibleAsset(path, caller, catalog), {
              ...asking,
              signal: request.signal,
            })
      if (found === undefined)
        throw new ServiceError('AssetNotFound', 'No image has these bytes', { target: 'sha256' })
      return respond(200, {
        HttpCode: 200,
        Message: counted(found.length, 'asset'),
        Limit: limit,
        Distance: distance,
        Data: found.map(spellSimilar),
      })
    },
)

export const spellSimilar = ({
  asset,
  distance,
  isIdentical,
}: SimilarAsset): z.infer<typeof similarAsset> => ({
  Path: asset.path,
  Name: asset.name,
  Project: asset.zone,
  Format: asset.format,
  Size: asset.sizeBytes,
  Checksum: asset.sha256,
  Distance: distance,
  Identical: isIdentical,
  LastChanged: asset.changedAt.toISOString(),
})

/** What is said to whoever uploads an image that is there already, or nearly. */
export const similarToUpload = z
  .array(z.object({ Path: z.string(), Distance: z.int(), Identical: z.boolean() }))
  .nullable()
  .describe(
    'At most three images that nearly always are the same one; null where nobody has looked at the file yet (`Prefer: wait=5` waits for it), it is no image, or the credential may not list assets (that of an upload grant never may)',
  )

interface Sent {
  readonly request: Request
  readonly caller: Caller
}

const maxTold = 3
const maxWaitSeconds = 30

/**
 * Asked once the file is durable and published. Does not wait, unless the request prefers to
 * (`Prefer: wait`, RFC 7240 §4.3).
 */
export async function similarOf(
  { path, sha256, sizeBytes }: Pick<WrittenFile, 'path' | 'sha256' | 'sizeBytes'>,
  { request, caller }: Sent,
  similarAssets: Pick<SimilarAssets, 'ofUpload'>,
): Promise<z.infer<typeof similarToUpload>> {
  if (caller.grantedPath !== undefined || caller.scopes?.has('assets:read') === false) return null
  const seconds = waitSeconds(request)
  const upload = { path, sha256, sizeBytes, zone: zoneOf(path), format: formatOf(fileNameOf(path)) }
  const found = await similarAssets.ofUpload(upload, {
    actor: actorOf(caller),
    distance: sureDistance,
    limit: maxTold,
    signal: seconds === undefined ? undefined : AbortSignal.timeout(seconds * 1000),
  })
  if (found === undefined) return null
  return found.map(({ asset, distance, isIdentical }) => ({
    Path: asset.path,
    Distance: distance,
    Identical: isIdentical,
  }))
}

/** The same of files that came together, each by its place; what is waited for is one time for all. */
export async function similarOfAll(
  paths: readonly AssetPath[],
  { catalog, request, caller }: Sent & { readonly catalog: Pick<Manifest, 'asset'> },
  similarAssets: Pick<SimilarAssets, 'ofUpload'>,
): Promise<z.infer<typeof similarToUpload>[]> {
  const found = paths.map(async (path) => {
    const asset = catalog.asset(path)
    if (asset === undefined) return null
    const { sha256, sizeBytes } = asset
    return await similarOf({ path, sha256, sizeBytes }, { request, caller }, similarAssets)
  })
  return await Promise.all(found)
}

function waitSeconds({ headers }: Request): number | undefined {
  const digits = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/u.exec(
    headers.get('prefer')?.slice(0, 1000) ?? '',
  )?.[1]
  return digits === undefined ? undefined : Math.min(maxWaitSeconds, Number(digits))
}
