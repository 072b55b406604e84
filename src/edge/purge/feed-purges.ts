import type { FeedEntry, FeedEvent } from '../../ports/records/feed.ts'
import {
  countersOfAsset,
  countersOfHost,
  countersOfZone,
  countersRaisedBy,
  everythingCounter,
  type Purge,
} from './counter-names.ts'

export interface CounterRaise {
  readonly counters: readonly string[]
  readonly soft: boolean
}

/**
 * What a feed entry makes older. An entry that says too little to be sure raises everything, so that
 * a stale answer can never come of a malformed one.
 */
export const raiseOf = (entry: FeedEntry): CounterRaise =>
  raiseByEvent.get(entry.event)?.(entry) ?? all

const hard = (counters: readonly string[]): CounterRaise => ({ counters, soft: false })

const all = hard([everythingCounter])

const assetRaise = ({ path }: FeedEntry): CounterRaise =>
  path === undefined ? all : hard(countersOfAsset(path))

const zoneRaise = ({ zone }: FeedEntry): CounterRaise =>
  zone === undefined ? all : hard(countersOfZone(zone))

const raises: Readonly<Record<FeedEvent, (entry: FeedEntry) => CounterRaise>> = {
  'asset.created': assetRaise,
  'asset.updated': assetRaise,
  'asset.deleted': assetRaise,
  'asset.expired': assetRaise,
  'zone.created': zoneRaise,
  'zone.updated': zoneRaise,
  'zone.deleted': zoneRaise,
  'rules.updated': () => all,
  'domain.updated': ({ data }) =>
    typeof data['hostname'] === 'string' ? hard(countersOfHost(data['hostname'])) : all,
  // Whatever is made of one is kept under the commit that it shows.
  'preview.updated': () => hard([]),
  'purge.completed': ({ data }) => {
    const purge = readPurge(data)
    return purge === undefined
      ? all
      : { counters: countersRaisedBy(purge), soft: purge.soft === true }
  },
  'content.erased': () => all,
  'quota.warning': () => hard([]),
  'quota.reached': () => hard([]),
  'deploy.completed': () => hard([]),
}

/** A map, because a feed from elsewhere may name an event that is not known here. */
const raiseByEvent: ReadonlyMap<string, (entry: FeedEntry) => CounterRaise> = new Map(
  Object.entries(raises),
)

function readPurge(data: Readonly<Record<string, unknown>>): Purge | undefined {
  const lists = ['urls', 'tags', 'zones'].map((name) => data[name] ?? [])
  const [urls, tags, zones] = lists.map((list) => (isTexts(list) ? list : undefined))
  if (urls === undefined || tags === undefined || zones === undefined) return undefined
  const everything = data['everything'] === true
  const isEmpty = urls.length + tags.length + zones.length === 0 && !everything
  return isEmpty ? undefined : { urls, tags, zones, everything, soft: data['soft'] === true }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
