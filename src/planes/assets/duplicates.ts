import { z } from 'zod'

import type { DuplicatesReport } from '../../domain/media/likeness/duplicates.ts'
import { sureDistance } from '../../domain/media/likeness/similar-assets.ts'
import { operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { counted } from '../../lib/text/visible-text.ts'
import { actorOf } from '../caller.ts'
import { similarAsset, spellSimilar } from './similar-assets.ts'

/** `GET /api/assets/duplicates`. */
export const listDuplicates = operation({
  id: 'listDuplicates',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/duplicates',
  summary: 'Images that are there more than once, or nearly',
  description:
    'In path order, each with those behind it that look like it. A page may have fewer groups than asked for, or none, and still lead on.',
  example: { query: { project: 'acme' } },
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query: z.object({
    project: z.string().optional().describe('Exactly this zone'),
    distance: clampedInteger({
      min: 0,
      max: 32,
      default: sureDistance,
      description: 'In how many of 128 bits images may differ',
    }),
    limit: clampedInteger({ min: 1, max: 100, default: 50, description: 'Groups' }),
    after: z.string().max(2000).optional().describe('`Next` of the page before'),
  }),
  responses: {
    200: {
      description: 'One page of groups',
      schema: z.object({
        HttpCode: z.literal(200),
        Message: z.string(),
        Distance: z.int(),
        Groups: z.array(similarAsset.extend({ Similar: z.array(similarAsset) })),
        Next: z.string().nullable(),
      }),
    },
  },
}).handledBy(
  ({ duplicates }: { readonly duplicates: DuplicatesReport }) =>
    async ({ query: { project, ...query }, caller, respond }) => {
      const { groups, next } = await duplicates.find({
        ...query,
        after: query.after,
        zone: project,
        actor: actorOf(caller),
      })
      return respond(200, {
        HttpCode: 200,
        Message: counted(groups.length, 'group'),
        Distance: query.distance,
        Groups: groups.map(({ asset, similar }) => ({
          ...spellSimilar({ asset, distance: 0, isIdentical: true }),
          Similar: similar.map(spellSimilar),
        })),
        Next: next ?? null,
      })
    },
)
