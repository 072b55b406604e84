import { setImmediate } from 'node:timers/promises'

import { takeTurns } from '../../lib/async/turns.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { DirectoryMarker } from '../../ports/records/object-version.ts'
import type { Publication } from '../../ports/content/publication-store.ts'
import type { RuleFileName, RuleFileRecord, ZoneRecord } from '../../ports/records/zone.ts'
import { type AssetIndex, createAssetIndex, type PreparedQuery } from './asset-index.ts'
import type { KnownColours, PixelSize } from './attributes.ts'
import { type Directory, type Folder, listDirectory, listFolder } from './directory.ts'
import { loadAssets } from './load-assets.ts'
import type { AssetPage, AssetQuery } from './listing.ts'
import { createHeldAssets, type HeldAssets } from './order/held-assets.ts'
import { assetPartsOf, changedPaths } from './order/publication-parts.ts'
import { createUpkeep } from './upkeep.ts'
import { createMarkers, type Markers } from './objects/markers.ts'
import { createObjectCursor, type ObjectCursor } from './objects/object-cursor.ts'
import type { ZoneSummary } from './zone-summaries.ts'

export type { Directory, Folder }

interface Contents {
  readonly assets: AsyncIterable<AssetRecord> | Iterable<AssetRecord>
  readonly zones: readonly ZoneRecord[]
  readonly ruleFiles: readonly RuleFileRecord[]
  /** None where left out. */
  readonly markers?: readonly DirectoryMarker[]
}

/**
 * Every published asset, zone and rule file, in memory. Each response is as of now: what was applied
 * before a call is in its response. Records are never changed in place.
 */
export interface Catalog extends Pick<Manifest, 'asset' | 'zone' | 'ruleFile'> {
  /** Differs after every change, and from every version of another run. */
  readonly version: string
  /** Replaces everything. What is applied before it has answered is lost. */
  load(contents: Contents): Promise<void>
  /** Has what a load has left to whoever asks first be done while nobody does; a change has the same done. */
  keepUp(): void
  /** Whether nothing is left for upkeep. */
  readonly isKeptUp: boolean
  /** Costs no more than the changes; moving them into the large structures is left to upkeep. */
  apply(publications: readonly Publication[]): void
  /**
   * Applies in bounded steps, and lets others have turns. Until what it answers is called, at once, for all of it, each
   * zone, rule file and asset shows as it was; only lists of assets and directories may have some as they are to be.
   * Nothing else may be applied in between.
   */
  prepare(publications: readonly Publication[]): Promise<() => void>
  clear(): void
  /** Lists by these from now on. */
  knowColours(colours: KnownColours): void
  /** Of an image that has been looked at. */
  sizeOf(sha256: string): PixelSize | undefined
  list(query: AssetQuery): AssetPage
  /**
   * Resolves once a list, or one of a directory, has little left to do for changes; others have turns.
   */
  ready(query: PreparedQuery): Promise<void>
  /** What is directly in a directory (`''`: all zones). A directory that does not exist is empty. */
  directory(path: string): Directory
  /** The directories in a directory, and how much is below it and each of them. Reads no file. */
  folder(path: string): Folder
  /** By name. */
  zones(): readonly ZoneRecord[]
  /** All zero for an unknown or empty zone. */
  zoneSummary(name: string): ZoneSummary
  /** The assets of a zone whose time is over some day, or is already, in no order. */
  expiring(zone: string): Iterable<AssetRecord>
  /** Zone by zone. */
  all(): Iterable<AssetRecord>
  /** A directory that is an object of its own. */
  marker(path: string): DirectoryMarker | undefined
  /** Those of a zone, in byte order of their paths. */
  zoneMarkers(zone: string): readonly DirectoryMarker[]
  /** Assets and markers from a path on, which need not be there. */
  objectsFrom(path: string): ObjectCursor
  /** In path order. */
  zoneFiles(name: string): readonly AssetRecord[]
  /** The stored assets whose path is `stem`, a dot and a format, by path. */
  withStem(stem: string): readonly AssetRecord[]
  /** The stored assets that differ from `path` in nothing but the format, by path. */
  siblings(path: string): readonly AssetRecord[]
}

interface Dependencies {
  /** Runs a slice of upkeep, once and later. Upkeep goes no faster than this lets it. */
  readonly schedule: (slice: () => void) => void
  /** Names this run in `version`, so that a restart cannot give a version a second meaning. */
  readonly runId: string
}

