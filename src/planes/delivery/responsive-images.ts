import { z } from 'zod'

import { deliveredAsset } from '../../domain/content/delivered/delivered-assets.ts'
import { dependencyTagsOf, surrogateTagsOf } from '../../domain/content/delivered/surrogate-tags.ts'
import type { PinnedDelivery } from '../../domain/content/past/pinned-delivery.ts'
import { ServiceError } from '../../domain/errors.ts'
import type {
  DescribedImage,
  DescribedImages,
} from '../../domain/media/responsive/described-images.ts'
import {
  imageTag,
  neededBy,
  srcsetOf,
  tagByFormat,
} from '../../domain/media/responsive/image-markup.ts'
import { posterOf, posterPaths } from '../../domain/media/stills/poster.ts'
import {
  type Call,
  type Caller,
  type HandledOperation,
  isOperator,
  operation,
} from '../../http/operation.ts'
import { evaluatePreconditions } from '../../http/request/conditional.ts'
import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { TransformMode } from '../../ports/records/zone.ts'
import { baseUrlOf } from '../caller.ts'
import { type HostRules, parsePathAt, requireShown, versionIn } from './asset-url.ts'
import { describedVersionFields } from './version-fields.ts'

export interface ResponsiveImageDependencies extends HostRules {
  readonly described: DescribedImages
  readonly pinned: PinnedDelivery
  readonly modeOf: (zone: string) => TransformMode
  readonly baseUrl: string | undefined
}

const fraction = z.number().min(0).max(1)

const picture = z.object({
  Path: z.string(),
  Width: z.int(),
  Height: z.int(),
  Animated: z.boolean(),
  Alt: z.record(z.string(), z.string()).describe('By language (BCP 47)'),
  Thumbhash: z.string().nullable().describe('Base64; null until the image has been looked at'),
  Blurhash: z.string().nullable(),
  Placeholder: z.string().nullable().describe('A data URI of at most 700 bytes'),
  Colors: z.array(z.object({ hex: z.string(), name: z.string(), share: z.number() })),
  FocalPoint: z.object({ x: fraction, y: fraction }).nullable(),
  Src: z.string().describe('For what takes one URL'),
  Srcset: z
    .string()
    .nullable()
    .describe(
      'Of what pages with these `sizes` can need. Null of an SVG and of what moves, which have one URL',
    ),
  Sources: z
    .array(z.object({ Width: z.int(), Height: z.int(), Url: z.string() }))
    .describe('The smallest first; each URL is kept for a year'),
  Img: z.string().describe('An `<img>`, ready for a page'),
  Picture: z.string().describe('A `<picture>`, for pages behind caches that do not heed `Vary`'),
})

