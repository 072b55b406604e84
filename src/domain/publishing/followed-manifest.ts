import type { DomainStore } from '../../ports/domains/domain-store.ts'
import type { Feed, Manifest } from '../../ports/records/manifest.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { PreviewStore } from '../../ports/previews/preview-store.ts'
import type { PublicationStore } from '../../ports/content/publication-store.ts'
import type { RuleFileName, ZoneRecord } from '../../ports/records/zone.ts'

/** What is published, kept in memory by a worker beside the process that publishes (decisions/029). */
export interface FollowedManifest extends Manifest, Pick<Feed, 'subscribe'> {
  /** Brings it to where the store is now. Rejects where the store cannot be read; ask again later. */
  catchUp(): Promise<void>
  all(): Iterable<AssetRecord>
  /** At this moment, by the clock that was passed in, it was known to show all that was published. */
  readonly confirmedAtMs: number
}

interface Dependencies {
  readonly store: Pick<
    PublicationStore,
    'position' | 'assets' | 'assetsAt' | 'zones' | 'ruleFiles' | 'erased' | 'feedAfter'
  >
  readonly domains: Pick<DomainStore, 'list'>
  readonly previews: Pick<PreviewStore, 'list' | 'ofZones'>
  readonly monotonicMs: () => number
}

const entriesAtOnce = 1000

/**
 * Loads everything, then keeps to the feed by sequence number. An entry only names what changed; what
 * it is now is read again, so entries may come twice and any number of them may have been missed.
 */
export async function openFollowedManifest(dependencies: Dependencies): Promise<FollowedManifest> {
  const { store, monotonicMs } = dependencies
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>()
  const state = createState()
  let confirmedAtMs = Number.NEGATIVE_INFINITY
  let seq = 0

  async function load(): Promise<void> {
    // What is published while the rest is read comes after this number, and so is read again.
    const position = await store.position()
    const assets = await Array.fromAsync(store.assets())
    const everythingElse = {
      zones: true,
      ruleFiles: true,
      domains: true,
      erased: true,
      previews: 'all' as const,
    }
    const read = await readChanged({ ...noChanges(), ...everythingElse }, dependencies)
    state.assetByPath.clear()
    show(state, { ...read, assets })
    ;({ seq } = position)
  }

  async function followToEnd(): Promise<void> {
    for (;;) {
      const startedAtMs = monotonicMs()
      const entries = await store.feedAfter(seq, entriesAtOnce)
      const [first] = entries
      // Away for longer than the feed reaches back.
      if (first !== undefined && first.seq > seq + 1) {
        await load()
        continue
      }
      const last = entries.at(-1)
      if (last !== undefined) {
        show(state, await readChanged(changesOf(entries), dependencies))
        seq = last.seq
        for (const listener of listeners) listener(entries)
      }
      if (entries.length === entriesAtOnce) continue
      confirmedAtMs = startedAtMs
      return
    }
  }

  const catchUp = oneAtATime(followToEnd)
  await load()
  await catchUp()
  return {
    catchUp,
    subscribe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    get confirmedAtMs() {
      return confirmedAtMs
    },
    all: () => state.assetByPath.values(),
    ...manifestOf(state),
  }
}

const manifestOf = (state: State): Manifest => ({
  asset: (path) => state.assetByPath.get(path),
  zone: (name) => state.zoneByName.get(name),
  ruleFile: (name) => state.ruleFileByName.get(name),
  zoneOfHost: (hostname) => state.zoneByHost.get(hostname),
  preview: (zone, name) => state.previews.get(zone)?.get(name),
  isErased: (name) => state.erased.has(name),
})

/** Who asks while `task` runs is answered by another run, since the first may have looked already. */
function oneAtATime(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    const run = task().finally(() => {
      if (running === run) running = undefined
    })
    running = run
    return run
  }
  return () => {
    if (running === undefined) return start()
    next ??= running.then(
      () => startNext(),
      () => startNext(),
    )
    return next
  }

  function startNext(): Promise<void> {
    next = undefined
    return start()
  }
}

interface State {
  readonly assetByPath: Map<string, AssetRecord>
  readonly zoneByName: Map<string, ZoneRecord>
  readonly ruleFileByName: Map<RuleFileName, string>
  readonly zoneByHost: Map<string, string>
  /** By zone, and then by name. */
  readonly previews: Map<string, Map<string, PreviewRecord>>
  readonly erased: Set<string>
}

const createState = (): State => ({
  assetByPath: new Map(),
  zoneByName: new Map(),
  ruleFileByName: new Map(),
  zoneByHost: new Map(),
  previews: new Map(),
  erased: new Set(),
})

