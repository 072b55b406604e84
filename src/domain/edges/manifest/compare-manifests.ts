import type { EdgeOrigin } from '../../../ports/edges/edge-origin.ts'
import { isSameMetadata } from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { type RuleFileName, ruleFileNames, type ZoneRecord } from '../../../ports/records/zone.ts'
import type {
  FeedPosition,
  HostChange,
  PreviewChange,
  ReplicaStep,
} from '../../../ports/edges/replica-store.ts'
import { isSamePreview } from '../../../ports/records/preview.ts'
import { flatMapInTurns } from '../../../lib/async/in-turns.ts'
import { takeTurns } from '../../../lib/async/turns.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import {
  erasedPart,
  type ManifestParts,
  type PublishedState,
  readErasedPart,
  readRulesPart,
  readZonePart,
  rulesPart,
  type ZonePart,
} from './manifest-parts.ts'
import { zoneRow } from './record-rows.ts'
import { readRoot } from './manifest-root.ts'

/** What differs between the manifest here and at the origin. */
export interface Comparison {
  /** The feed has to be followed from here on. */
  readonly position: FeedPosition
  /** Whether what was compared with is what the origin itself publishes now. */
  readonly isCurrent: boolean
  readonly zones: readonly ZonePart[]
  readonly goneZones: readonly string[]
  /** `undefined` where the rule files are the same. */
  readonly rules: ReadonlyMap<RuleFileName, string> | undefined
  /** All that was erased; nothing where that is the same. */
  readonly erased: readonly string[]
}

const partsAtOnce = 4

/** Fetches the parts that hash to something else there than here, and no others. */
export async function compareManifests(
  origin: Pick<EdgeOrigin, 'manifest' | 'part'>,
  own: Pick<ManifestParts, 'names' | 'digest'>,
): Promise<Comparison> {
  const { position, isCurrent, digestByPart } = readRoot(await origin.manifest())
  const here = new Set(own.names())
  const differing = await differingParts(digestByPart, here, own)
  const texts = await mapConcurrently(differing, partsAtOnce, async (name) => ({
    name,
    text: await origin.part(name),
  }))
  const rules = texts.find(({ name }) => name === rulesPart)?.text
  const erased = texts.find(({ name }) => name === erasedPart)?.text
  return {
    position,
    isCurrent,
    // A zone that has gone meanwhile is removed by the feed.
    zones: await zonesOf(texts),
    goneZones: [...here].filter((name) => !isOfNoZone(name) && !digestByPart.has(name)),
    rules: rules === undefined ? undefined : readRulesPart(rules),
    erased: erased === undefined ? [] : readErasedPart(erased),
  }
}

async function zonesOf(texts: readonly NamedText[]): Promise<readonly ZonePart[]> {
  const zones: ZonePart[] = []
  for (const { name, text } of texts)
    if (!isOfNoZone(name) && text !== undefined) zones.push(await readZonePart(text))
  return zones
}

interface NamedText {
  readonly name: string
  readonly text: string | undefined
}

/** Zones have no underscore in their names. What is of later versions is left alone. */
const isOfNoZone = (name: string): boolean => name.startsWith('_')

async function differingParts(
  digestByPart: ReadonlyMap<string, string>,
  here: ReadonlySet<string>,
  own: Pick<ManifestParts, 'digest'>,
): Promise<readonly string[]> {
  const differing: string[] = []
  for (const [name, digest] of digestByPart)
    if (!here.has(name) || (await own.digest(name)) !== digest) differing.push(name)
  return differing
}

/** What leads from the state here to the one that was found. What is the same stays the same object. */
export async function stepOf(
  comparison: Comparison,
  published: PublishedState,
): Promise<ReplicaStep> {
  const { position, zones, goneZones, rules, erased } = comparison
  const removed: string[] = []
  const changed: AssetRecord[] = []
  for (const part of zones) {
    for (const path of await removedAssets(part, published)) removed.push(path)
    for (const asset of await changedAssets(part, published)) changed.push(asset)
  }
  return {
    to: position,
    publication: {
      removedZones: goneZones,
      zones: zones.flatMap(({ zone }) => (isSameZone(published.zone(zone.name), zone) ? [] : zone)),
      removedAssets: removed,
      assets: changed,
      ruleFiles: [...(rules ?? [])].map(([name, content]) => ({
        name,
        content,
        changedAt: new Date(position.atMs),
      })),
      removedRuleFiles: rules === undefined ? [] : ruleFileNames.filter((name) => !rules.has(name)),
      erased,
    },
    hosts: zones.flatMap((part) => changedHosts(part, published)),
    previews: zones.flatMap((part) => changedPreviews(part, published)),
  }
}

