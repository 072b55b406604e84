import { X509Certificate } from 'node:crypto'

import { SqlEdgeStore } from '../../adapters/sql/edges/sql-edge-store.ts'
import { SqlWebhookStore } from '../../adapters/sql/webhooks/sql-webhook-store.ts'
import { createHealth, type Health } from '../../domain/health/health.ts'
import { watchHealth } from '../../domain/health/watch-health.ts'
import type { Mirror } from '../../domain/mirror/mirror.ts'
import type { Certificates } from '../certificates.ts'
import type { Media } from '../media.ts'
import { after, probeMirror, probeMirroredFiles } from '../content/mirror.ts'
import { probeImages } from './probe-image.ts'
import { probesOf } from './probes.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Media
  readonly certificates: Pick<Certificates, 'all'>
  readonly probeSearch: () => Promise<void>
  readonly mirror: Mirror | undefined
  readonly opening: AsyncDisposableStack
}

/** Whether each part of the service works; looked at now and then, so that it is known when asked. */
export function openHealth(world: World, opened: Opened): Health {
  const { config, log, monotonicMs, now } = world
  const { stores, publishing, media, certificates, probeSearch, mirror, opening } = opened
  const { renderQueue: queue } = media
  let isOver = false
  const health = createHealth({
    probes: probesOf(stores, publishing, {
      transformer: () => probeImages({ queue, blobs: stores.blobs }),
      search: probeSearch,
      edges: async () => void (await new SqlEdgeStore(stores.database).list()),
      webhooks: async () => void (await new SqlWebhookStore(stores.database).list()),
      certificates: () => probeCertificates(certificates, now),
      mirror: mirror && (() => probeMirror(mirror)),
      'mirrored-files': mirror && (() => probeMirroredFiles(mirror)),
      dataDirectory: config.dataDirectory,
    }),
    monotonicMs,
    // What is closed at the end of the service does not work any more.
    log: { warn: (message, facts) => void (isOver || log.warn(message, facts)) },
  })
  opening.use(watchHealth({ health, isIdle: () => queue.state.queued === 0, after }))
  opening.defer(() => {
    isOver = true
  })
  return health
}

async function probeCertificates(
  certificates: Pick<Certificates, 'all'>,
  now: () => Date,
): Promise<void> {
  const over = certificates
    .all()
    .filter(({ chain }) => new X509Certificate(chain).validToDate < now())
  if (over.length > 0)
    throw new Error(
      `the time of certificates is over: ${over.map((each) => each.hostname).join(', ')}`,
    )
}
