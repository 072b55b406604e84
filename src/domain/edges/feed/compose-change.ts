import type { FeedEntry } from '../../../ports/records/feed.ts'
import { ruleFileNames } from '../../../ports/records/zone.ts'
import type {
  FeedPosition,
  HostChange,
  PreviewChange,
  ReplicaPublication,
} from '../../../ports/edges/replica-store.ts'
import { positionOf } from '../manifest/manifest-root.ts'
import type { PublishedState } from '../manifest/manifest-parts.ts'
import type { ReplicaChange } from './replica-change.ts'

/**
 * What `entries` name, as it is published now. To be called without waiting in between: then nobody
 * who applies it sees half of a publication.
 */
export function composeChange(
  entries: readonly FeedEntry[],
  since: FeedPosition,
  published: PublishedState,
): Omit<ReplicaChange, 'continues'> {
  const last = entries.at(-1)
  return {
    from: since.seq,
    to: last === undefined ? since : positionOf(last),
    entries,
    publication: publicationOf(entries, published),
    hosts: hostsOf(entries, published),
    previews: previewsOf(entries, published),
  }
}

function publicationOf(
  entries: readonly FeedEntry[],
  published: PublishedState,
): ReplicaPublication {
  const paths = namesOf(entries, (event) => event.startsWith('asset.'), 'path')
  const zones = namesOf(entries, (event) => event.startsWith('zone.'), 'zone')
  return {
    removedZones: namesOf(entries, (event) => event === 'zone.deleted', 'zone'),
    zones: zones.flatMap((name) => published.zone(name) ?? []),
    removedAssets: paths.filter((path) => published.asset(path) === undefined),
    assets: paths.flatMap((path) => published.asset(path) ?? []),
    ...ruleFilesOf(entries, published),
    erased: entries.some(({ event }) => event === 'content.erased') ? published.erased() : [],
  }
}

function namesOf(
  entries: readonly FeedEntry[],
  isMeant: (event: string) => boolean,
  name: 'path' | 'zone',
): readonly string[] {
  const names = entries.flatMap((entry) => (isMeant(entry.event) ? (entry[name] ?? []) : []))
  return [...new Set(names)]
}

function ruleFilesOf(entries: readonly FeedEntry[], published: PublishedState) {
  const changed = entries.findLast(({ event }) => event === 'rules.updated')
  if (changed === undefined) return { ruleFiles: [], removedRuleFiles: [] }
  return {
    ruleFiles: ruleFileNames.flatMap((name) => {
      const content = published.ruleFile(name)
      return content === undefined ? [] : [{ name, content, changedAt: changed.at }]
    }),
    removedRuleFiles: ruleFileNames.filter((name) => published.ruleFile(name) === undefined),
  }
}

function hostsOf(entries: readonly FeedEntry[], published: PublishedState): readonly HostChange[] {
  const hostnames = entries.flatMap(({ event, data }) =>
    event === 'domain.updated' && typeof data['hostname'] === 'string' ? [data['hostname']] : [],
  )
  return [...new Set(hostnames)].map((hostname) => {
    const host = published.host(hostname)
    if (host === undefined) return { hostname, zone: undefined }
    return { hostname, zone: host.zone, redirectsToHttps: host.redirectsToHttps }
  })
}

/** An entry of a preview names it in its data. */
function previewsOf(
  entries: readonly FeedEntry[],
  published: PublishedState,
): readonly PreviewChange[] {
  const named = entries.flatMap(({ event, zone, data: { name } }) =>
    event === 'preview.updated' && zone !== undefined && typeof name === 'string'
      ? [[`${zone}/${name}`, { zone, name, preview: published.preview(zone, name) }] as const]
      : [],
  )
  return [...new Map(named).values()]
}
