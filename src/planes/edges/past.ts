import { z } from 'zod'

import { requireAllZones } from '../../domain/access/actor.ts'
import { maxVersionLength } from '../../domain/content/past/version-names.ts'
import type { HandedOutPast } from '../../domain/edges/past/handed-out-past.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { common } from './access.ts'
import { assetRow } from './message-schemas.ts'

export interface EdgePastDependencies {
  readonly handedOutPast: HandedOutPast
}

/** A video may have so many other sizes and subtitles. */
const maxPaths = 1024

const findPast = operation({
  ...common,
  id: 'findPast',
  method: 'post',
  path: '/api/edges/past',
  summary: 'What a former commit has',
  description:
    'Of zones that open their history: the assets at some paths, in their order, or the commit of a moment. What is said of a whole commit id never changes. `~<preview>:<commit>` in place of a commit is what a preview shows.',
  body: {
    kind: 'json',
    schema: z.union([
      z.object({
        Commit: z.string().max(maxVersionLength),
        Paths: z.array(z.string().max(1024)).min(1).max(maxPaths),
      }),
      z.object({ Zone: z.string().max(64), Time: z.iso.datetime() }),
    ]),
  },
  responses: {
    200: {
      description: 'The commit, and what it has',
      contentType: 'application/json',
      schema: z.object({
        commit: z.string().nullable().describe('Its id, or `ambiguous` where several are named'),
        assets: z.array(assetRow.nullable()).optional(),
      }),
    },
  },
}).handledBy(({ handedOutPast }: EdgePastDependencies) => async ({ body, caller }) => {
  requireAllZones(caller)
  const message =
    'Zone' in body
      ? await handedOutPast.moment(body.Zone, new Date(body.Time))
      : await handedOutPast.files(body.Commit, body.Paths)
  return Response.json(message, { headers: { 'Cache-Control': 'no-store' } })
})

/** `/api/edges/past`. */
export const pastOperations: readonly HandledOperation<EdgePastDependencies>[] = [findPast]
