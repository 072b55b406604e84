import { z } from 'zod'

import type {
  RestoredZone,
  ZoneRestorations,
} from '../../../domain/content/past/zone-restorations.ts'
import type { ZoneHistory } from '../../../domain/content/past/zone-history.ts'
import { invalid } from '../../../domain/errors.ts'
import { type HandledOperation, operation } from '../../../http/operation.ts'
import { clampedInteger } from '../../../http/request/query.ts'
import { readMoment, readQueryMoment } from '../../../lib/text/moments.ts'
import { actorOf } from '../../caller.ts'
import { dryRunBody, dryRunFields, dryRunJson, dryRunQuery, isDryRunOf } from '../../dry-run.ts'
import { commit, commitJson } from './zone-commit.ts'
import { zoneParams } from '../zone-schemas.ts'

interface ZoneHistoryShown {
  readonly zoneHistory: ZoneHistory
}

export interface ZoneHistoryDependencies extends ZoneHistoryShown {
  readonly zoneRestorations: ZoneRestorations
}

/** Names of people who pushed are among them. */
const maxAuthorLength = 200

const common = { plane: 'core', envelope: 'standard', params: zoneParams } as const

/** So many paths are named; all of them are counted. */
const namedPathCount = 1000

const named = z.array(z.string()).describe(`At most ${namedPathCount} are named, of all three`)

const restored = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Id: z.string().describe('The zone name'),
  From: z.string().describe('The commit whose files are there again'),
  DateFrom: z.iso.datetime(),
  Commit: z.string().nullable().describe('`null` of a dry run, and where nothing was otherwise'),
  Before: z.string().nullable().describe('The commit before: restoring it takes this back'),
  Added: z.int(),
  Changed: z.int(),
  Removed: z.int(),
  Paths: z.object({ Added: named, Changed: named, Removed: named }),
  EdgeStatus: z.literal('purging'),
  ...dryRunFields,
})

/** `GET /api/core/zones/{id}/history`. */
export const getZoneHistory = operation({
  ...common,
  id: 'getZoneHistory',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/core/zones/{id}/history',
  summary: 'The commits that changed a zone',
  example: { params: { id: 'acme' } },
  description:
    'Newest first, from the commit that made the zone on. Any of them can be restored, and named in `/@<commit>/…` where the zone opens its history.',
  access: { keys: ['account'], scope: 'zones:read', session: true },
  query: z.object({
    limit: clampedInteger({ min: 1, max: 500, default: 50 }),
    before: z.string().optional().describe('`Next` of the page before, or any commit'),
    time: z.string().optional().describe('Those of this moment (RFC 3339) and before it'),
    path: z
      .string()
      .optional()
      .describe('Those that changed a directory or a file of the zone, such as `v1/icons`'),
    author: z
      .string()
      .max(maxAuthorLength)
      .optional()
      .describe('Those of a credential or a name; `session` and `token` mean all of that kind'),
  }),
  responses: {
    200: {
      description: 'The commits',
      schema: z.object({
        Commits: z.array(commit),
        Count: z.int(),
        Limit: z.int(),
        Next: z
          .string()
          .nullable()
          .describe(
            '`before` of the next page; where an author is asked for a page may have few commits, and yet not be the last',
          ),
      }),
    },
  },
}).handledBy(
  ({ zoneHistory }: ZoneHistoryShown) =>
    async ({ params, query: { time, ...wanted }, caller, respond }) => {
      const moment = time === undefined ? undefined : momentOf(readQueryMoment(time), 'time')
      const found = await zoneHistory.commits(params.id, { ...wanted, moment }, actorOf(caller))
      return respond(200, {
        Commits: found.commits.map(commitJson),
        Count: found.commits.length,
        Limit: wanted.limit,
        Next: found.next ?? null,
      })
    },
)

function momentOf(moment: Date | undefined, target: string): Date {
  if (moment === undefined)
    throw invalid(
      target,
      'must be a date with time and offset (RFC 3339), e.g. 2027-01-31T00:00:00Z',
    )
  return moment
}

const restoreZone = operation({
  ...common,
  id: 'restoreZone',
  method: 'post',
  path: '/api/core/zones/{id}/restore',
  summary: 'Put a zone back to what it was',
  example: { params: { id: 'acme' }, body: { Time: '2026-11-01T12:00:00Z', DryRun: true } },
  description:
    'One commit that has the files of a former one, with what was known of them, and moves no byte. It is worked out on the newest state, so whatever was stored meanwhile stays in the history. The settings of the zone and the schema of its fields stay as they are.',
  access: { keys: ['account'], scope: 'zones:write', session: true },
  query: z.object(dryRunQuery),
  body: {
    kind: 'json',
    schema: z.object({
      Commit: z.string().optional().describe('The commit, or the first digits of it, at least 7'),
      Time: z.string().optional().describe('The moment whose commit is meant (RFC 3339)'),
      Prefix: z
        .string()
        .optional()
        .describe('A directory or a file of the zone, such as `v1/icons`; all of it without one'),
      ...dryRunBody,
    }),
  },
  responses: { 200: { description: 'What is otherwise now, or would be', schema: restored } },
}).handledBy(
  ({ zoneRestorations }: ZoneHistoryDependencies) =>
    async ({ params: { id: zone }, query, body, caller, respond }) => {
      const isDryRun = isDryRunOf(query, body)
      const request = { zone, to: toOf(body), prefix: body.Prefix, isDryRun }
      const done = await zoneRestorations.apply(request, actorOf(caller))
      return respond(200, restoredJson(zone, done, isDryRun))
    },
)

function toOf({
  Commit: id,
  Time: time,
}: {
  Commit?: string | undefined
  Time?: string | undefined
}) {
  if ((id === undefined) === (time === undefined))
    throw invalid('body', 'must have either Commit or Time')
  if (id !== undefined) return { commit: id }
  return { moment: momentOf(readMoment(time ?? ''), 'Time') }
}

function restoredJson(
  zone: string,
  { from, before, commitId, added, changed, removed }: RestoredZone,
  isDryRun: boolean,
): z.infer<typeof restored> {
  const counts = `${added.length} added, ${changed.length} changed, ${removed.length} removed`
  const room = { left: namedPathCount }
  const some = (paths: readonly string[]) => {
    const taken = paths.slice(0, room.left)
    room.left -= taken.length
    return taken
  }
  return {
    HttpCode: 200,
    Message: isDryRun
      ? `Zone "${zone}" would be as of ${from.id}: ${counts}`
      : `Zone "${zone}" is as of ${from.id}: ${counts}`,
    Id: zone,
    From: from.id,
    DateFrom: from.committedAt.toISOString(),
    Commit: commitId ?? null,
    Before: before ?? null,
    Added: added.length,
    Changed: changed.length,
    Removed: removed.length,
    Paths: { Added: some(added), Changed: some(changed), Removed: some(removed) },
    EdgeStatus: 'purging',
    ...dryRunJson(isDryRun),
  }
}

/** `/api/core/zones/{id}/history` and `/restore`. */
export const zoneHistoryOperations: readonly HandledOperation<ZoneHistoryDependencies>[] = [
  getZoneHistory,
  restoreZone,
]
