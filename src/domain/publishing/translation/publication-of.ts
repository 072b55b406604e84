import { takeTurns } from '../../../lib/async/turns.ts'
import type { Log } from '../../../lib/log.ts'
import type { Change, Commit, Put, Tree } from '../../../ports/content/content-store.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { DomainRecord } from '../../../ports/records/domain.ts'
import { isSameMetadata } from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { DirectoryMarker } from '../../../ports/records/object-version.ts'
import type { FeedEvent, NewFeedEntry } from '../../../ports/records/feed.ts'
import type { Publication } from '../../../ports/content/publication-store.ts'
import type { RuleFileName, RuleFileRecord, ZoneRecord } from '../../../ports/records/zone.ts'
import { type AssetPath, repositoryPath, zoneOf } from '../../content/asset-path.ts'
import { domainEntry } from '../../content/domains/domain-changes.ts'
import {
  defaultZoneSettings,
  parseZoneSettings,
  recordedSettings,
} from '../../content/zone-settings.ts'
import { assetEventData, describedAs, focalPointData } from './asset-event-data.ts'
import { shortBytesOfPut } from './bytes-of-put.ts'
import { assetRecordOf } from './asset-record.ts'
import { type MetadataOfCommit, metadataOfCommit } from './metadata-of-commit.ts'
import { type ObjectsOfCommit, objectsOfCommit } from './objects-of-commit.ts'
import { type PastOfCommit, pastOfCommit } from './past-of-commit.ts'
import { hasSameFiles, withOwnFiles } from './own-files.ts'
import { zoneEventData } from './zone-event-data.ts'
import { type Place, placeOf } from './place-of.ts'

/** What is published before the commit: the catalogue, and what earlier commits of the group add. */
export interface PublishedView {
  asset(path: string): AssetRecord | undefined
  zone(name: string): ZoneRecord | undefined
  marker(path: string): DirectoryMarker | undefined
  /** The assets of a zone, in path order. */
  zoneFiles(name: string): readonly AssetRecord[]
}

export interface TranslationContext {
  readonly published: PublishedView
  /** The custom domains that a zone has now. */
  readonly domainsOf: (zone: string) => Promise<readonly DomainRecord[]>
  readonly blobs: Pick<BlobStore, 'read'>
  readonly tree: Pick<Tree, 'find' | 'read'>
  /** Whether the repository has anything of the zone after the commit. */
  readonly isThere: (zone: string) => Promise<boolean>
  readonly audit: AuditRecord | undefined
  /** Whether the feed and the audit log are told; a rebuild stays silent. */
  readonly announce: boolean
  readonly log: Pick<Log, 'warn'>
}

/** A commit of thousands lets requests be answered meanwhile. */
const changesPerTurn = 500

interface Draft {
  readonly commit: Commit
  readonly past: PastOfCommit
  readonly objects: ObjectsOfCommit
  readonly metadata: MetadataOfCommit
  readonly zones: Map<string, ZoneRecord>
  readonly removedZones: Set<string>
  readonly assets: Map<string, AssetRecord>
  readonly removedAssets: Set<string>
  readonly ruleFiles: Map<RuleFileName, RuleFileRecord>
  readonly removedRuleFiles: Set<RuleFileName>
  readonly feed: NewFeedEntry[]
}

/** What a commit changes in the projections, and what it announces. Reads, but changes nothing. */
export async function publicationOf(
  commit: Commit,
  context: TranslationContext,
): Promise<Publication> {
  const draft: Draft = {
    commit,
    past: pastOfCommit(commit),
    objects: objectsOfCommit(commit, context.published),
    metadata: await metadataOfCommit(commit, context),
    zones: new Map(),
    removedZones: new Set(),
    assets: new Map(),
    removedAssets: new Set(),
    ruleFiles: new Map(),
    removedRuleFiles: new Set(),
    feed: [],
  }
  const turns = takeTurns(changesPerTurn)
  for (const change of commit.changes) {
    await translate(change, draft, context)
    await turns.after(1)
  }
  await describeOthers(draft, context)
  await setOwnFiles(draft, context)
  await removeVanishedZones(draft, context)
  return {
    commitId: commit.id,
    removedZones: [...draft.removedZones],
    zones: [...draft.zones.values()],
    removedAssets: [...draft.removedAssets],
    assets: [...draft.assets.values()],
    ...draft.past.toPublish(draft.removedZones),
    ...draft.objects.toPublish(),
    ruleFiles: [...draft.ruleFiles.values()],
    removedRuleFiles: [...draft.removedRuleFiles],
    audit: context.announce && context.audit ? [context.audit] : [],
    feed: context.announce ? draft.feed : [],
  }
}