const sizesText = z
  .string()
  .max(200)
  .regex(/^[^<>"&\p{Cc}]*$/u, 'must be the sizes of an img, without markup')
const language = z.string().regex(/^[A-Za-z0-9-]{1,35}$/u, 'must be a language tag (BCP 47)')

const shown = {
  sizes: sizesText.optional().describe('What the tags say as `sizes`; left out: `100vw`'),
  lang: language
    .optional()
    .describe('Whose alternative text the tags have; left out, or not said: `en`, else the first'),
}

const getPicture = operation({
  id: 'getPicture',
  plane: 'delivery',
  method: 'get',
  path: '/api/picture',
  summary: 'Everything that a page needs to show an image',
  example: { query: { path: 'acme/v1/logos/logo.svg' } },
  description:
    'Width, height, alternative text, placeholders, colours and a ladder of sizes by URLs that are kept for a year, and the tags that say so. Open to all, as the image is.',
  access: 'public',
  envelope: 'standard',
  query: z.object({
    path: z
      .string()
      .describe('The image: `<zone>/v1/…`, maybe with `@<commit>/` or `@~<preview>/` before it'),
    t: z
      .string()
      .regex(/^\d{1,5}(?:\.\d{1,3})?$/u, 'must be seconds with at most 3 decimals')
      .optional()
      .describe('Which moment of a video is shown, in seconds'),
    ...shown,
  }),
  responses: {
    200: { description: 'The image', schema: picture },
    304: { description: 'The client has it already' },
    403: { description: 'The zone has images made for signed URLs alone' },
    404: { description: 'No such image' },
    422: { description: 'Not an image that can be worked on' },
  },
}).handledBy(
  (dependencies: ResponsiveImageDependencies) =>
    async ({ query: { path, t, ...options }, request, caller, respond }) => {
      const { asset, version, poster } = await shownAsset(path, { request, caller }, dependencies)
      const seconds = t === undefined ? undefined : Number(t)
      const asking = { ...askingOf(request, caller, dependencies), version, seconds }
      const seen = seconds === undefined ? (poster ?? asset) : asset
      const found = await dependencies.described.describe(seen, { ...asking, isAnalysed: true })
      const body = spell(asset, found, options)
      const headers = fieldsOf(asset, body, version)
      const validators = { etag: headers.ETag, lastModified: undefined }
      if (evaluatePreconditions(request, validators) === 'not-modified')
        return new Response(null, { status: 304, headers })
      return respond(200, body, headers)
    },
)

const maxPaths = 100

const getPictures = operation({
  id: 'getPictures',
  plane: 'delivery',
  method: 'post',
  path: '/api/picture',
  summary: 'The same of up to a hundred images',
  example: { body: { Paths: ['acme/v1/logos/logo.svg'] } },
  description:
    'In the order of the paths. What cannot be shown has `Error` in the place of the rest; what nobody has looked at yet has no placeholders.',
  access: 'public',
  envelope: 'standard',
  body: {
    kind: 'json',
    schema: z.object({
      Paths: z.array(z.string().max(2000)).min(1).max(maxPaths),
      Sizes: sizesText.optional(),
      Lang: language.optional(),
    }),
  },
  responses: {
    200: {
      description: 'The images',
      schema: z.object({
        Pictures: z.array(
          z.union([
            picture,
            z.object({
              Path: z.string(),
              Error: z.string().describe('A code, as refusals have it'),
            }),
          ]),
        ),
      }),
    },
  },
}).handledBy(
  (dependencies: ResponsiveImageDependencies) =>
    async ({ body: { Paths, Sizes: sizes, Lang: lang }, request, caller, respond }) => {
      const asking = { ...askingOf(request, caller, dependencies), isAnalysed: false }
      const describe = async (path: string) => {
        try {
          const shownOf = await shownAsset(path, { request, caller }, dependencies)
          const { asset, version, poster = asset } = shownOf
          const found = await dependencies.described.describe(poster, { ...asking, version })
          return spell(asset, found, { sizes, lang })
        } catch (error) {
          if (error instanceof ServiceError) return { Path: path, Error: error.code }
          throw error
        }
      }
      const pictures = []
      // One after another: nobody's page takes the renderer from everybody else's.
      for (const path of Paths) pictures.push(await describe(path))
      return respond(200, { Pictures: pictures })
    },
)

/** Maybe as a commit has it, or as a preview shows it. */
interface ShownAsset {
  readonly asset: AssetRecord
  readonly version: string | undefined
  /** Of a video the image that is stored for it. */
  readonly poster: AssetRecord | undefined
}

async function shownAsset(
  text: string,
  { request, caller }: Pick<Call, 'request' | 'caller'>,
  dependencies: ResponsiveImageDependencies,
): Promise<ShownAsset> {
  const { version, text: named } = versionIn(text, request, dependencies)
  const path = parsePathAt(named, request, dependencies)
  const wanted = { version, paths: [path, ...posterPaths(path)], isSigned: false } as const
  const delivered = await dependencies.pinned.from({ ...wanted, address: caller.ip })
  const asset = deliveredAsset(delivered, path, { isSigned: false, target: 'path' })
  requireShown(asset.path, request, dependencies)
  if (dependencies.modeOf(asset.zone) === 'signed')
    throw new ServiceError(
      'TransformNotAllowed',
      'Images of this zone are made for signed URLs alone',
    )
  return { asset, version, poster: posterOf(asset, delivered) }
}

const askingOf = (request: Request, caller: Caller, { baseUrl }: ResponsiveImageDependencies) => ({
  baseUrl: baseUrlOf(request, baseUrl),
  signal: request.signal,
  payer: { address: caller.ip, isOperator: isOperator(caller) },
})

const usualLanguage = 'en'

interface Options {
  readonly sizes?: string | undefined
  readonly lang?: string | undefined
}

function spell(
  asset: AssetRecord,
  found: DescribedImage,
  { sizes = '100vw', lang }: Options,
): z.infer<typeof picture> {
  const { alt, placeholder, sources } = found
  const text = alt[lang ?? usualLanguage] ?? alt[usualLanguage] ?? Object.values(alt)[0] ?? ''
  const markup = { image: found, alt: text, sizes, placeholder }
  return {
    Path: asset.path,
    Width: found.width,
    Height: found.height,
    Animated: found.isAnimated,
    Alt: { ...alt },
    ...lookOf(found),
    Src: found.src,
    Srcset: srcsetOf(neededBy(sizes, sources)) ?? null,
    Sources: sources.map(({ width, height, url }) => ({ Width: width, Height: height, Url: url })),
    Img: imageTag(markup),
    Picture: tagByFormat(markup),
  }
}

const lookOf = ({ thumbHash, blurHash, placeholder, colors, focalPoint }: DescribedImage) => ({
  Thumbhash: thumbHash ?? null,
  Blurhash: blurHash ?? null,
  Placeholder: placeholder ?? null,
  Colors: colors.map(({ hex, name, share }) => ({ hex, name, share })),
  FocalPoint: focalPoint ?? null,
})

function fieldsOf(asset: AssetRecord, body: z.infer<typeof picture>, version: string | undefined) {
  const tags = [...surrogateTagsOf(asset), ...dependencyTagsOf(asset.path)]
  const digest = new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest('base64url')
  return {
    ETag: `"${digest}"`,
    ...describedVersionFields(version, cacheLifetimes.image),
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Tag': tags.join(','),
    'Surrogate-Key': tags.join(' '),
  }
}

/** `/api/picture`. */
export const responsiveImageOperations: readonly HandledOperation<ResponsiveImageDependencies>[] = [
  getPicture,
  getPictures,
]
