import { z } from 'zod'

import { encodePath } from '../../domain/content/asset-path.ts'
import type { Found, Search } from '../../domain/search/search.ts'
import { tidyQuestion } from '../../domain/search/words.ts'
import { type Operation, operation, success } from '../../http/operation.ts'
import { clampedInteger } from '../../http/query.ts'
import { baseUrlOf } from '../base-url.ts'
import { counted } from '../../lib/counted.ts'

export interface SearchDependencies {
  readonly search: Search
  readonly baseUrl: string | undefined
}

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
})

const result = z.object({
  name: z.string(),
  path: z.string().describe('`<zone>/v1/<category>/<file>`'),
  project: z.string(),
  category: z.string(),
  format: z.string(),
  size: z.int().describe('Bytes'),
  score: z.number().min(0).max(1).describe('How well it fits, with three decimals'),
  type: z.string().describe('Content type'),
  url: z.url(),
})

const searchAnswer = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  results: z.array(result).describe('The best first'),
  query: z.string().describe('What was looked for'),
  count: z.int(),
  limit: z.int().describe('The `limit` that was used'),
  mode: z
    .enum(['vector', 'hybrid', 'fuzzy'])
    .describe('Whether meaning, meaning and names, or names alone decided'),
  confidence: z
    .enum(['high', 'medium', 'low'])
    .describe('How sure it is that the first result is what was meant'),
  degraded: z.boolean().describe('Whether meaning should have counted for every asset and did not'),
})

/** `GET /api/search`. */
export const searchOperation = ({ search, baseUrl }: SearchDependencies): Operation =>
  operation({
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
    rateLimit: 'search',
    query,
    responses: { 200: { description: 'What fits, the best first', schema: searchAnswer } },
    async handle({ query: { q, limit, project, category, format }, request, caller }) {
      const { results, mode, confidence, isDegraded } = await search.search({
        question: q,
        limit,
        zone: project,
        category,
        format: format?.toLowerCase(),
        zones: caller.zones,
      })
      const base = baseUrlOf(request, baseUrl)
      const answer = success(200, counted(results.length, 'asset'), {
        results: results.map((found) => resultOf(found, base)),
        query: q,
        count: results.length,
        limit,
        mode,
        confidence,
        degraded: isDegraded,
      })
      return Object.assign(answer, { headers: { 'Cache-Control': 'no-store' } })
    },
  })

const resultOf = ({ asset, score }: Found, base: string): z.infer<typeof result> => ({
  name: asset.name,
  path: asset.path,
  project: asset.zone,
  category: asset.category,
  format: asset.format,
  size: asset.sizeBytes,
  score,
  type: asset.contentType,
  url: `${base}/${encodePath(asset.path)}`,
})
