import { z } from 'zod'

import type { Catalog } from '../../domain/catalog/catalog.ts'
import { humanSize } from '../../domain/catalog/human-size.ts'
import { encodePath, parseAssetPath, zoneOf } from '../../domain/content/asset-path.ts'
import { isPrivate } from '../../domain/content/delivered/delivered-assets.ts'
import { entityTagOf } from '../../domain/content/delivered/published-bytes.ts'
import { surrogateTagsOf } from '../../domain/content/delivered/surrogate-tags.ts'
import { availableFormats } from '../../domain/content/delivered/available-formats.ts'
import type { Descriptions } from '../../domain/content/metadata/descriptions.ts'
import { ServiceError } from '../../domain/errors.ts'
import { isImageFormat } from '../../domain/media/stills/still-formats.ts'
import type { KnownMedia } from '../../domain/media/facts/known-media.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import type { StreamFacts, Streams } from '../../domain/streaming/streams.ts'
import type { MediaFacts } from '../../ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { evaluatePreconditions } from '../../http/request/conditional.ts'
import { actorOf, baseUrlOf } from '../caller.ts'
import { previewHeader, type Previewed, previewQuery, previewScope, verbsOf } from '../previewed.ts'
import {
  describingEdit,
  focalPoint,
  knownFields,
  knownOf,
  metadataPatch,
} from './described-fields.ts'
import { reaches } from '../../domain/access/actor.ts'

interface Verbs {
  readonly catalog: Catalog
  readonly descriptions: Descriptions
}

interface Sources {
  readonly media: Pick<KnownMedia, 'known' | 'find'>
  readonly streams: Pick<Streams, 'prepare'>
  readonly baseUrl: string | undefined
  readonly now: () => Date
}

/** What the metadata of an asset is read from. */
export type MetadataShown = Previewed<Pick<Verbs, 'catalog'>> & Sources

type MetadataDependencies = Previewed<Verbs> & Sources

const query = z.object({
  path: z.string().describe('`<zone>/v1/…`; a leading `/` or `clients/` does no harm'),
  ...previewQuery,
})

const video = z.object({
  Streamable: z.boolean(),
  Reason: z.string().nullable().describe('Why it cannot be streamed'),
  DurationSeconds: z.number().nullable(),
  Codecs: z.array(z.string()),
})

