import { flatMapInTurns } from '../../../lib/async/in-turns.ts'
import type { FeedEntry, FeedEvent } from '../../../ports/records/feed.ts'
import type { RuleFileName } from '../../../ports/records/zone.ts'
import type { HostChange, PreviewChange, ReplicaStep } from '../../../ports/edges/replica-store.ts'
import {
  assetOfRow,
  assetRow,
  type AssetRow,
  previewOfRow,
  previewRow,
  type PreviewRow,
  zoneOfRow,
  zoneRow,
  type ZoneRow,
} from '../manifest/record-rows.ts'

/** What leads from one position of the feed to a later one: the entries, and what they name as it is now. */
export interface ReplicaChange extends ReplicaStep {
  /** A replica that stands before this number must not apply it: something would be missing. */
  readonly from: number
  readonly entries: readonly FeedEntry[]
  /** Whether more of the same publication follows: what is shown before that is a part of it. */
  readonly continues: boolean
}

type EntryRow = readonly [
  seq: number,
  atMs: number,
  event: string,
  zone: string | null,
  path: string | null,
  commitId: string | null,
  data?: FeedEntry['data'],
]

type HostRow = readonly [hostname: string, zone: string | null, option?: 'plain']

type PreviewChangeRow = readonly [zone: string, name: string, preview: PreviewRow | null]

interface ChangeMessage {
  readonly from: number
  readonly to: readonly [seq: number, atMs: number]
  readonly entries: readonly EntryRow[]
  readonly removedZones: readonly string[]
  readonly zones: readonly ZoneRow[]
  readonly removedAssets: readonly string[]
  readonly assets: readonly AssetRow[]
  readonly ruleFiles: readonly (readonly [RuleFileName, string, number])[]
  readonly removedRuleFiles: readonly RuleFileName[]
  /** Left out where there is none. */
  readonly erased?: readonly string[]
  readonly hosts: readonly HostRow[]
  /** Left out where there are none, and by older origins. */
  readonly previews?: readonly PreviewChangeRow[]
  /** Left out where it does not, and by older origins. */
  readonly continues?: true
}

/** One line of JSON. */
export function writeChange(change: ReplicaChange): string {
  const { from, to, entries, publication, hosts, previews, continues } = change
  const { removedZones, zones, removedAssets, assets, ruleFiles, removedRuleFiles, erased } =
    publication
  const message: ChangeMessage = {
    from,
    to: [to.seq, to.atMs],
    entries: entries.map(entryRow),
    removedZones,
    zones: zones.map(zoneRow),
    removedAssets,
    assets: assets.map(assetRow),
    ruleFiles: ruleFiles.map(({ name, content, changedAt }) => [
      name,
      content,
      changedAt.getTime(),
    ]),
    removedRuleFiles,
    ...(erased.length > 0 && { erased }),
    hosts: hosts.map(hostRow),
    ...(previews.length > 0 && { previews: previews.map(previewChangeRow) }),
    ...(continues && { continues }),
  }
  return JSON.stringify(message)
}

const rowsPerTurn = 2_000

/** Rejects where `text` is not what {@link writeChange} writes. Of many rows others have turns in between. */
export async function readChange(text: string): Promise<ReplicaChange> {
  const message = JSON.parse(text) as ChangeMessage
  const [seq, atMs] = message.to
  return {
    from: message.from,
    to: { seq, atMs },
    entries: await flatMapInTurns(message.entries, rowsPerTurn, (row) => [entryOf(row)]),
    publication: {
      removedZones: message.removedZones,
      zones: message.zones.map(zoneOfRow),
      removedAssets: message.removedAssets,
      assets: await flatMapInTurns(message.assets, rowsPerTurn, (row) => [assetOfRow(row)]),
      ruleFiles: message.ruleFiles.map(([name, content, changedAtMs]) => ({
        name,
        content,
        changedAt: new Date(changedAtMs),
      })),
      removedRuleFiles: message.removedRuleFiles,
      erased: message.erased ?? [],
    },
    hosts: message.hosts.map(hostOf),
    previews: (message.previews ?? []).map(previewChangeOf),
    continues: message.continues === true,
  }
}

function hostRow(host: HostChange): HostRow {
  if (host.zone === undefined) return [host.hostname, null]
  return host.redirectsToHttps ? [host.hostname, host.zone] : [host.hostname, host.zone, 'plain']
}

const hostOf = ([hostname, zone, option]: HostRow): HostChange =>
  zone === null
    ? { hostname, zone: undefined }
    : { hostname, zone, redirectsToHttps: option !== 'plain' }

const previewChangeRow = ({ zone, name, preview }: PreviewChange): PreviewChangeRow => [
  zone,
  name,
  preview === undefined ? null : previewRow(preview),
]

const previewChangeOf = ([zone, name, row]: PreviewChangeRow): PreviewChange => ({
  zone,
  name,
  preview: row === null ? undefined : previewOfRow(zone, row),
})

/** Of the others everything is in the records. Edges of older versions take focal points from here. */
const withData: ReadonlySet<FeedEvent> = new Set([
  'purge.completed',
  'domain.updated',
  'preview.updated',
])

/** One line of JSON, as it stands in a message. */
export const writeEntry = (entry: FeedEntry): string => JSON.stringify(entryRow(entry))

export const readEntry = (text: string): FeedEntry => entryOf(JSON.parse(text) as EntryRow)

function entryRow({ seq, at, event, zone, path, commitId, data }: FeedEntry): EntryRow {
  const row = [seq, at.getTime(), event, zone ?? null, path ?? null, commitId ?? null] as const
  return withData.has(event) || data['focalPoint'] !== undefined ? [...row, data] : row
}

const entryOf = ([seq, atMs, event, zone, path, commitId, data = {}]: EntryRow): FeedEntry => ({
  seq,
  at: new Date(atMs),
  event: event as FeedEvent,
  zone: zone ?? undefined,
  path: path ?? undefined,
  commitId: commitId ?? undefined,
  data,
})
