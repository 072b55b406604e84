import { z } from 'zod'

import type { DocumentationSearch } from '../../domain/assistant/knowledge/documentation-search.ts'
import { tidyQuestion } from '../../domain/search/words/words.ts'
import { operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import { counted } from '../../lib/text/visible-text.ts'
import { baseUrlOf } from '../caller.ts'

export interface DocumentationSearchDependencies {
  readonly documentation: DocumentationSearch
  readonly baseUrl: string | undefined
}

const query = z.object({
  q: z
    .string('must say what to look for')
    .transform(tidyQuestion)
    .refine((question) => question !== '', 'must say what to look for')
    .describe('A question, words, or how words begin; the first 300 characters count'),
  limit: clampedInteger({ min: 1, max: 20, default: 8 }),
})

const result = z.object({
  page: z.string().describe('The title of the page'),
  heading: z.string().describe('The heading below which it is said; empty at the top of a page'),
  text: z.string().describe('What is said there, without marks'),
  url: z.url().describe('The page, at the heading'),
})

const response = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  results: z.array(result).describe('The best first, each page once'),
  query: z.string().describe('What was looked for'),
  count: z.int(),
  degraded: z.boolean().describe('Whether meaning should have counted and did not'),
})

/** `GET /api/docs/search`. */
export const searchDocumentation = operation({
  id: 'searchDocumentation',
  plane: 'search',
  method: 'get',
  path: '/api/docs/search',
  summary: 'Find pages of the documentation',
  example: { query: { q: 'what is a zone?' } },
  description:
    'Looks through the documentation that comes with this version, by words, by how headings begin and by meaning; where there is no model, by words alone. Each page and each operation is named once, at the heading that fits best.',
  access: 'public',
  envelope: 'flat',
  rateLimits: ['search'],
  query,
  responses: { 200: { description: 'Pages, the best first', schema: response } },
}).handledBy(
  ({ documentation, baseUrl }: DocumentationSearchDependencies) =>
    async ({ query: { q, limit }, request, respond }) => {
      const { pages, isDegraded } = await documentation.find(q, { limit })
      const base = baseUrlOf(request, baseUrl)
      return respond(
        200,
        {
          HttpCode: 200,
          Message: counted(pages.length, 'page'),
          results: pages.map((page) => ({ ...page, url: `${base}${page.url}` })),
          query: q,
          count: pages.length,
          degraded: isDegraded,
        },
        { 'Cache-Control': isDegraded ? 'no-store' : cacheLifetimes.documentation },
      )
    },
)
