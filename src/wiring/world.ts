import type { Config } from '../config/config.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/otlp/telemetry.ts'
import type { OneTimeSecrets } from '../lib/secrets/one-time-secrets.ts'
import type { UnderWay } from '../lib/under-way.ts'
import type { BlobStore } from '../ports/content/blob-store.ts'
import type { Connections } from '../server/connections.ts'

/** What the world around the service is made of; tests bring their own. */
export interface World {
  readonly config: Config
  readonly log: Log
  readonly now: () => Date
  readonly newId: () => string
  readonly monotonicMs: () => number
  /** Called once where nothing but a restart helps, e.g. after a failed fsync. */
  readonly onFatal: (cause: unknown) => void
  /** Where there is a terminal: what lets whoever sits there in. */
  readonly signInLinks?: OneTimeSecrets
  /** What is known of how much went over the connections of this process. */
  readonly connections?: Connections
  /** Told what is being done, for whoever finds that a turn of the loop took long. */
  readonly underWay?: UnderWay
  /** Where what this process does is reported, if anywhere. */
  readonly telemetry?: Telemetry | undefined
  /** In a cluster, the right by which this node writes, and the stores that it has open already. */
  readonly writing?: ClusterWriting
}

export interface ClusterWriting {
  readonly epoch: number
  readonly blobs: BlobStore
  /** Where the packs lie that other nodes need. */
  readonly packs: BlobStore
}