async function translate(change: Change, draft: Draft, context: TranslationContext): Promise<void> {
  const place = placeOf(change.path)
  if (place.kind === 'other') {
    context.log.warn('a path in the repository is not served', {
      path: change.path,
      commitId: draft.commit.id,
    })
  } else if (place.kind !== 'own') {
    await translateServed(change, place, { draft, context })
  }
}

/** What is told of assets by files of the service's own is read by {@link metadataOfCommit}. */
type ServedPlace = Exclude<Place, { readonly kind: 'own' | 'other' }>

async function translateServed(change: Change, place: ServedPlace, { draft, context }: Scope) {
  if (change.kind === 'put') {
    await translatePut(change, place, { draft, context })
  } else {
    await translateDelete(change, place, { draft, context })
  }
}

interface Scope {
  readonly draft: Draft
  readonly context: TranslationContext
}

async function translatePut(
  put: Put,
  place: ServedPlace,
  { draft, context }: Scope,
): Promise<void> {
  switch (place.kind) {
    case 'asset':
      openZone(zoneOf(place.path), draft, context)
      return putAsset(put, place.path, { draft, context })
    case 'placeholder':
      draft.objects.notePlaceholder(put)
      return openZone(place.zone, draft, context)
    case 'zone-settings':
      return changeZone(place.zone, await shortBytesOfPut(put, context), { draft, context })
    case 'rules':
      return putRules(place.name, await shortBytesOfPut(put, context), draft)
    case 'zone':
  }
}

async function translateDelete(
  { path }: Change,
  place: ServedPlace,
  { draft, context }: Scope,
): Promise<void> {
  switch (place.kind) {
    case 'asset':
      return removeAsset(place.path, draft, context)
    case 'zone':
      return await removeZone(place.zone, draft, context)
    case 'zone-settings':
      if (context.published.zone(place.zone)) changeZone(place.zone, undefined, { draft, context })
      return
    case 'rules':
      draft.removedRuleFiles.add(place.name)
      announce(draft, 'rules.updated', { data: { file: place.name, removed: true } })
      return
    case 'placeholder':
      draft.objects.notePlaceholderRemoved(path)
  }
}

function openZone(name: string, draft: Draft, { published }: TranslationContext): void {
  if (draft.zones.has(name)) return
  if (published.zone(name) && !draft.removedZones.has(name)) return
  const { id: commitId, committedAt: createdAt } = draft.commit
  const zone = { name, createdAt, commitId, ...recordedSettings(defaultZoneSettings) }
  draft.zones.set(name, zone)
  announce(draft, 'zone.created', { zone: name, data: { zone: name } })
}

function changeZone(
  name: string,
  settings: Uint8Array | undefined,
  { draft, context }: Scope,
): void {
  openZone(name, draft, context)
  const zone = draft.zones.get(name) ?? context.published.zone(name)
  if (!zone) return
  const { history: _history, transformMode: _mode, ...others } = zone
  const { historyDays: _days, historySince: _since, ...further } = others
  const { cacheSeconds: _seconds, metadataPolicy: _policy, ...seeing } = further
  const { vision: _vision, moderation: _moderation, languages: _languages, ...rest } = seeing
  const changed = { ...rest, ...recordedSettings(parseZoneSettings(settings)) }
  draft.zones.set(name, changed)
  announce(draft, 'zone.updated', { zone: name, data: zoneEventData(changed) })
}

/**
 * Files and domains are told before the zone: whoever keeps a copy of assets or of host names hears of
 * each, and a webhook of that zone hears nothing after its end.
 */
async function removeZone(
  name: string,
  draft: Draft,
  { published, domainsOf, announce: isTold }: TranslationContext,
): Promise<void> {
  for (const path of draft.assets.keys()) if (path.startsWith(`${name}/`)) draft.assets.delete(path)
  if (isTold && !draft.removedZones.has(name)) {
    for (const { path } of published.zoneFiles(name))
      if (!draft.removedAssets.has(path)) announceRemoval(path as AssetPath, draft)
    const { id: commitId, committedAt: updatedAt } = draft.commit
    for (const domain of await domainsOf(name))
      draft.feed.push({ ...domainEntry({ ...domain, updatedAt }, true), commitId })
  }
  draft.zones.delete(name)
  draft.removedZones.add(name)
  draft.objects.noteZoneRemoved(name)
  announce(draft, 'zone.deleted', { zone: name, data: { zone: name } })
}