/** A zone of many thousands lets requests be answered meanwhile. */
const assetsPerTurn = 2_000

const changedAssets = (
  { assets }: ZonePart,
  published: PublishedState,
): Promise<readonly AssetRecord[]> =>
  flatMapInTurns(assets, assetsPerTurn, (asset) =>
    isSameAsset(published.asset(asset.path), asset) ? [] : [asset],
  )

async function removedAssets(
  { zone, assets }: ZonePart,
  published: PublishedState,
): Promise<readonly string[]> {
  const there = new Set<string>()
  const turns = takeTurns(assetsPerTurn)
  for (const { path } of assets) {
    there.add(path)
    await turns.after(1)
  }
  return await flatMapInTurns(published.zoneFiles(zone.name), assetsPerTurn, ({ path }) =>
    there.has(path) ? [] : [path],
  )
}

function changedHosts({ zone, hosts }: ZonePart, published: PublishedState): readonly HostChange[] {
  const there = new Set(hosts.map(({ hostname }) => hostname))
  const lost = published.hostsOf(zone.name).filter(({ hostname }) => !there.has(hostname))
  return [...lost.map(({ hostname }) => ({ hostname, zone: undefined })), ...hosts]
}

function changedPreviews(part: ZonePart, published: PublishedState): readonly PreviewChange[] {
  const { zone, previews } = part
  const there = new Set(previews.map(({ name }) => name))
  const lost = published.previewsOf(zone.name).filter(({ name }) => !there.has(name))
  const changed = previews.filter((preview) => {
    const known = published.preview(zone.name, preview.name)
    return known === undefined || !isSamePreview(known, preview)
  })
  return [
    ...lost.map(({ name }) => ({ zone: zone.name, name, preview: undefined })),
    ...changed.map((preview) => ({ zone: zone.name, name: preview.name, preview })),
  ]
}

/** Whether edges know the same of both. */
const isSameZone = (one: ZoneRecord | undefined, other: ZoneRecord): boolean =>
  one !== undefined && JSON.stringify(zoneRow(one)) === JSON.stringify(zoneRow(other))

const isSameAsset = (one: AssetRecord | undefined, other: AssetRecord): boolean =>
  one !== undefined &&
  one.sha256 === other.sha256 &&
  one.contentType === other.contentType &&
  one.commitId === other.commitId &&
  one.createdAt.getTime() === other.createdAt.getTime() &&
  one.changedAt.getTime() === other.changedAt.getTime() &&
  isSameMetadata(one.metadata, other.metadata)

/**
 * What the parts of an edge are told of a comparison: which zones may have changed, and that everything
 * is purged, since nobody knows what was while the feed was not heard.
 */
export function comparisonEntries({
  position,
  zones,
  goneZones,
  rules,
  erased,
}: Comparison): readonly FeedEntry[] {
  const entry = { seq: position.seq, at: new Date(position.atMs) }
  const nothing = { zone: undefined, path: undefined, commitId: undefined, data: {} }
  return [
    { ...entry, ...nothing, event: 'purge.completed', data: { everything: true } },
    ...(rules === undefined ? [] : [{ ...entry, ...nothing, event: 'rules.updated' as const }]),
    ...(erased.length === 0 ? [] : [{ ...entry, ...nothing, event: 'content.erased' as const }]),
    ...goneZones.map((zone) => ({ ...entry, ...nothing, event: 'zone.deleted' as const, zone })),
    ...zones.map(({ zone }) => ({
      ...entry,
      ...nothing,
      event: 'zone.updated' as const,
      zone: zone.name,
    })),
  ]
}
