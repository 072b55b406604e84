import { MemoryEdgeStore } from '../../src/adapters/memory/edges/memory-edge-stores.ts'
import { openEdgeRegistry } from '../../src/domain/edges/edge-registry.ts'
import { feedEntry, openTestOrigin } from '../../src/domain/edges/fixtures/edge-world.ts'
import { manifestRoot, positionText } from '../../src/domain/edges/manifest/manifest-root.ts'
import type { PlacedMessage } from '../../src/domain/edges/feed/change-feed.ts'
import { createBroadcasts, eventFrame } from '../../src/http/response/broadcasts.ts'
import { assetAt, zoneOf } from '../../src/ports/content/publication-store.contract.ts'
import type { FeedEntry, NewFeedEntry } from '../../src/ports/records/feed.ts'
import type { FeedPosition } from '../../src/ports/edges/replica-store.ts'
import type { Random } from '../support/random.ts'
import type { SimulatedClock } from './simulated-clock.ts'

const zones = 10
const pathsOfZone = 15
/** So few entries are remembered that who is away for minutes has to compare manifests. */
const maxRecent = 400
/** So little may wait that who reads slowly is cut off. */
const maxWaitingBytes = 32 * 1024
const startsInMs = 5_000
const startedAtMs = 1_790_000_000_000

/** What an entry of the feed makes older, as the ledger of the simulation knows it. */
export interface Announced {
  readonly atMs: number
  readonly isPurge: boolean
  /** Whose asset came, went or changed. */
  readonly path: string | undefined
  readonly isOlder: (path: string) => boolean
}

/** The real parts of an origin, what it published when, and what it cost to tell of it. */
export interface SimulatedOrigin extends AsyncDisposable {
  readonly paths: readonly string[]
  readonly position: FeedPosition
  /** SHA-256 of what a path had at a number of the feed; `undefined` where nothing. */
  shaAt(path: string, seq: number): string | undefined
  announced(seq: number): Announced | undefined
  /** What all that is published hashes to. */
  root(): Promise<string>
  publish(random: Random): Promise<void>
  /** Ends all streams and answers nobody for some seconds. */
  restart(): void
  open(since: FeedPosition): ReadableStream<Uint8Array> | undefined
  readonly isAway: boolean
  readonly parts: ReturnType<typeof openTestOrigin>['parts']
  readonly registry: Awaited<ReturnType<typeof openEdgeRegistry>>
  readonly cost: {
    publications: number
    computedMs: number
    frameBytes: number
    largestFrame: number
  }
}

const pathOf = (zone: number, file: number) => `zone-${zone}/v1/icons/${file}.svg`
const shaOf = (random: Random) =>
  Array.from({ length: 8 }, () =>
    random
      .integer(0, 2 ** 32 - 1)
      .toString(16)
      .padStart(8, '0'),
  ).join('')

export async function openSimulatedOrigin(clock: SimulatedClock): Promise<SimulatedOrigin> {
  const origin = openTestOrigin({ maxRecent })
  const ledger = createLedger()
  const cost = { publications: 0, computedMs: 0, frameBytes: 0, largestFrame: 0 }
  const now = () => new Date(startedAtMs + clock.nowMs)
  const registry = await openEdgeRegistry({
    store: new MemoryEdgeStore(),
    now,
    log: { warn: (message) => console.warn(message) },
  })
  const frameOf = createFrames((bytes) => {
    cost.frameBytes += bytes
    cost.largestFrame = Math.max(cost.largestFrame, bytes)
  })
  // Its own signs of life would come by the clock of this machine.
  const openBroadcasts = () => createBroadcasts({ heartbeatMs: 2 ** 30, maxWaitingBytes })
  let broadcasts = openBroadcasts()
  let isAway = false
  const paths = Array.from({ length: zones * pathsOfZone }, (_, place) =>
    pathOf(place % zones, Math.floor(place / zones)),
  )

  async function publish(random: Random): Promise<void> {
    const chosen = chooseNews({
      random,
      paths,
      has: (path) => origin.published.asset(path) !== undefined,
    })
    const { entries, ...publication } = chosen
    const startedMs = performance.now()
    const at = now()
    const told = await origin.publish(
      publication,
      entries.map((entry) => ({ ...entry, at })),
    )
    cost.computedMs += performance.now() - startedMs
    cost.publications += 1
    ledger.note(told, { origin, nowMs: clock.nowMs })
  }

  await origin.publish(
    { zones: Array.from({ length: zones }, (_, zone) => zoneOf(`zone-${zone}`)) },
    Array.from({ length: zones }, (_, zone) => feedEntry('zone.created', { zone: `zone-${zone}` })),
  )
  return {
    paths,
    get position() {
      return origin.changes.position
    },
    get isAway() {
      return isAway
    },
    shaAt: ledger.shaAt,
    announced: ledger.announced,
    async root() {
      const standing = { position: origin.changes.position, isCurrent: true }
      return (await manifestRoot(origin.parts, standing)).sha256
    },
    publish,
    restart() {
      isAway = true
      broadcasts.closeAll()
      broadcasts = openBroadcasts()
      clock.after(startsInMs, () => void (isAway = false))
    },
    open(since) {
      const request = new Request('http://origin.test/api/edges/feed')
      const first = origin.changes.since(since)
      const response = broadcasts.open(request, frameOf(first), (send) =>
        origin.changes.subscribe((placed) => send(frameOf(placed)), first.to),
      )
      return response.body ?? undefined
    },
    parts: origin.parts,
    registry,
    cost,
    async [Symbol.asyncDispose]() {
      broadcasts.closeAll()
      await registry[Symbol.asyncDispose]()
    },
  }
}

