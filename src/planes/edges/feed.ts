import { z } from 'zod'

import { requireAllZones } from '../../domain/access/actor.ts'
import type { ChangeFeed, PlacedMessage } from '../../domain/edges/feed/change-feed.ts'
import { parsePosition, positionText } from '../../domain/edges/manifest/manifest-root.ts'
import { invalid } from '../../domain/errors.ts'
import { type Broadcasts, eventFrame } from '../../http/response/broadcasts.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import type { FeedPosition } from '../../ports/edges/replica-store.ts'
import { common } from './access.ts'
import { changeMessage } from './message-schemas.ts'

export interface EdgeFeedDependencies {
  readonly changes: ChangeFeed
  readonly broadcasts: Broadcasts
}

const since = z.string().optional().describe('The position to go on from, `<seq>.<milliseconds>`')
const maxWaitSeconds = 25

const followFeed = operation({
  ...common,
  id: 'followFeed',
  method: 'get',
  path: '/api/edges/feed',
  summary: 'Everything that is published, for edges, as it happens',
  description:
    'Server-Sent Events. The first comes at once: `change`, which leads from `since` to now, or as far as one message goes (then it says that it continues), or `resync` where that is not known any more: then the manifests have to be compared. The id of an event is the position it leads to; `Last-Event-ID` goes before `since`. A client that reads too slowly is cut off.',
  query: z.object({ since }),
  requestHeaders: { 'Last-Event-ID': 'The position to go on from' },
  responses: {
    200: {
      description: 'Events',
      contentType: 'text/event-stream',
      events: { change: changeMessage, resync: z.object({}) },
    },
  },
}).handledBy(({ changes, broadcasts }: EdgeFeedDependencies) => {
  const frameOf = createFrames()
  return async ({ query, request, caller }) => {
    requireAllZones(caller)
    const from = readSince(request.headers.get('last-event-id') ?? query.since)
    const first = changes.since(from)
    return broadcasts.open(request, frameOf(first), (send) =>
      changes.subscribe((placed) => send(frameOf(placed)), first.to),
    )
  }
})

const pollFeed = operation({
  ...common,
  id: 'pollFeed',
  method: 'get',
  path: '/api/edges/changes',
  summary: 'The same, one answer at a time',
  description: `For paths on which streams do not get through. Answers at once where there is something after \`since\`, else once there is, or after \`wait\` seconds (at most ${maxWaitSeconds}) with an empty change.`,
  query: z.object({
    since,
    wait: z.coerce.number().int().optional().describe(`Seconds, 0 to ${maxWaitSeconds}; 0`),
  }),
  responses: {
    200: {
      description: 'The position it leads to, and the message',
      schema: z.object({
        Position: z.string(),
        Kind: z.enum(['change', 'resync']),
        Change: changeMessage.nullable(),
      }),
    },
  },
}).handledBy(({ changes }: EdgeFeedDependencies) => async ({ query, request, caller, respond }) => {
  requireAllZones(caller)
  const from = readSince(query.since)
  const waitMs = Math.min(Math.max(query.wait ?? 0, 0), maxWaitSeconds) * 1000
  if (isNewest(changes, from)) await somethingNew(changes, waitMs, request.signal)
  return respond(200, polled(changes.since(from)))
})

function readSince(text: string | undefined): FeedPosition {
  if (text === undefined) throw invalid('since', 'is required')
  return parsePosition(text, 'since')
}

const isNewest = ({ position }: ChangeFeed, { seq, atMs }: FeedPosition): boolean =>
  position.seq === seq && position.atMs === atMs

async function somethingNew(
  changes: ChangeFeed,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  using _subscription = changes.subscribe(() => resolve())
  const timer = setTimeout(resolve, waitMs)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}

const polled = ({ to, message }: PlacedMessage) => ({
  Position: positionText(to),
  Kind: message.kind,
  Change:
    message.kind === 'change' ? (JSON.parse(message.text) as z.infer<typeof changeMessage>) : null,
})

/** Each message is written once for all who are told of it. */
function createFrames(): (placed: PlacedMessage) => Uint8Array {
  const frameByMessage = new WeakMap<PlacedMessage, Uint8Array>()
  return (placed) => {
    const known = frameByMessage.get(placed)
    if (known !== undefined) return known
    const { to, message } = placed
    const data = message.kind === 'change' ? message.text : '{}'
    const frame = eventFrame(message.kind, positionText(to), data)
    frameByMessage.set(placed, frame)
    return frame
  }
}

/** `/api/edges/feed` and `/api/edges/changes`. */
export const feedOperations: readonly HandledOperation<EdgeFeedDependencies>[] = [
  followFeed,
  pollFeed,
]
