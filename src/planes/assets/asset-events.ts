import { z } from 'zod'

import { reaches } from '../../domain/access/actor.ts'
import type { EventStreams } from '../../http/response/event-streams.ts'
import { operation } from '../../http/operation.ts'
import type { Feed } from '../../ports/records/manifest.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'

export interface AssetEventsDependencies {
  readonly feed: Pick<Feed, 'subscribe'>
  readonly eventStreams: EventStreams
}

const published = z.object({
  seq: z.int(),
  at: z.iso.datetime(),
  changes: z.array(
    z.object({ event: z.string(), path: z.string(), commit: z.string().nullable() }),
  ),
})

const events: ReadonlySet<string> = new Set(['asset.created', 'asset.updated', 'asset.deleted'])

/** `GET /api/assets/events`. */
export const watchAssets = operation({
  id: 'watchAssets',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/events',
  summary: 'What becomes live, as it does',
  description:
    'Server-Sent Events called `published`: `{seq, at, changes: [{event, path, commit}]}`, told once this node delivers what they tell of. `event` is `asset.created`, `asset.updated` or `asset.deleted`.',
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query: z.object({ project: z.string().optional().describe('Exactly this zone') }),
  responses: {
    200: { description: 'Events', contentType: 'text/event-stream', events: { published } },
  },
}).handledBy(
  ({ feed, eventStreams }: AssetEventsDependencies) =>
    async ({ query: { project }, caller, request }) => {
      const isTold = ({ event, zone }: FeedEntry): boolean =>
        events.has(event) &&
        zone !== undefined &&
        (project === undefined || zone === project) &&
        reaches(caller, zone)
      return eventStreams.open(request, (send) =>
        feed.subscribe((entries) => {
          const told = entries.filter(isTold)
          const last = told.at(-1)
          if (last === undefined) return
          send('published', {
            seq: last.seq,
            at: last.at.toISOString(),
            changes: told.map(({ event, path, commitId }) => ({
              event,
              path,
              commit: commitId ?? null,
            })),
          })
        }),
      )
    },
)
