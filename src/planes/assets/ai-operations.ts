import { z } from 'zod'

import type { Catalog } from '../../domain/catalog/catalog.ts'
import { encodePath } from '../../domain/content/asset-path.ts'
import { languageOf } from '../../domain/content/metadata/members.ts'
import { languagesOf } from '../../domain/content/zone-settings.ts'
import { invalid } from '../../domain/errors.ts'
import type { KnownMedia } from '../../domain/media/facts/known-media.ts'
import { smartCrop } from '../../domain/media/recipe/plan/smart-crop.ts'
import {
  type Suggested,
  type Suggestions,
  suggestionSources,
  visionStates,
} from '../../domain/media/sightings/suggestions.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import { safeties } from '../../ports/records/vision/sighting.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { baseUrlOf } from '../caller.ts'
import { takeSuggestions, type TakeSuggestionsDependencies } from './take-suggestions.ts'
import { visibleAsset } from './asset-metadata.ts'
import {
  suggestionOperations,
  type SuggestionsDependencies,
  visionMessages,
} from './suggestions.ts'

interface AiDependencies {
  readonly catalog: Catalog
  readonly media: Pick<KnownMedia, 'analysed'>
  readonly suggestions: Pick<Suggestions, 'all'>
  readonly baseUrl: string | undefined
}

const common = {
  plane: 'assets',
  method: 'post',
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'flat',
} as const

const named = z.object({
  path: z.string().max(4_096).optional().describe('`<zone>/v1/…`'),
  url: z
    .string()
    .max(8_192)
    .optional()
    .describe('The same by its URL here, or by its path with a `/`, instead of `path`'),
})

const answered = { HttpCode: z.literal(200), Message: z.string(), path: z.string() }

const describeImage = operation({
  ...common,
  id: 'suggestAltText',
  path: '/api/ai/alt-text',
  summary: 'An alt text for an image',
  example: { body: { path: 'acme/v1/logos/logo.svg' } },
  description:
    'What persons say of it; else what a model has seen; else what titles, texts and names say. `source` says which. Nothing is asked on the way of this request: what no model has seen yet it sees when nobody waits, so ask again later.',
  body: {
    kind: 'json',
    schema: named.extend({
      language: z.string().optional().describe('BCP 47; the zone’s first where it is left out'),
    }),
  },
  responses: {
    200: {
      description: 'An alt text; empty where there is nothing to say',
      schema: z.object({
        ...answered,
        alt: z.string(),
        altText: z.string().describe('The same'),
        language: z.string(),
        alts: z.record(z.string(), z.string()).describe('In each language that there is'),
        tags: z.array(z.string()),
        text: z.string().describe('What is written in it'),
        source: z.enum(['person', 'none', ...suggestionSources]),
        vision: z.enum(visionStates),
      }),
    },
  },
}).handledBy(({ catalog, suggestions }: AiDependencies) => async ({ body, caller, respond }) => {
  const asset = imageNamed(body, caller, catalog)
  const suggested = await suggestions.all(asset)
  const [first = 'en'] = languagesOf(catalog.zone(asset.zone))
  const language = body.language === undefined ? first : languageOf(body.language, 'language')
  const alts = { ...suggested.alt, ...asset.metadata?.alt }
  const alt = alts[language] ?? ''
  return respond(200, {
    HttpCode: 200,
    Message: visionMessages[suggested.vision],
    path: asset.path,
    alt,
    altText: alt,
    language,
    alts,
    tags: [...(asset.metadata?.tags ?? suggested.tags)],
    text: suggested.text,
    source: sourceOf(alt, language, { asset, suggested }),
    vision: suggested.vision,
  })
})

function sourceOf(
  alt: string,
  language: string,
  { asset, suggested }: { readonly asset: AssetRecord; readonly suggested: Suggested },
) {
  if (asset.metadata?.alt?.[language] !== undefined) return 'person'
  return alt === '' ? 'none' : (suggested.sources.alt ?? 'none')
}

const moderateImage = operation({
  ...common,
  id: 'moderateImage',
  path: '/api/ai/moderate',
  summary: 'Whether an image is fit to be seen by everybody',
  example: { body: { path: 'acme/v1/logos/logo.svg' } },
  description:
    'As a model has seen it, which may be wrong, and may be misled by what is written in the image. Where none has seen it, `safety` is `unknown` and `safe` is null: ask again later.',
  body: { kind: 'json', schema: named },
  responses: {
    200: {
      description: 'What it is taken for',
      schema: z.object({
        ...answered,
        safe: z.boolean().nullable(),
        flagged: z.boolean().describe('Whether a person should look at it'),
        safety: z.enum([...safeties, 'unknown']),
        policy: z.enum(['off', 'flag', 'hold']).describe('Of the zone'),
        vision: z.enum(visionStates),
      }),
    },
  },
}).handledBy(({ catalog, suggestions }: AiDependencies) => async ({ body, caller, respond }) => {
  const asset = imageNamed(body, caller, catalog)
  const { safety, vision } = await suggestions.all(asset)
  return respond(200, {
    HttpCode: 200,
    Message: visionMessages[vision],
    path: asset.path,
    safe: safety === undefined ? null : safety === 'safe',
    flagged: safety === 'borderline' || safety === 'unsafe',
    safety: safety ?? 'unknown',
    policy: catalog.zone(asset.zone)?.moderation ?? 'off',
    vision,
  })
})

