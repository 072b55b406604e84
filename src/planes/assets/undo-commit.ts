import { z } from 'zod'

import type { CommitReversals } from '../../domain/content/past/commit-reversals.ts'
import { operation } from '../../http/operation.ts'
import { counted } from '../../lib/text/visible-text.ts'
import { actorOf } from '../caller.ts'
import { dryRunBody, dryRunFields, dryRunJson, dryRunQuery, isDryRunOf } from '../dry-run.ts'
import { requireScope } from '../required-scope.ts'

/** So many paths are named; all of them are counted. */
const namedPathCount = 1000

/** `POST /api/assets/undo`. */
export const undoCommit = operation({
  id: 'undoCommit',
  plane: 'assets',
  method: 'post',
  path: '/api/assets/undo',
  summary: 'Take back what one commit did to files',
  description:
    'Whatever it stored, moved, copied, deleted or said of files is as before, in one commit more, which can be taken back the same way. The redirects that a move left go too. Where a file was changed since, nothing is done. A token for it has `storage:read` too.',
  access: { keys: ['access'], scope: 'storage:write', session: true },
  envelope: 'standard',
  query: z.object(dryRunQuery),
  body: {
    kind: 'json',
    schema: z.object({
      Commit: z
        .string()
        .regex(/^[0-9a-f]{7,40}$/u, 'must be a commit id, or the first digits of it, at least 7')
        .describe('`Commit` of what changed the files'),
      ...dryRunBody,
    }),
  },
  responses: {
    200: {
      description: 'Taken back',
      schema: z.object({
        HttpCode: z.literal(200),
        Message: z.string(),
        Commit: z.string().nullable().describe('`null` of a dry run, and where all is as before'),
        Added: z.int(),
        Changed: z.int(),
        Removed: z.int(),
        Paths: z.array(z.string()).describe(`At most ${namedPathCount} of them`),
        EdgeStatus: z.literal('purging'),
        ...dryRunFields,
      }),
    },
  },
}).handledBy(
  ({ reversals }: { readonly reversals: CommitReversals }) =>
    async ({ query, body, caller, respond }) => {
      requireScope(caller, 'storage:read', 'To take a commit back')
      const isDryRun = isDryRunOf(query, body)
      const request = { commit: body.Commit, isDryRun }
      const { commitId, added, changed, removed } = await reversals.apply(request, actorOf(caller))
      const paths = [...added, ...changed, ...removed]
      const what = counted(paths.length, 'file')
      return respond(200, {
        HttpCode: 200,
        Message: isDryRun ? `Nothing was changed: dry run of ${what}` : `As before: ${what}`,
        Commit: commitId ?? null,
        Added: added.length,
        Changed: changed.length,
        Removed: removed.length,
        Paths: paths.slice(0, namedPathCount),
        EdgeStatus: 'purging',
        ...dryRunJson(isDryRun),
      })
    },
)