async function putAsset(put: Put, path: AssetPath, { draft, context }: Scope): Promise<void> {
  const previous = draft.removedZones.has(zoneOf(path)) ? undefined : context.published.asset(path)
  const movedFrom = draft.past.movedFrom(put.path)
  const before = movedFrom === undefined ? undefined : assetAt(movedFrom, context)
  const createdAt = (previous ?? before)?.createdAt
  const record = assetRecordOf(put, path, { commit: draft.commit, createdAt })
  const sameFile = before ?? previous
  const asset = describedAs(record, await draft.metadata.of(record, { previous, sameFile }))
  draft.assets.set(path, asset)
  draft.removedAssets.delete(path)
  draft.past.noteStored(path)
  draft.objects.noteStored(asset)
  announce(draft, previous ? 'asset.updated' : 'asset.created', {
    zone: asset.zone,
    path,
    data: { ...assetEventData(asset), ...(before && { movedFrom }) },
  })
}

/** What was published of a path of the repository. */
function assetAt(path: string, { published }: TranslationContext): AssetRecord | undefined {
  const place = placeOf(path)
  return place.kind === 'asset' ? published.asset(place.path) : undefined
}

/** What the zones that there are now want of their own fields, and their own rules. */
async function setOwnFiles(draft: Draft, { published }: TranslationContext): Promise<void> {
  const { metadata } = draft
  for (const name of new Set([...draft.zones.keys(), ...metadata.zones])) {
    const before = draft.zones.get(name) ?? published.zone(name)
    if (before === undefined || draft.removedZones.has(name)) continue
    const zone = await withOwnFiles(before, metadata)
    if (hasSameFiles(zone, before)) continue
    draft.zones.set(name, zone)
    announce(draft, 'zone.updated', { zone: name, data: zoneEventData(zone) })
  }
}

/** What the commit says of assets whose bytes it leaves as they are. */
async function describeOthers(draft: Draft, { published }: TranslationContext): Promise<void> {
  const turns = takeTurns(changesPerTurn)
  for (const path of draft.metadata.paths) {
    await turns.after(1)
    const isGone = draft.removedAssets.has(path) || draft.removedZones.has(zoneOf(path))
    const previous = isGone || draft.assets.has(path) ? undefined : published.asset(path)
    if (previous === undefined) continue
    const metadata = await draft.metadata.of(previous, { previous, sameFile: previous })
    if (isSameMetadata(metadata, previous.metadata)) continue
    const asset = describedAs(previous, metadata)
    draft.assets.set(path, asset)
    const data = { ...assetEventData(asset), ...focalPointData(previous, asset) }
    const commit = draft.commit.id
    announce(draft, 'asset.updated', { zone: asset.zone, path, data: { ...data, commit } })
  }
}

function removeAsset(path: AssetPath, draft: Draft, { published }: TranslationContext): void {
  draft.assets.delete(path)
  const asset = published.asset(path)
  if (!asset) return
  draft.removedAssets.add(path)
  draft.past.noteRemoved(asset)
  draft.objects.noteRemoved(path)
  announceRemoval(path, draft)
}

function announceRemoval(path: AssetPath, draft: Draft): void {
  const zone = zoneOf(path)
  const movedTo = draft.past.movedTo(repositoryPath(path))
  const data = {
    path: repositoryPath(path),
    zone,
    commit: draft.commit.id,
    ...(movedTo !== undefined && { movedTo }),
  }
  announce(draft, 'asset.deleted', { zone, path, data })
}

/** A zone is there while the repository has anything of it: commits made by other means end it too. */
async function removeVanishedZones(draft: Draft, context: TranslationContext): Promise<void> {
  const touched = new Set([...draft.removedAssets].map((path) => zoneOf(path as AssetPath)))
  for (const zone of touched) {
    if (draft.removedZones.has(zone) || (await context.isThere(zone))) continue
    if (context.published.zone(zone)) await removeZone(zone, draft, context)
  }
}

function putRules(name: RuleFileName, bytes: Uint8Array | undefined, draft: Draft): void {
  draft.removedRuleFiles.delete(name)
  const content = new TextDecoder().decode(bytes)
  draft.ruleFiles.set(name, { name, content, changedAt: draft.commit.committedAt })
  announce(draft, 'rules.updated', { data: { file: name, size: bytes?.length ?? 0 } })
}

interface Announcement {
  readonly zone?: string
  readonly path?: string
  readonly data: Readonly<Record<string, unknown>>
}

function announce(draft: Draft, event: FeedEvent, { zone, path, data }: Announcement): void {
  const { commit } = draft
  draft.feed.push({ at: commit.committedAt, event, zone, path, commitId: commit.id, data })
}