const side = z.int().min(1).max(8_192)
const share = z.number()
const box = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
const ratioText = /^(\d{1,4}):(\d{1,4})$/u

const cropImage = operation({
  ...common,
  id: 'smartCropImage',
  path: '/api/ai/smart-crop',
  summary: 'Which part of an image to keep for a ratio of sides',
  example: { body: { path: 'acme/v1/logos/logo.svg', width: 300, height: 200 } },
  description:
    'The largest part with that ratio, around the focal point that persons set, else faces, else what draws the eye. `url` makes it.',
  body: {
    kind: 'json',
    schema: named.extend({
      width: side.optional(),
      height: side.optional(),
      aspectRatio: z
        .string()
        .regex(ratioText, 'must be two whole numbers, e.g. 16:9')
        .optional()
        .describe('In the place of width and height; 1:1 without any of them'),
    }),
  },
  responses: {
    200: {
      description: 'A part of the image, in its own pixels',
      schema: z.object({
        ...answered,
        crop: box,
        width: z.int().describe('Of the whole image'),
        height: z.int(),
        focalPoint: z.object({ x: share, y: share }).describe('The middle of the part'),
        faces: z.array(box),
        source: z.enum(['owner', 'faces', 'saliency', 'center']),
        url: z.url(),
      }),
    },
    422: { description: 'Not an image that can be worked on' },
  },
}).handledBy(
  ({ catalog, media, baseUrl }: AiDependencies) =>
    async ({ body, request, caller, respond }) => {
      const asset = imageNamed(body, caller, catalog)
      const ratio = ratioIn(body)
      const asking = { priority: 'interactive', signal: request.signal } as const
      const facts = await media.analysed(asset, asking)
      const { width, height } = facts.header
      const focused = { ...facts, focalPoint: asset.metadata?.focalPoint }
      const { box: kept, note } = smartCrop(focused, ratio)
      const url = `${baseUrlOf(request, baseUrl)}/api/transform?url=/${encodePath(asset.path)}`
      const sides = `width=${body.width ?? kept.width}&height=${body.height ?? kept.height}`
      const middle = {
        x: rounded((kept.left + kept.width / 2) / width),
        y: rounded((kept.top + kept.height / 2) / height),
      }
      return respond(200, {
        HttpCode: 200,
        Message: `Keep ${kept.width} by ${kept.height} of ${width} by ${height} pixels`,
        path: asset.path,
        crop: { x: kept.left, y: kept.top, width: kept.width, height: kept.height },
        width,
        height,
        focalPoint: middle,
        faces: (facts.analysis?.faces ?? []).map((face) => ({
          x: Math.round(face.left * width),
          y: Math.round(face.top * height),
          width: Math.round(face.width * width),
          height: Math.round(face.height * height),
        })),
        source: sourceByNote[note ?? 'focus-center'],
        url: `${url}&${sides}&fit=cover&gravity=face`,
      })
    },
)

const sourceByNote = {
  'focus-owner': 'owner',
  'focus-face': 'faces',
  'focus-saliency': 'saliency',
  'focus-center': 'center',
} as const

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

interface Sides {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly aspectRatio?: string | undefined
}

function ratioIn({ width, height, aspectRatio }: Sides) {
  if ((width === undefined) !== (height === undefined))
    throw invalid(width === undefined ? 'width' : 'height', 'must be there where the other side is')
  if (width !== undefined && height !== undefined) return { width, height }
  const [across, down] = (aspectRatio ?? '1:1').split(':').map(Number)
  const ratio = { width: across ?? 0, height: down ?? 0 }
  if (ratio.width === 0 || ratio.height === 0) throw invalid('aspectRatio', 'must not have a 0')
  return ratio
}

interface Named {
  readonly path?: string | undefined
  readonly url?: string | undefined
}

/** The asset by its path, or by any URL whose path it is. */
function imageNamed({ path, url }: Named, caller: Caller, catalog: Catalog): AssetRecord {
  if ((path === undefined) === (url === undefined))
    throw invalid('path', 'is what an image is named by, or url is: one of both')
  return visibleAsset(path ?? pathOf(url ?? ''), caller, catalog)
}

function pathOf(url: string): string {
  const parsed = URL.parse(url, 'http://localhost')
  if (parsed === null) throw invalid('url', 'must be a URL, or a path')
  try {
    return decodeURIComponent(parsed.pathname).replace(/^\//u, '')
  } catch (cause) {
    throw invalid('url', 'must be percent-encoded UTF-8', cause)
  }
}

/** `/api/ai`, and what is suggested and flagged. */
export const visionOperations: readonly HandledOperation<
  AiDependencies & SuggestionsDependencies & TakeSuggestionsDependencies
>[] = [...suggestionOperations, takeSuggestions, describeImage, cropImage, moderateImage]
