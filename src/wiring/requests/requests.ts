import { join } from 'node:path'

import { DiskRequestLogStore } from '../../adapters/disk/request-log/disk-request-log-store.ts'
import { createRequestLog } from '../../domain/logs/requests/request-log.ts'
import { isFromDashboard } from '../../planes/access/from-dashboard.ts'
import type { CloneService } from '../../planes/git/clone-service.ts'
import { repositoryUrlOf } from '../../planes/git/repository-url.ts'
import type { McpService } from '../../planes/mcp/http/mcp-service.ts'
import { createRequestLines, type OtherResponse } from '../../planes/observability/request-lines.ts'
import type { RequestSearchDependencies } from '../../planes/observability/request-search.ts'
import type { S3Response } from '../../planes/s3/s3-service.ts'
import type { ObservedResponse } from '../../http/observed/observed-response.ts'
import type { RequestKind, RequestLine } from '../../ports/traffic/request-log-store.ts'
import { openAccessLog } from './access-log.ts'
import { type Access, sessionSecretsOf } from '../access/access.ts'
import type { Publishing } from '../content/publishing.ts'
import { withPreviewHosts } from '../delivery/host-purposes.ts'
import { openNoting } from '../delivery/request-noting.ts'
import type { Insights } from '../insights.ts'
import type { World } from '../world.ts'

export type Requests = Awaited<ReturnType<typeof openRequests>>

/** What the oldest of goes first, so that no kind takes the room of another. */
const shares: Readonly<Record<RequestKind, number>> = {
  failed: 0.2,
  refused: 0.2,
  missing: 0.1,
  delivered: 0.5,
}

/** A line for each request, in files of the data directory. */
export async function openRequests(world: World, opening: AsyncDisposableStack) {
  const { config, now, newId, log } = world
  const room = config.requestLogMb * 2 ** 20
  const store = opening.use(
    await DiskRequestLogStore.open({
      directory: join(config.dataDirectory, 'logs', 'requests'),
      maxBytes: {
        failed: room * shares.failed,
        refused: room * shares.refused,
        missing: room * shares.missing,
        delivered: room * shares.delivered,
      },
      now: () => now().getTime(),
    }),
  )
  const noting = openNoting(config)
  const name = newId().slice(0, 8)
  const closing = opening.use(new AsyncDisposableStack())
  const requests = createRequestLog({ store, drain: () => noting.tap.drain(), process: name, log })
  // Closed after the log, whose last lines it gets.
  await openAccessLog(world, { requests, opening: closing, process: name })
  opening.use(requests)
  return { store, requests, noting }
}

interface Opened {
  readonly logs: { readonly requests: Requests }
  readonly publishing: Publishing
  readonly insights: Insights
  readonly access: Access
}

/** Notes what the interface responds with, S3 and git among it. */
export function createRequestNoter(world: World, opened: Opened) {
  const { config, now, underWay } = world
  const { factsOf, tap } = opened.logs.requests.noting
  const lines = createRequestLines({
    factsOf,
    manifest: withPreviewHosts(opened.publishing.manifest, config.previewHost),
    countryOf: opened.insights.countryOf,
    isOwn: isFromDashboard(sessionSecretsOf(config)),
    nameOf: createNameOf(opened.access),
    now,
  })
  const noteWith =
    <Answered extends { readonly response: Response }>(
      lineOf: (answered: Answered) => RequestLine,
    ) =>
    (answered: Answered): void => {
      if (tap.takes(answered.response.status)) tap.note(lineOf(answered))
    }
  const noteOther = noteWith((answered: OtherResponse) => lines.ofOther(answered))
  return {
    onResponse: noteWith((answered: ObservedResponse) => lines.ofOperation(answered)),
    onS3Response: noteWith((answered: S3Response) => lines.ofS3(answered)),
    notingAgents: (agents: McpService): McpService => ({
      ...agents,
      async fetch(request, peerAddress) {
        const start = performance.now()
        const response = await agents.fetch(request, peerAddress)
        const milliseconds = performance.now() - start
        noteOther({ request, response, peerAddress, milliseconds, operation: 'mcp', zone: '' })
        return response
      },
    }),
    notingClones: (clones: CloneService): CloneService => ({
      async fetch(request, peerAddress) {
        using _underWay = underWay?.begin('git')
        const start = performance.now()
        const response = await clones.fetch(request, peerAddress)
        const { zone = '' } = repositoryUrlOf(new URL(request.url).pathname)
        const milliseconds = performance.now() - start
        noteOther({ request, response, peerAddress, milliseconds, operation: 'git', zone })
        return response
      },
    }),
  }
}

/** The lines of all processes of this node, for questions. */
export const searchableRequests = ({
  insights,
  logs: {
    requests: { store, requests },
  },
}: Pick<Opened, 'insights' | 'logs'>): RequestSearchDependencies['requests'] => ({
  store,
  async flush() {
    await insights.collectLines()
    await requests.flush()
  },
  watch: (listener) => requests.watch(listener),
  notKept: () => requests.notKept,
})

/** What people call credentials that have a name. */
const createNameOf =
  ({ operations: { tokens } }: Access) =>
  (credentialId: string): string | undefined =>
    credentialId.startsWith('token:')
      ? tokens.byId(credentialId.slice('token:'.length))?.name
      : undefined
