import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { nodeTokenOf } from '../domain/access/derived-key.ts'
import { ServiceError } from '../domain/errors.ts'
import { sessionSecretsOf } from '../wiring/access/access.ts'
import { openEdgeNode, type EdgeNode, type Standby } from '../edge-node/edge-node.ts'
import { StoreUnavailableError } from '../ports/store-unavailable-error.ts'
import { openReadDatabase } from '../wiring/content/cluster-stores.ts'
import { isMeasured } from '../wiring/metrics/measuring.ts'
import { openNodeReads } from '../wiring/reads/node-reads.ts'
import type { RepositoryCopied } from '../wiring/reads/read-parts.ts'
import type { World } from '../wiring/world.ts'

export type StandbyNode = EdgeNode

interface Options extends Omit<Standby, 'openReads'> {
  /** Where the node that writes is reached, if there is one. */
  readonly writer: () => string | undefined
  readonly repository: RepositoryCopied
}

/** Nodes are few, and the next one that writes is there within seconds. */
const maxPauseMs = 500
const memoryBytes = 256 * 2 ** 20
/** For what is made of assets. */
const diskBytes = 4 * 2 ** 30
/** What knows an older state waits so long for the newest before it is served. */
const newestWithinMs = 5_000

/** A node that follows the one that writes as an edge does, with the cluster's own blobs and keys. */
export async function openStandby(world: World, options: Options): Promise<StandbyNode> {
  const { config, ...rest } = world
  const { keys, previousKeys, clusterAddress = '', dataDirectory } = config
  const directory = join(dataDirectory, 'standby')
  await mkdir(directory, { recursive: true })
  return await openEdgeNode(
    {
      ...rest,
      settings: {
        origin: () => requireWriter(options.writer()),
        token: nodeTokenOf(keys.accountKey),
        maxPauseMs,
        name: nodeNameOf(clusterAddress),
        directory,
        diskBytes,
        memoryBytes,
        keepsHost: true,
        baseUrl: config.baseUrl,
        dashboardHost: config.dashboardHost,
        s3Host: config.s3Host,
        previewHost: config.previewHost,
        trustedProxies: config.trustedProxies,
        countryHeader: config.countryHeader,
        signedUrlSecret: keys.signedUrlSecret,
        previousSignedUrlSecret: previousKeys.signedUrlSecret,
        signedUrlMaxAgeSeconds: config.signedUrlMaxAgeSeconds,
        historyPerMinute: config.historyPerMinute,
        transformMode: config.transformMode,
        transformMaxMs: config.transformMaxMs,
        sessionSecrets: sessionSecretsOf(config),
        secretsKeys: [config.secretsKey, config.secretsKeyPrevious].flatMap((key) => key ?? []),
        edgeKeysOverHttp: config.edgeKeysOverHttp,
        hasTls: config.tls !== undefined,
        checksResponses: config.checksResponses,
        isMeasured: isMeasured(config, world.telemetry),
        version: config.version,
      },
    },
    {
      ...options,
      openReads: async (parts) =>
        await openNodeReads(world, {
          ...parts,
          repository: options.repository,
          database: parts.opening.use(await openReadDatabase(world)),
        }),
    },
  )
}

/** Answers once the node may be asked: it knows what is published, maybe as of a moment ago. */
export async function untilKnown({ hasState, caughtUp }: StandbyNode): Promise<void> {
  const patience = hasState ? pause(newestWithinMs, undefined, { ref: false }) : caughtUp
  try {
    await Promise.race([caughtUp, patience])
  } catch (cause) {
    throw new StoreUnavailableError(
      'The node that writes refuses this one: is ACCOUNT_KEY the same on every node?',
      { store: 'metadata', final: false, cause },
    )
  }
}

function requireWriter(address: string | undefined): URL {
  if (address !== undefined) return new URL(address)
  throw new ServiceError('Unavailable', 'No node may write at this moment')
}

/** What the node is called among the edges: `node-10-0-0-1-8788`. */
const nodeNameOf = (address: string): string =>
  `node-${new URL(address).host.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')}`.slice(0, 60)
