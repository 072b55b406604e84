import { z } from 'zod'

import type { RuleVersions } from '../../domain/content/rules/rule-versions.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import type { Version } from '../../ports/content/content-store.ts'
import { actorOf } from '../caller.ts'
import { file } from './rule-schemas.ts'

export interface RuleVersionsDependencies {
  readonly versions: RuleVersions
}

const common = {
  plane: 'core',
  envelope: 'standard',
  access: { keys: ['account'], scope: 'rules:read', session: true },
} as const

const zone = z.string().optional().describe('Whose own file it is; left out, it is for all zones')
const commit = z
  .string()
  .regex(/^[0-9a-f]{40}$/u, 'must be a commit id, 40 digits of lower-case hex')

const version = z.object({
  Commit: z.string(),
  Subject: z.string(),
  Author: z.string().describe('The id of a credential, or who committed by other means'),
  DateCommitted: z.iso.datetime(),
  Change: z.enum(['stored', 'deleted']),
})

const versionJson = ({ id, request, committedAt, file: content }: Version) => ({
  Commit: id,
  Subject: request.subject,
  Author: request.author,
  DateCommitted: committedAt.toISOString(),
  Change: content === undefined ? ('deleted' as const) : ('stored' as const),
})

const listRuleVersions = operation({
  ...common,
  id: 'listRuleVersions',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/core/rules/versions',
  summary: 'List the versions of an edge rule file',
  description:
    'The commits that changed it. A token for some zones sees those of the zone’s own files alone.',
  example: { query: { file: '_headers' } },
  query: z.object({
    file,
    zone,
    limit: clampedInteger({ min: 1, max: 200, default: 50, description: 'Versions' }),
  }),
  responses: {
    200: {
      description: 'The versions',
      schema: z.object({ Versions: z.array(version).describe('Newest first') }),
    },
  },
}).handledBy(({ versions }: RuleVersionsDependencies) => async ({ query, caller, respond }) => {
  const wanted = { file: query.file, zone: query.zone }
  const found = await versions.list(wanted, query.limit, actorOf(caller))
  return respond(200, { Versions: found.map(versionJson) })
})

const getRuleVersion = operation({
  ...common,
  id: 'getRuleVersion',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/core/rules/versions/{commit}',
  summary: 'Read an edge rule file as a commit left it',
  params: z.object({ commit }),
  query: z.object({ file, zone }),
  responses: {
    200: {
      description: 'The text; empty where the commit took the file away',
      schema: z.object({ Commit: z.string(), File: file, Content: z.string() }),
    },
  },
}).handledBy(
  ({ versions }: RuleVersionsDependencies) =>
    async ({ params, query, caller, respond }) => {
      const wanted = { file: query.file, zone: query.zone }
      const Content = await versions.textAt(wanted, params.commit, actorOf(caller))
      return respond(200, { Commit: params.commit, File: query.file, Content })
    },
)

/** `/api/core/rules/versions`. */
export const ruleVersionOperations: readonly HandledOperation<RuleVersionsDependencies>[] = [
  listRuleVersions,
  getRuleVersion,
]