export function createCatalog({ schedule, runId }: Dependencies): Catalog {
  const colours = createKnownColours()
  let index = createAssetIndex(colours)
  let changeCount = 0
  const records = createRecords()
  const upkeep = createUpkeep({ schedule, work: () => index.upkeep() })
  const shown = createHeldAssets(() => index)

  function apply(publications: readonly Publication[]) {
    changeCount += 1
    for (const publication of publications) {
      applyAssets(publication, index)
      records.apply(publication)
    }
    upkeep.request()
  }

  function clear() {
    index = createAssetIndex(colours)
    records.clear()
    changeCount += 1
  }

  return {
    ...findingIn(records.markers),
    get version() {
      return `${runId}-${changeCount}-${colours.version}`
    },
    async load({ assets, ...rest }) {
      const loaded = await indexOf(assets, colours)
      clear()
      index = loaded
      records.apply({ ...rest, feed: [] })
    },
    keepUp: () => upkeep.request(),
    get isKeptUp() {
      return upkeep.isDone
    },
    apply,
    async prepare(publications) {
      await applyBehind(publications, { index, shown, apply })
      return () => {
        shown.release()
        changeCount += 1
        for (const publication of publications) records.apply(publication)
      }
    },
    clear,
    knowColours: colours.know,
    sizeOf: (sha256) => colours.sizeOf(sha256),
    asset: (path) => shown.find(path),
    zone: (name) => records.zoneByName.get(name),
    ruleFile: (name) => records.ruleFiles.find(name),
    list: (query) => index.list(query),
    ready: (query) => prepared(index, query),
    ...directoriesOf(() => ({ index, zoneByName: records.zoneByName })),
    zones: () => [...records.zoneByName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...partsOf(() => ({ index, shown })),
    all: () => records.zoneByName.keys().flatMap((name) => shown.below(name)),
    objectsFrom: (path) => createObjectCursor(path, index.inOrder(), records.markers.inOrder()),
  }
}

function applyAssets(publication: Publication, index: AssetIndex): void {
  for (const name of publication.removedZones ?? [])
    for (const { path } of index.below(name)) index.remove(path)
  for (const path of publication.removedAssets ?? []) index.remove(path)
  for (const asset of publication.assets ?? []) index.put(asset)
}

interface Behind extends Pick<Catalog, 'apply'> {
  readonly index: AssetIndex
  readonly shown: HeldAssets
}

/** Applies what becomes of assets, in bounded steps; they show as they were. */
async function applyBehind(
  publications: readonly Publication[],
  { index, shown, apply }: Behind,
): Promise<void> {
  const now = { zoneFiles: (name: string) => index.below(name) }
  await shown.hold(changedPaths(publications, now))
  for (const publication of publications)
    for (const part of assetPartsOf(publication, now)) {
      apply([part])
      await setImmediate()
      await prepared(index, { sort: 'path', order: 'asc' })
    }
}

/** Everything that is published but assets. */
function createRecords() {
  const zoneByName = new Map<string, ZoneRecord>()
  const ruleFiles = createRuleFiles()
  const markers = createMarkers()
  return {
    zoneByName,
    ruleFiles,
    markers,
    apply(publication: Publication) {
      for (const name of publication.removedZones ?? []) zoneByName.delete(name)
      for (const zone of publication.zones ?? []) zoneByName.set(zone.name, zone)
      markers.apply(publication)
      ruleFiles.apply(publication)
    },
    clear() {
      zoneByName.clear()
      ruleFiles.clear()
      markers.clear()
    },
  }
}

/** Somebody waits: what nobody waits for has fewer turns meanwhile. */
const stepsPerTurn = 4

async function prepared(index: Pick<AssetIndex, 'prepare'>, query: PreparedQuery): Promise<void> {
  const turns = takeTurns(stepsPerTurn)
  for (const _step of index.prepare(query)) await turns.after(1)
}

const partsOf = (
  contents: () => Pick<Behind, 'index' | 'shown'>,
): Pick<Catalog, 'zoneSummary' | 'expiring' | 'zoneFiles' | 'withStem' | 'siblings'> => ({
  zoneSummary: (name) => contents().index.summary(name),
  expiring: (zone) => contents().shown.expiring(zone),
  zoneFiles: (name) => contents().shown.below(name),
  withStem: (stem) => withStem(contents().shown, stem),
  siblings: (path) =>
    withStem(contents().shown, stemOf(path)).filter((sibling) => sibling.path !== path),
})

const directoriesOf = (
  contents: () => Parameters<typeof listDirectory>[1],
): Pick<Catalog, 'directory' | 'folder'> => ({
  directory: (path) => listDirectory(path, contents()),
  folder: (path) => listFolder(path, contents()),
})

const findingIn = (markers: Markers): Pick<Catalog, 'marker' | 'zoneMarkers'> => ({
  marker: (path) => markers.find(path),
  zoneMarkers: (name) => markers.inOrder().filter(({ zone }) => zone === name),
})

async function indexOf(
  assets: Contents['assets'],
  colours: KnownColours,
): Promise<ReturnType<typeof createAssetIndex>> {
  const index = createAssetIndex(colours)
  for (const _step of index.load(await loadAssets(assets))) await setImmediate()
  return index
}

function createRuleFiles() {
  const contentByName = new Map<RuleFileName, string>()
  return {
    find: (name: RuleFileName) => contentByName.get(name),
    clear: () => contentByName.clear(),
    apply({ ruleFiles = [], removedRuleFiles = [] }: Publication) {
      for (const { name, content } of ruleFiles) contentByName.set(name, content)
      for (const name of removedRuleFiles) contentByName.delete(name)
    },
  }
}

/** Those that are known later than the catalogue is made. */
function createKnownColours(): KnownColours & { readonly know: (colours: KnownColours) => void } {
  let known: KnownColours = {
    version: 0,
    namesOf: () => [],
    isHdr: () => false,
    sizeOf: () => undefined,
  }
  return {
    get version() {
      return known.version
    },
    namesOf: (sha256) => known.namesOf(sha256),
    isHdr: (sha256) => known.isHdr(sha256),
    sizeOf: (sha256) => known.sizeOf(sha256),
    know(colours) {
      known = colours
    },
  }
}

const withStem = (shown: Pick<AssetIndex, 'startingWith'>, stem: string) =>
  shown
    .startingWith(`${stem}.`)
    .filter(({ path, format }) => format !== '' && path.length === stem.length + 1 + format.length)

/** `path` without its format. A dot that begins the name begins no format. */
function stemOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path
}
