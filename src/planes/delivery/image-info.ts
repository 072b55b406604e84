import { z } from 'zod'

import { reaches } from '../../domain/access/actor.ts'
import { type AssetPath, zoneOf } from '../../domain/content/asset-path.ts'
import { deliveredAsset } from '../../domain/content/delivered/delivered-assets.ts'
import type { PinnedDelivery } from '../../domain/content/past/pinned-delivery.ts'
import type { DetailedImage, DetailedImages } from '../../domain/media/facts/image-details.ts'
import { type Caller, operation } from '../../http/operation.ts'
import { evaluatePreconditions } from '../../http/request/conditional.ts'
import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { type Hosts, parseAssetUrl, requireShown, versionIn } from './asset-url.ts'
import { describedVersionFields } from './version-fields.ts'

export interface ImageInfoDependencies extends Hosts {
  readonly details: DetailedImages
  readonly pinned: PinnedDelivery
}

const exifValue = z.union([z.string(), z.number(), z.array(z.number())])

const hdr = z.enum(['pq', 'hlg', 'gain-map']).nullable()

const info = z.object({
  Path: z.string(),
  ContentType: z.string(),
  Size: z.int().describe('Bytes'),
  Checksum: z.string().describe('SHA-256, hex'),
  Format: z.enum(['jpeg', 'png', 'webp', 'gif', 'avif', 'svg', 'tiff']).describe('By the bytes'),
  Width: z.int().describe('As it is to be seen, turned as `Orientation` says'),
  Height: z.int(),
  Orientation: z.int().describe('How it is stored, 1 to 8 as in EXIF; 1 is upright'),
  Frames: z.int().describe('Images that follow each other'),
  Duration: z.number().nullable().describe('Seconds that the frames take; null of one'),
  Pages: z.int().describe('Images that lie beside each other, in a TIFF'),
  ColorModel: z.enum(['rgb', 'grey', 'cmyk', 'lab', 'other']),
  ColorProfile: z.string().nullable().describe('What its colour profile is called'),
  BitDepth: z.int().nullable().describe('Of a channel; null of an SVG'),
  Alpha: z.boolean(),
  Progressive: z.boolean(),
  Hdr: hdr.describe('How it goes beyond white: by its transfer function or a gain map'),
  Credentials: z
    .object({
      Manifests: z.int().describe('With those of what it was made from'),
      Generator: z.string().nullable(),
      Title: z.string().nullable(),
      Actions: z.array(
        z.object({
          Name: z.string(),
          Source: z.string().nullable().describe('The IPTC digital source type'),
        }),
      ),
    })
    .nullable()
    .describe('What its C2PA manifest says; nobody has verified it'),
  Exif: z
    .record(z.string(), exifValue)
    .nullable()
    .describe(
      'By the names of the standard, without the place it was taken at. Null for who may not read the file',
    ),
})

/** `GET /api/info`. */
export const getImageInfo = operation({
  id: 'getImageInfo',
  plane: 'delivery',
  method: 'get',
  path: '/api/info',
  summary: 'What a file says of the image in it',
  example: { query: { url: '/acme/v1/logos/logo.svg' } },
  description:
    'Size, kind, colours, frames and pages; no pixel is looked at. Open to all, as the image is. Who may read the files of the zone is shown EXIF too, and what is private.',
  access: 'public',
  moreFor: { keys: ['access'], scope: 'storage:read', session: true },
  envelope: 'standard',
  query: z.object({
    url: z.string().describe('The asset: a path, or a URL on a host of this service'),
  }),
  responses: {
    200: { description: 'The image', schema: info },
    304: { description: 'The client has it already' },
    404: { description: 'No such asset' },
    422: { description: 'No image that says anything of itself' },
  },
}).handledBy(
  (dependencies: ImageInfoDependencies) =>
    async ({ query: { url }, request, caller, respond }) => {
      const { version, text } = versionIn(url, request, dependencies)
      const path = parseAssetUrl(text, request, dependencies)
      const isReader = mayRead(caller, path)
      const wanted = { version, paths: [path], isSigned: isReader, address: caller.ip } as const
      const delivered = await dependencies.pinned.from(wanted)
      const asset = deliveredAsset(delivered, path, { isSigned: isReader, target: 'url' })
      requireShown(asset.path, request, dependencies)
      const found = await dependencies.details.of(asset, request.signal)
      const body = spell(asset, found, isReader)
      const headers = fieldsOf(body, version)
      if (
        evaluatePreconditions(request, { etag: headers.ETag, lastModified: undefined }) ===
        'not-modified'
      )
        return new Response(null, { status: 304, headers })
      return respond(200, body, headers)
    },
)

const mayRead = (caller: Caller, path: AssetPath): boolean =>
  caller.seesMore === true && reaches(caller, zoneOf(path))

const spell = (
  { path, contentType, sizeBytes, sha256 }: AssetRecord,
  { width, height, format, frames, pages, ...found }: DetailedImage,
  isReader: boolean,
): z.infer<typeof info> => ({
  Path: path,
  ContentType: contentType,
  Size: sizeBytes,
  Checksum: sha256,
  Format: format,
  Width: width,
  Height: height,
  Orientation: found.orientation,
  Frames: frames,
  Duration: found.durationMs === undefined ? null : found.durationMs / 1000,
  Pages: pages,
  ColorModel: found.colorModel,
  ColorProfile: found.profile ?? null,
  BitDepth: found.bitDepth ?? null,
  Alpha: found.hasAlpha,
  Progressive: found.isProgressive,
  Hdr: found.hdr ?? null,
  Credentials: found.credentials === undefined ? null : spellCredentials(found.credentials),
  Exif: isReader ? spellExif(found.exif) : null,
})

const spellCredentials = ({
  manifests,
  generator,
  title,
  actions,
}: NonNullable<DetailedImage['credentials']>) => ({
  Manifests: manifests,
  Generator: generator ?? null,
  Title: title ?? null,
  Actions: actions.map(({ name, source }) => ({ Name: name, Source: source ?? null })),
})

const spellExif = (exif: DetailedImage['exif']): z.infer<typeof info>['Exif'] =>
  Object.fromEntries(
    Object.entries(exif).map(([name, value]) => [
      name,
      typeof value === 'object' ? [...value] : value,
    ]),
  )

/** Others are shown less, and what is erased or closed is not to be seen again: nobody keeps it for others. */
function fieldsOf(body: z.infer<typeof info>, version: string | undefined) {
  const digest = new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest('base64url')
  return {
    ETag: `"${digest}"`,
    ...describedVersionFields(version, cacheLifetimes.comparedEachTime),
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}
