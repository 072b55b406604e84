import { setTimeout as pause } from 'node:timers/promises'

import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { SqlQuotaStore } from '../../adapters/sql/access/sql-quota-store.ts'
import { type Freshness, watchFreshness } from '../../domain/cluster/freshness.ts'
import { type Replica, untilShown } from '../../domain/edges/feed/replica.ts'
import { createApp } from '../../http/app.ts'
import type { ObservedResponse } from '../../http/observed/observed-response.ts'
import { createKeyGuesses } from '../../http/access/key-guesses.ts'
import { createOperationFinder } from '../../http/find-operation.ts'
import { type Positions, wantedPosition } from '../../http/position.ts'
import { trustedProxies } from '../../http/request/client-address.ts'
import { createResponseCheck } from '../../http/response-check.ts'
import { allOperations } from '../../planes/operations.ts'
import { isOfPreview } from '../../planes/previewed.ts'
import { authenticateBy, createOperators, openIdentities } from '../access/access.ts'
import { createLimits } from '../access/limits.ts'
import { createReadEndpoints } from './read-endpoints.ts'
import type { ReadParts, ReadWorld } from './read-parts.ts'
import { openFound } from './read-search.ts'

/** Reads of the interface at a node that does not write. */
export interface NodeReads {
  /** For so long at most something newer may have been published than is shown here. */
  readonly behindMs: number
  /** Whether any node answers this. */
  takes(request: Request): boolean
  /** Answers it here where that is truthful right now; else `askWriter` does, which may reject. */
  fetch(
    request: Request,
    peerAddress: string,
    askWriter: () => Promise<Response>,
  ): Promise<Response>
}

/** Longer than a change of the writing node takes. Whoever wants it newer says from where on. */
const maxBehindMs = 15_000
/** What was revoked must not open anything for longer. */
const maxCredentialsAgeMs = 2_000
/** For a position that a client was just given, more than a change takes to come here. */
const positionPatienceMs = 2_000

export async function openNodeReads(world: ReadWorld, parts: ReadParts): Promise<NodeReads> {
  const { database, catalog, replica, hosts, opening } = parts
  const { config, now } = world
  const identities = await openIdentities(world, {
    database,
    feed: replica.feed,
    published: catalog,
  })
  const operators = createOperators(world, { database }, identities.people)
  const freshness = opening.use(openFreshness(world, parts, identities.keepCurrent))
  const search = openFound(world, parts)
  const served = createReadEndpoints(world, { ...parts, identities, search })
  const app = createApp({
    endpoints: served,
    authenticate: authenticateBy(world, { ...identities, ...operators, hosts }),
    guesses: createKeyGuesses(world),
    rateLimits: createLimits(world, {
      quotas: new SqlQuotaStore(database),
      zoneCount: () => catalog.zones().length,
    }).rates,
    positions: positionsOf(replica, freshness),
    trustedProxies: trustedProxies(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    now,
    newId: world.newId,
    log: world.log,
    underWay: world.underWay,
    ...(config.checksResponses && { responseCheck: createResponseCheck(world.log) }),
  })
  const ids = new Set(served.map(({ id }) => id))
  const find = createOperationFinder(allOperations)
  return {
    get behindMs() {
      return freshness.behindMs
    },
    takes(request) {
      const id = find(request)?.id
      return id !== undefined && ids.has(id) && !isOfPreview(request)
    },
    async fetch(request, peerAddress, askWriter) {
      if (freshness.behindMs > maxBehindMs || !(await isShownHere(request, replica)))
        return await askWriter()
      const own = await app.fill(request, peerAddress)
      if (isUnsure(own, freshness)) {
        await own.response.body?.cancel()
        return await askWriter()
      }
      const better = mayBeOtherwise(own.response) ? await betterOf(askWriter) : undefined
      if (better !== undefined) {
        await own.response.body?.cancel()
        return better
      }
      parts.onResponse(own)
      return own.response
    },
  }
}

/** Whether it was opened by something that may have been revoked; keys are set, and end with the process. */
const isUnsure = ({ found }: ObservedResponse, { credentialsAgeMs }: Freshness): boolean =>
  credentialsAgeMs > maxCredentialsAgeMs &&
  found?.credential !== undefined &&
  found.credential.kind !== 'key'

const unavailable = 503
const tooMany = 429

/** What the node that writes has to say, where there is one. */
async function betterOf(askWriter: () => Promise<Response>): Promise<Response | undefined> {
  const asked = await askWriter().catch(() => undefined)
  if (asked?.status !== unavailable) return asked
  await asked.body?.cancel()
  return undefined
}

/** What is not here may be there already, and a refusal is noted where the log is; only a limit is a node's own. */
const mayBeOtherwise = ({ status }: Response): boolean => status >= 400 && status !== tooMany

const openFreshness = (
  { monotonicMs, log }: ReadWorld,
  { database, replica }: ReadParts,
  readCredentials: () => Promise<void>,
): Freshness => {
  const publications = new SqlPublicationStore(database)
  return watchFreshness({
    newestSeq: async () => (await publications.position()).seq,
    async isShown(seq, patienceMs) {
      await untilShown(replica, seq, patienceMs)
      return (replica.position?.seq ?? -1) >= seq
    },
    readCredentials,
    monotonicMs,
    pause: (milliseconds, signal) =>
      pause(milliseconds, undefined, { signal }).catch(() => undefined),
    onFault: (error) => log.warn('how new this node is could not be found out', { error }),
  })
}

const positionsOf = (replica: Pick<Replica, 'position'>, freshness: Freshness): Positions => ({
  get newest() {
    return replica.position?.seq ?? 0
  },
  get behindMs() {
    return freshness.behindMs
  },
})

/** What a request wants to see at least is waited for a while; one that says nothing readable is refused later. */
async function isShownHere(
  request: Request,
  replica: Pick<Replica, 'position' | 'feed'>,
): Promise<boolean> {
  const wanted = wantedPosition(request)
  if (wanted === undefined) return true
  await untilShown(replica, wanted, positionPatienceMs)
  return (replica.position?.seq ?? 0) >= wanted
}