interface World {
  readonly random: Random
  readonly paths: readonly string[]
  readonly has: (path: string) => boolean
}

/** Some files that change, come or go together, and at times a purge or new rules. */
function chooseNews({ random, paths, has }: World) {
  const chosen = new Set(
    Array.from(
      { length: random.integer(1, 8) },
      () => paths[random.integer(0, paths.length - 1)] ?? '',
    ),
  )
  const going = [...chosen].filter((path) => has(path) && random.integer(0, 9) === 0)
  const coming = [...chosen].filter((path) => !going.includes(path))
  const entries: NewFeedEntry[] = [
    ...coming.map((path) => assetEntry(has(path) ? 'asset.updated' : 'asset.created', path)),
    ...going.map((path) => assetEntry('asset.deleted', path)),
  ]
  if (random.integer(0, 3) === 0)
    entries.push(feedEntry('purge.completed', { data: purgeOf(random, paths) }))
  const rules = {
    name: '_headers',
    content: `/*\n  X-N: ${random.integer(0, 99)}\n`,
    changedAt: new Date(0),
  } as const
  const hasRules = random.integer(0, 49) === 0
  if (hasRules) entries.push(feedEntry('rules.updated'))
  return {
    assets: coming.map((path) => assetAt(path, { sha256: shaOf(random) })),
    removedAssets: going,
    ruleFiles: hasRules ? [rules] : [],
    entries,
  }
}

const zoneOfPath = (path: string) => path.slice(0, path.indexOf('/'))
const assetEntry = (event: 'asset.created' | 'asset.updated' | 'asset.deleted', path: string) =>
  feedEntry(event, { path, zone: zoneOfPath(path) })

function purgeOf(random: Random, paths: readonly string[]): Record<string, unknown> {
  const path = paths[random.integer(0, paths.length - 1)] ?? ''
  const soft = random.integer(0, 1) === 0
  const kind = random.integer(0, 19)
  if (kind === 0) return { everything: true, soft }
  return kind < 5 ? { zones: [zoneOfPath(path)], soft } : { urls: [`/${path}`], soft }
}

function createLedger() {
  const shasByPath = new Map<
    string,
    { readonly seq: number; readonly sha256: string | undefined }[]
  >()
  const announcedBySeq = new Map<number, Announced>()
  return {
    shaAt: (path: string, seq: number) =>
      shasByPath.get(path)?.findLast((known) => known.seq <= seq)?.sha256,
    announced: (seq: number) => announcedBySeq.get(seq),
    note(
      entries: readonly FeedEntry[],
      {
        origin,
        nowMs,
      }: { readonly origin: ReturnType<typeof openTestOrigin>; readonly nowMs: number },
    ): void {
      const first = entries[0]?.seq ?? 0
      for (const entry of entries) {
        const { path } = entry
        const isPurge = entry.event === 'purge.completed'
        announcedBySeq.set(entry.seq, { atMs: nowMs, isPurge, path, isOlder: olderOf(entry) })
        if (path === undefined) continue
        const known = shasByPath.get(path) ?? []
        known.push({ seq: first, sha256: origin.published.asset(path)?.sha256 })
        shasByPath.set(path, known)
      }
    },
  }
}

/** Said anew here, so that the rules of the edge are held to something else than themselves. */
function olderOf({ event, path, data }: FeedEntry): Announced['isOlder'] {
  if (path !== undefined) return (other) => other === path
  if (event === 'rules.updated' || data['everything'] === true) return () => true
  const urls = (data['urls'] ?? []) as readonly string[]
  const names = (data['zones'] ?? []) as readonly string[]
  return (other) => urls.includes(`/${other}`) || names.includes(zoneOfPath(other))
}

/** Each message is written once for all who are told of it, as the operation does. */
function createFrames(onWritten: (bytes: number) => void): (placed: PlacedMessage) => Uint8Array {
  const frameByMessage = new WeakMap<PlacedMessage, Uint8Array>()
  return (placed) => {
    const known = frameByMessage.get(placed)
    if (known !== undefined) return known
    const { to, message } = placed
    const frame = eventFrame(
      message.kind,
      positionText(to),
      message.kind === 'change' ? message.text : '{}',
    )
    frameByMessage.set(placed, frame)
    onWritten(frame.length)
    return frame
  }
}