const assetMetadata = z.object({
  Path: z.string(),
  Name: z.string(),
  Project: z.string(),
  Category: z.string(),
  Format: z.string(),
  Size: z.int().describe('Bytes'),
  SizeHuman: z.string(),
  ContentType: z.string(),
  Private: z.boolean().describe('Whether it is had by a signed URL alone'),
  CdnUrl: z.url().describe('Of what is private: to be signed, see `POST /api/assets/sign`'),
  TransformUrl: z.url().describe('The same'),
  AvailableFormats: z.array(z.string()),
  Checksum: z.string().describe('SHA-256 in hex'),
  ETag: z.string(),
  Width: z.int().nullable(),
  Height: z.int().nullable(),
  Animated: z.boolean().nullable(),
  Hdr: z
    .enum(['pq', 'hlg', 'gain-map'])
    .nullable()
    .describe('How it goes beyond white, if it does: by its transfer function or a gain map'),
  Credentials: z
    .boolean()
    .nullable()
    .describe('Whether C2PA credentials lie in it; see `/api/info`'),
  Thumbhash: z.string().nullable().describe('A placeholder of a few bytes, in Base64'),
  Colors: z.array(z.object({ hex: z.string(), name: z.string(), share: z.number() })),
  FocalPoint: focalPoint.nullable().describe('As the owner said; else null'),
  ...knownFields,
  Stream: video.nullable().describe('What `/api/stream` can make of a video; else null'),
  Tags: z.array(z.string()).describe('What `POST /api/purge` knows the asset by'),
  Commit: z.string(),
  DateCreated: z.iso.datetime(),
  LastChanged: z.iso.datetime(),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/assets/metadata`. */
export const getAssetMetadata = operation({
  id: 'getAssetMetadata',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/metadata',
  summary: 'Everything known of one asset',
  example: { query: { path: 'acme/v1/logos/logo.svg' } },
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query,
  requestHeaders: previewHeader,
  answeredBy: 'any node',
  responses: { 200: { description: 'The asset', schema: assetMetadata } },
}).handledBy(
  (dependencies: MetadataShown) =>
    async ({ query: { path }, request, caller, respond }) => {
      const { catalog } = await verbsAt<Pick<Verbs, 'catalog'>>(
        path,
        { request, caller },
        dependencies,
      )
      const asset = visibleAsset(path, caller, catalog)
      return respond(200, await metadataOf(asset, request, { ...dependencies, catalog }))
    },
)

const describeAsset = operation({
  id: 'describeAsset',
  plane: 'assets',
  method: 'patch',
  path: '/api/assets/metadata',
  summary: 'Say what an asset is',
  example: {
    query: { path: 'acme/v1/logos/logo.svg' },
    body: { Title: 'Logo', Alt: { en: 'A leaf' }, Tags: ['brand'], FocalPoint: { x: 0.5, y: 0.3 } },
  },
  description:
    'A JSON Merge Patch (RFC 7396): what is left out stays, `null` takes it back. It is one commit of a file beside the asset, which moves, goes and comes back with it. Told as `asset.updated`, with `metadata`, and with `focalPoint` where that was moved: crops keep it in view, at every edge.',
  access: {
    keys: ['access'],
    scope: 'storage:write',
    orScopes: ['metadata:write'],
    session: true,
    previewScope,
  },
  envelope: 'standard',
  query,
  requestHeaders: {
    'If-Match': 'Only where what persons say has this `MetadataETag`',
    ...previewHeader,
  },
  body: { kind: 'json', schema: metadataPatch },
  responses: { 200: { description: 'The asset', schema: assetMetadata } },
}).handledBy(
  (dependencies: MetadataDependencies) =>
    async ({ query: { path }, body, request, caller, respond }) => {
      const { media } = dependencies
      const asked = { request, caller }
      const { catalog, descriptions } = await verbsAt<Verbs>(path, asked, dependencies)
      const asset = visibleAsset(path, caller, catalog)
      const description = {
        path: parseAssetPath(asset.path),
        edit: describingEdit(body),
        precondition: (tag: string) =>
          evaluatePreconditions(request, { etag: tag, lastModified: undefined }) !== 'failed',
        field: 'path',
      } as const
      const wanted = { descriptions: [description] }
      if (body.FocalPoint !== undefined) {
        await descriptions.describe({ ...wanted, isDryRun: true }, actorOf(caller))
        // Only what can be cut has a subject.
        await media.find(asset)
      }
      await descriptions.describe(wanted, actorOf(caller))
      const { catalog: newest } = await verbsAt<Verbs>(path, asked, dependencies)
      const now = visibleAsset(path, caller, newest)
      return respond(200, await metadataOf(now, request, { ...dependencies, catalog: newest }))
    },
)

const verbsAt = <Wanted>(
  path: string,
  asked: { readonly request: Request; readonly caller: Caller },
  verbs: Previewed<Wanted>,
): Promise<Wanted> => verbsOf<Wanted>(verbs, { ...asked, zone: zoneOf(parseAssetPath(path)) })

async function metadataOf(
  asset: AssetRecord,
  request: Request,
  { catalog, media, streams, baseUrl, now }: Sources & Pick<Verbs, 'catalog'>,
): Promise<z.infer<typeof assetMetadata>> {
  return {
    ...identityOf(asset),
    ...addressesOf(asset, baseUrlOf(request, baseUrl)),
    AvailableFormats: [...availableFormats(asset, catalog.siblings(asset.path))],
    ...imageFactsOf(await headerAtLeast(asset, media)),
    ...knownOf(asset),
    ...videoFactsOf(await streams.prepare(asset)),
    Tags: [...surrogateTagsOf(asset)],
    DateFetched: now().toISOString(),
  }
}

function videoFactsOf(facts: StreamFacts | undefined) {
  if (facts === undefined) return { Stream: null }
  if (!facts.isStreamable) return { Stream: { ...notStreamable, Reason: facts.reason } }
  const { durationSeconds, codecs, width, height } = facts
  return {
    Stream: {
      Streamable: true,
      Reason: null,
      DurationSeconds: durationSeconds,
      Codecs: [...codecs],
    },
    Width: width ?? null,
    Height: height ?? null,
  }
}

const notStreamable = { Streamable: false, DurationSeconds: null, Codecs: [] }

/** Its measures are read from its first bytes where nobody has looked at an image before. */
async function headerAtLeast(asset: AssetRecord, media: Sources['media']) {
  if (!isImageFormat(asset.format)) return await media.known(asset.sha256)
  return await media.find(asset).catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined
    throw error
  })
}

/** Null for what is no image; colours are there once some pixels have been looked at. */
function imageFactsOf(facts: MediaFacts | undefined) {
  if (facts === undefined) return unknownImage
  const { header, analysis, summary = analysis } = facts
  return {
    Width: header.width,
    Height: header.height,
    Animated: header.frames > 1,
    Hdr: header.carried?.hdr ?? null,
    Credentials: header.carried?.hasCredentials ?? null,
    ...summaryFactsOf(summary),
  }
}

const summaryFactsOf = (summary: MediaFacts['summary']) => ({
  Thumbhash: summary?.thumbHash ?? null,
  Colors: (summary?.colors ?? []).map(({ hex, name, share }) => ({ hex, name, share })),
})

const unknownImage = {
  Width: null,
  Height: null,
  Animated: null,
  Hdr: null,
  Credentials: null,
  Thumbhash: null,
  Colors: [],
}

const identityOf = (asset: AssetRecord) => ({
  Path: asset.path,
  Name: asset.name,
  Project: asset.zone,
  Category: asset.category,
  Format: asset.format,
  Size: asset.sizeBytes,
  SizeHuman: humanSize(asset.sizeBytes),
  ContentType: asset.contentType,
  Checksum: asset.sha256,
  ETag: entityTagOf(asset.sha256),
  Commit: asset.commitId,
  DateCreated: asset.createdAt.toISOString(),
  LastChanged: asset.changedAt.toISOString(),
})

/** What is private has no address of its own: its addresses lack the signature, and nothing else. */
function addressesOf(asset: AssetRecord, baseUrl: string) {
  const path = encodePath(asset.path)
  const signed = `${baseUrl}/api/signed?path=${path}`
  return isPrivate(asset)
    ? { Private: true, CdnUrl: signed, TransformUrl: `${signed}&t.format=auto` }
    : {
        Private: false,
        CdnUrl: `${baseUrl}/${path}`,
        TransformUrl: `${baseUrl}/api/transform?url=/${path}`,
      }
}

/** `/api/assets/metadata`. */
export const assetMetadataOperations: readonly HandledOperation<MetadataDependencies>[] = [
  getAssetMetadata,
  describeAsset,
]

/** The asset that a caller names; one of a zone that it does not reach is not there. */
export function visibleAsset(text: string, caller: Caller, catalog: Catalog): AssetRecord {
  const path = parseAssetPath(text)
  const asset = catalog.asset(path)
  if (!asset || !reaches(caller, asset.zone))
    throw new ServiceError('AssetNotFound', `No asset at "${path}"`, { target: 'path' })
  return asset
}
