import { takeTurns } from '../../../lib/async/turns.ts'
import type { PackedCommits } from '../../../ports/content/pack-ledger.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { AssetMove, DeletedAsset } from '../../../ports/records/past-asset.ts'
import type { DirectoryMarker, ObjectVersion } from '../../../ports/records/object-version.ts'
import type { NewFeedEntry } from '../../../ports/records/feed.ts'
import type { AnnouncedExpiry, Publication } from '../../../ports/content/publication-store.ts'
import type { RuleFileName, RuleFileRecord, ZoneRecord } from '../../../ports/records/zone.ts'

/** What many publications come to. Applied removals first; no key occurs twice. */
export interface FoldedPublication {
  readonly commitId: string | undefined
  /** With all that was in them before; what is added again is among the additions. */
  readonly removedZones: ReadonlySet<string>
  readonly zones: ReadonlyMap<string, ZoneRecord>
  readonly removedAssets: ReadonlySet<string>
  readonly assets: ReadonlyMap<string, AssetRecord>
  readonly deletedAssets: ReadonlyMap<string, DeletedAsset>
  readonly moves: readonly AssetMove[]
  readonly removedMarkers: ReadonlySet<string>
  readonly markers: ReadonlyMap<string, DirectoryMarker>
  /** In the order of their commits. */
  readonly versions: readonly ObjectVersion[]
  readonly removedRuleFiles: ReadonlySet<RuleFileName>
  readonly ruleFiles: ReadonlyMap<RuleFileName, RuleFileRecord>
  readonly erased: ReadonlySet<string>
  readonly audit: readonly AuditRecord[]
  readonly packs: readonly PackedCommits[]
  readonly expiries: readonly AnnouncedExpiry[]
  readonly feed: readonly NewFeedEntry[]
}

/** The same end state as applying `publications` one after another, in one step. */
export async function foldPublications(
  publications: readonly Publication[],
): Promise<FoldedPublication> {
  const folded = {
    commitId: publications.findLast(({ commitId }) => commitId !== undefined)?.commitId,
    removedZones: new Set<string>(),
    zones: new Map<string, ZoneRecord>(),
    removedAssets: new Set<string>(),
    assets: new Map<string, AssetRecord>(),
    deletedAssets: new Map<string, DeletedAsset>(),
    moves: publications.flatMap(({ moves = [] }) => moves),
    removedMarkers: new Set<string>(),
    markers: new Map<string, DirectoryMarker>(),
    versions: versionsThatStay(publications),
    removedRuleFiles: new Set<RuleFileName>(),
    ruleFiles: new Map<RuleFileName, RuleFileRecord>(),
    erased: new Set(publications.flatMap(({ erased = [] }) => erased)),
    audit: publications.flatMap(({ audit = [] }) => audit),
    packs: publications.flatMap(({ packs }) => packs ?? []),
    expiries: publications.flatMap(({ expiries = [] }) => expiries),
    feed: publications.flatMap(({ feed }) => feed),
  }
  for (const publication of publications) {
    foldZones(folded, publication)
    await foldAssets(folded, publication)
    foldMarkers(folded, publication)
    foldRuleFiles(folded, publication)
  }
  return folded
}

interface Zones {
  readonly removedZones: Set<string>
  readonly zones: Map<string, ZoneRecord>
  readonly assets: Map<string, AssetRecord>
  readonly deletedAssets: Map<string, DeletedAsset>
  readonly markers: Map<string, DirectoryMarker>
}

function foldZones(folded: Zones, { removedZones = [], zones = [] }: Publication): void {
  for (const name of removedZones) {
    folded.removedZones.add(name)
    folded.zones.delete(name)
    forgetZone(folded.assets, name)
    forgetZone(folded.deletedAssets, name)
    forgetZone(folded.markers, name)
  }
  for (const zone of zones) folded.zones.set(zone.name, zone)
}

function forgetZone(byPath: Map<string, { readonly zone: string }>, name: string): void {
  for (const [path, { zone }] of byPath) if (zone === name) byPath.delete(path)
}

interface Assets {
  readonly removedAssets: Set<string>
  readonly assets: Map<string, AssetRecord>
  readonly deletedAssets: Map<string, DeletedAsset>
}

/** Thousands let others have turns. */
const assetsPerTurn = 5_000

async function foldAssets(
  folded: Assets,
  { removedAssets = [], assets = [], deletedAssets = [] }: Publication,
): Promise<void> {
  const turns = takeTurns(assetsPerTurn)
  for (const path of removedAssets) {
    await turns.after(1)
    folded.removedAssets.add(path)
    folded.assets.delete(path)
  }
  for (const asset of assets) {
    await turns.after(1)
    folded.assets.set(asset.path, asset)
  }
  for (const asset of deletedAssets) {
    await turns.after(1)
    folded.deletedAssets.set(asset.path, asset)
  }
}

interface Markers {
  readonly removedMarkers: Set<string>
  readonly markers: Map<string, DirectoryMarker>
}

function foldMarkers(folded: Markers, { removedMarkers = [], markers = [] }: Publication): void {
  for (const path of removedMarkers) {
    folded.removedMarkers.add(path)
    folded.markers.delete(path)
  }
  for (const marker of markers) folded.markers.set(marker.path, marker)
}

/** Those of zones that no later publication removes. */
function versionsThatStay(publications: readonly Publication[]): readonly ObjectVersion[] {
  const removedZones = new Set<string>()
  const kept = publications.toReversed().map(({ versions = [], removedZones: removed = [] }) => {
    const staying =
      removedZones.size === 0
        ? versions
        : versions.filter(({ path }) => !removedZones.has(zoneOf(path)))
    for (const name of removed) removedZones.add(name)
    return staying
  })
  return kept.toReversed().flat()
}

const zoneOf = (path: string): string => path.slice(0, path.indexOf('/'))

interface RuleFiles {
  readonly removedRuleFiles: Set<RuleFileName>
  readonly ruleFiles: Map<RuleFileName, RuleFileRecord>
}

function foldRuleFiles(
  folded: RuleFiles,
  { ruleFiles = [], removedRuleFiles = [] }: Publication,
): void {
  for (const file of ruleFiles) folded.ruleFiles.set(file.name, file)
  for (const name of removedRuleFiles) {
    folded.removedRuleFiles.add(name)
    folded.ruleFiles.delete(name)
  }
}
