import { z } from 'zod'

import type { PreparedAction } from '../../domain/assistant/knowledge/prepared-action.ts'

/** Something prepared, as its operation takes it; whoever confirms it sends it there. */
export const preparedAction = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('purge').describe('`POST /api/purge` with one of these'),
    urls: z.array(z.string()).optional(),
    tags: z.array(z.string()).optional(),
    purge_everything: z.literal(true).optional(),
  }),
  z.object({
    action: z.literal('transform').describe('`GET /api/transform`'),
    path: z.string().describe('Of an image'),
    parameters: z.record(z.string(), z.string()),
  }),
  z.object({
    action: z.enum(['tag', 'untag']).describe('`POST /api/assets/describe`'),
    paths: z.array(z.string()),
    tags: z.array(z.string()),
  }),
  z.object({
    action: z.literal('redirect').describe('`POST /api/core/rules`'),
    zone: z.string().nullable().describe('Whose own rules; `null` for those of all zones'),
    line: z.string().describe('As it stands in `_redirects`'),
  }),
])

type ActionJson = z.infer<typeof preparedAction>

export const actionsJson = (actions: readonly PreparedAction[]): ActionJson[] => actions.map(json)

/** Only answers that have one say so. */
export const actionFields = (actions: readonly PreparedAction[]): { actions?: ActionJson[] } =>
  actions.length === 0 ? {} : { actions: actionsJson(actions) }

function json(action: PreparedAction): ActionJson {
  if (action.kind === 'purge') return { action: 'purge', ...purgeJson(action.target) }
  if (action.kind === 'redirect')
    return { action: 'redirect', zone: action.zone ?? null, line: action.line }
  return action.kind === 'tag'
    ? { action: action.verb, paths: [...action.paths], tags: [...action.tags] }
    : {
        action: 'transform',
        path: action.path,
        parameters: Object.fromEntries(action.parameters),
      }
}

type PurgeAction = Extract<PreparedAction, { readonly kind: 'purge' }>

function purgeJson(target: PurgeAction['target']) {
  if (target.kind === 'urls') return { urls: [...target.urls] }
  return target.kind === 'tags' ? { tags: [...target.tags] } : { purge_everything: true as const }
}