/** What entries name, and so has to be read again. */
interface Changes {
  readonly paths: ReadonlySet<string>
  readonly removedZones: ReadonlySet<string>
  readonly zones: boolean
  readonly ruleFiles: boolean
  readonly domains: boolean
  /** Of these zones. */
  readonly previews: 'all' | ReadonlySet<string>
  readonly erased: boolean
}

const noChanges = (): Changes => ({
  paths: new Set(),
  removedZones: new Set(),
  zones: false,
  ruleFiles: false,
  domains: false,
  previews: new Set(),
  erased: false,
})

function changesOf(entries: readonly FeedEntry[]): Changes {
  const removedZones = entries.filter(({ event }) => event === 'zone.deleted')
  const has = (prefix: string) => entries.some(({ event }) => event.startsWith(prefix))
  return {
    paths: new Set(entries.flatMap(({ event, path }) => (isOfAsset(event) ? (path ?? []) : []))),
    removedZones: new Set(removedZones.flatMap(({ zone }) => zone ?? [])),
    zones: has('zone.'),
    ruleFiles: has('rules.'),
    domains: has('domain.') || removedZones.length > 0,
    previews: new Set(
      entries.flatMap(({ event, zone }) => (concernsPreviews(event) ? (zone ?? []) : [])),
    ),
    erased: has('content.erased'),
  }
}

const isOfAsset = (event: string): boolean => event.startsWith('asset.')

const concernsPreviews = (event: string): boolean =>
  event.startsWith('preview.') || event === 'zone.deleted'

type Read = Awaited<ReturnType<typeof readChanged>>

async function readChanged(changes: Changes, { store, domains, previews }: Dependencies) {
  return {
    changes,
    assets: changes.paths.size > 0 ? await store.assetsAt([...changes.paths]) : [],
    zones: changes.zones ? await store.zones() : undefined,
    ruleFiles: changes.ruleFiles ? await store.ruleFiles() : undefined,
    domains: changes.domains ? await domains.list() : undefined,
    previews:
      changes.previews === 'all'
        ? await previews.list()
        : await previews.ofZones([...changes.previews]),
    erased: changes.erased ? await store.erased() : [],
  }
}

/** All at once, so that nobody sees a part of it. */
function show(state: State, read: Read): void {
  const { changes, assets, zones, ruleFiles, domains, previews, erased } = read
  const { ruleFileByName, zoneByHost } = state
  for (const sha256 of erased) state.erased.add(sha256)
  showAssets(state, changes, assets)
  showPreviews(state, changes, previews)
  if (zones !== undefined) showZones(state, zones)
  if (ruleFiles !== undefined) {
    ruleFileByName.clear()
    for (const { name, content } of ruleFiles) ruleFileByName.set(name, content)
  }
  if (domains !== undefined) {
    zoneByHost.clear()
    for (const { hostname, zone, isProven } of domains) if (isProven) zoneByHost.set(hostname, zone)
  }
}

function showAssets(
  { assetByPath }: State,
  { paths, removedZones }: Changes,
  assets: readonly AssetRecord[],
): void {
  if (removedZones.size > 0)
    for (const { path, zone } of assetByPath.values())
      if (removedZones.has(zone)) assetByPath.delete(path)
  for (const path of paths) assetByPath.delete(path)
  for (const asset of assets) assetByPath.set(asset.path, asset)
}

function showPreviews(
  { previews: known }: State,
  { previews: zones }: Changes,
  previews: readonly PreviewRecord[],
): void {
  if (zones === 'all') known.clear()
  else for (const zone of zones) known.delete(zone)
  for (const preview of previews) {
    const ofZone = known.get(preview.zone) ?? new Map<string, PreviewRecord>()
    known.set(preview.zone, ofZone.set(preview.name, preview))
  }
}

/** A zone that is as it was stays the same object: what was prepared with it stays good. */
function showZones({ zoneByName }: State, zones: readonly ZoneRecord[]): void {
  const before = new Map(zoneByName)
  zoneByName.clear()
  for (const zone of zones) {
    const known = before.get(zone.name)
    zoneByName.set(zone.name, known !== undefined && isEqual(known, zone) ? known : zone)
  }
}

const isEqual = (one: ZoneRecord, other: ZoneRecord): boolean => {
  const others = valuesOf(other)
  return valuesOf(one).every((value, place) => value === others[place])
}

/** What of a zone may change, as values that compare. */
const valuesOf = (zone: ZoneRecord) => [
  zone.createdAt.getTime(),
  zone.commitId,
  zone.enabled,
  zone.suspended,
  zone.history,
  zone.historyDays,
  zone.historySince?.getTime(),
  zone.transformMode,
  zone.transforms,
  zone.headers,
  zone.redirects,
  zone.cacheSeconds,
  zone.metadataPolicy,
  zone.vision,
  zone.moderation,
  zone.languages?.join(),
  zone.delivery,
]
