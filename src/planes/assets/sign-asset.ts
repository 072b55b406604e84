import { z } from 'zod'

import { countedText, sign, signedExtras } from '../../domain/access/signed-url.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import { parseRecipe } from '../../domain/media/recipe/recipe.ts'
import { allTransformParameters } from '../../domain/media/recipe/transform-parameters.ts'
import { requireZone } from '../../domain/access/actor.ts'
import { parseAssetPath, zoneOf } from '../../domain/content/asset-path.ts'
import { deliveredAsset } from '../../domain/content/delivered/delivered-assets.ts'
import type { PinnedDelivery } from '../../domain/content/past/pinned-delivery.ts'
import { namedVersionIn, versionedPath } from '../../domain/content/past/version-names.ts'
import { type Caller, operation } from '../../http/operation.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import { actorOf, baseUrlOf } from '../caller.ts'
import { visibleAsset } from './asset-metadata.ts'

export interface SignDependencies {
  readonly catalog: Catalog
  readonly pinned: PinnedDelivery
  readonly baseUrl: string | undefined
  readonly signedUrlSecret: Secret
  readonly signedUrlMaxAgeSeconds: number
  readonly now: () => Date
}

const usualSeconds = 3600
const sevenDaysSeconds = 604_800
const maxValueLength = 500

const request = z.object({
  path: z.string().describe('The asset; a leading `/` or `clients/` does no harm'),
  expiresInSeconds: z
    .int()
    .min(1)
    .max(sevenDaysSeconds)
    .optional()
    .describe(`How long the URL is good, 1 to SIGNED_URL_MAX_AGE; ${usualSeconds} where left out`),
  transform: z
    .partialRecord(
      z.enum(allTransformParameters.map(({ name }) => name)),
      z.union([z.string().max(maxValueLength), z.number()]),
    )
    .optional()
    .describe('Parameters of a transform: the URL is then that image'),
})

const response = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Path: z.string(),
  Url: z.url().describe('Anybody may fetch it until it expires'),
  StreamUrl: z.url().nullable().describe('For a video or a stored playlist: the same, streamed'),
  ExpiresAt: z.iso.datetime(),
})

const streamed: ReadonlySet<string> = new Set(['mp4', 'm4v', 'mov', 'm4a', 'm3u8', 'm3u'])

/** `POST /api/assets/sign`: for those who may read the file, and do not hold the secret. */
export const signAsset = operation({
  id: 'signAsset',
  plane: 'assets',
  method: 'post',
  path: '/api/assets/sign',
  summary: 'Make a URL that anybody may fetch for a while',
  example: { body: { path: 'acme/v1/logos/logo.svg', expiresInSeconds: 600 } },
  description:
    'For any asset, private ones too. Whoever may read the file may give it away; the secret that signs stays with the service.',
  access: { keys: ['access'], scope: 'storage:read', session: true },
  envelope: 'standard',
  body: { kind: 'json', schema: request },
  responses: { 200: { description: 'Signed', schema: response } },
}).handledBy(
  (dependencies: SignDependencies) =>
    async ({ body, request: asked, caller, respond }) => {
      const { baseUrl, now, signedUrlMaxAgeSeconds } = dependencies
      const { path, format } = await assetToSign(body.path, caller, dependencies)
      const seconds = Math.min(body.expiresInSeconds ?? usualSeconds, signedUrlMaxAgeSeconds)
      const expires = Math.floor(now().getTime() / 1000) + seconds
      const given = Object.entries(body.transform ?? {}).map(
        ([name, value]) => [name, String(value)] as const,
      )
      // Refuses what the address itself would be refused for.
      parseRecipe(new URLSearchParams(given.map(([name, value]) => [name, value])))
      const extras = given.map(([name, value]) => [`t.${name}`, value] as const)
      const base = baseUrlOf(asked, baseUrl)
      const query = signedQuery({ path, expires: String(expires), extras }, dependencies)
      return respond(200, {
        HttpCode: 200,
        Message: 'Signed',
        Path: path,
        Url: `${base}/api/signed?${query}`,
        StreamUrl:
          streamed.has(format) && extras.length === 0 ? `${base}/api/stream?${query}` : null,
        ExpiresAt: new Date(expires * 1000).toISOString(),
      })
    },
)

/** An asset, maybe as a commit or a preview has it: then its path names that. */
async function assetToSign(
  text: string,
  caller: Caller,
  { catalog, pinned }: SignDependencies,
): Promise<{ readonly path: string; readonly format: string }> {
  const { version, text: named } = namedVersionIn(text)
  if (version === undefined) return visibleAsset(named, caller, catalog)
  const path = parseAssetPath(named)
  requireZone(actorOf(caller), zoneOf(path))
  const wanted = { version, paths: [path], isSigned: true, address: caller.ip } as const
  const { format } = deliveredAsset(await pinned.from(wanted), path, { isSigned: true })
  return { path: versionedPath(version, path), format }
}

interface Signed {
  readonly path: string
  readonly expires: string
  readonly extras: readonly (readonly [name: string, value: string])[]
}

function signedQuery(
  { path, expires, extras }: Signed,
  { signedUrlSecret }: Pick<SignDependencies, 'signedUrlSecret'>,
): string {
  const text = countedText(path, expires) + signedExtras(extras)
  const sig = sign(text, signedUrlSecret.reveal())
  return new URLSearchParams([
    ['path', path],
    ['expires', expires],
    ['sig', sig],
    ...extras.map(([name, value]) => [name, value]),
  ]).toString()
}
