import { z } from 'zod'

import { encodePath } from '../../domain/content/asset-path.ts'
import type { Found, Search } from '../../domain/search/search.ts'
import { grounds } from '../../domain/search/found-by.ts'
import { tidyQuestion } from '../../domain/search/words/words.ts'
import { operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { networkOf } from '../../lib/net/address-list.ts'
import { baseUrlOf } from '../caller.ts'
import { counted } from '../../lib/text/visible-text.ts'

export interface SearchDependencies {
  readonly search: Search
  readonly baseUrl: string | undefined
}

const score = z
  .string()
  .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/u, 'must be a number from 0 to 1')
  .transform(Number)
  .meta({ type: 'number', minimum: 0, maximum: 1 })

const query = z.object({
  q: z
    .string('must say what to look for')
    .transform(tidyQuestion)
    .refine((question) => question !== '', 'must say what to look for')
    .describe('In plain words; the first 300 characters count'),
  limit: clampedInteger({ min: 1, max: 50, default: 20 }),
  project: z.string().optional().describe('Exactly this zone'),
  category: z.string().optional().describe('Exactly this category'),
  format: z.string().optional().describe('Exactly this file extension'),
  minScore: score
    .optional()
    .describe(
      'Only what scores at least this; `0` shows whatever is nearest. Without it at most five are shown that hardly fit',
    ),
})

const confidence = z.enum(['high', 'medium', 'low'])

const result = z.object({
  name: z.string(),
  path: z.string().describe('`<zone>/v1/<category>/<file>`'),
  project: z.string(),
  category: z.string(),
  format: z.string(),
  size: z.int().describe('Bytes'),
  score: z.number().min(0).max(1).describe('How well it fits, with three decimals'),
  confidence: confidence.describe(
    'How sure it is that this is what was meant; what is `low` is only nearer than all else',
  ),
  foundBy: z
    .array(z.enum(grounds))
    .describe(
      'What about it is like what was looked for: its name, what persons say of it, what is written in it (`text`), what a model sees (`vision`), colours and shape (`image`), or its meaning',
    ),
  type: z.string().describe('Content type'),
  url: z.url(),
})

const searchResponse = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  results: z.array(result).describe('The best first'),
  query: z.string().describe('What was looked for'),
  count: z.int(),
  limit: z.int().describe('The `limit` that was used'),
  mode: z
    .enum(['vector', 'hybrid', 'fuzzy'])
    .describe('Whether meaning, meaning and names, or names alone decided'),
  matched: z
    .int()
    .describe('How many of the results probably are what was meant; those are not `low`'),
  confidence: confidence.describe('How sure it is that the first result is what was meant'),
  degraded: z.boolean().describe('Whether meaning should have counted for every asset and did not'),
})

/** `GET /api/search`. */
export const searchOperation = operation({
  id: 'search',
  plane: 'search',
  method: 'get',
  path: '/api/search',
  summary: 'Find assets by what they are',
  example: { query: { q: 'round logo', limit: 5 } },
  description:
    'Looks for assets by meaning and by name, spelling mistakes included. An exact path or file name comes first. What is private, or in a disabled or suspended zone, is never found.',
  access: 'public',
  envelope: 'flat',
  rateLimits: ['search'],
  query,
  answeredBy: 'any node',
  responses: { 200: { description: 'What fits, the best first', schema: searchResponse } },
}).handledBy(
  ({ search, baseUrl }: SearchDependencies) =>
    async ({ query: { q, limit, format, project, ...rest }, request, caller, respond }) => {
      const { results, isDegraded, ...about } = await search.search({
        ...rest,
        question: q,
        limit,
        zone: project,
        format: format?.toLowerCase(),
        zones: caller.zones,
        network: networkOf(caller.ip),
      })
      const base = baseUrlOf(request, baseUrl)
      return respond(
        200,
        {
          HttpCode: 200,
          Message: messageOf(results.length, about.matched),
          results: results.map((found) => resultOf(found, base)),
          query: q,
          count: results.length,
          limit,
          ...about,
          degraded: isDegraded,
        },
        { 'Cache-Control': 'no-store' },
      )
    },
)

/** Something is always nearest: what hardly fits is none of the finds. */
const messageOf = (count: number, matched: number): string => {
  if (matched > 0) return counted(matched, 'asset')
  return count === 0
    ? 'Nothing matches'
    : `Nothing matches; ${counted(count, 'asset')} come nearest`
}

const resultOf = ({ asset, foundBy, ...about }: Found, base: string): z.infer<typeof result> => ({
  name: asset.name,
  path: asset.path,
  project: asset.zone,
  category: asset.category,
  format: asset.format,
  size: asset.sizeBytes,
  ...about,
  foundBy: [...foundBy],
  type: asset.contentType,
  url: `${base}/${encodePath(asset.path)}`,
})
