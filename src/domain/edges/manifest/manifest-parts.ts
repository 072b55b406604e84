import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import type { Feed, Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { type RuleFileName, ruleFileNames, type ZoneRecord } from '../../../ports/records/zone.ts'
import type { HostRecord } from '../../../ports/edges/replica-store.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { flatMapInTurns } from '../../../lib/async/in-turns.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
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
} from './record-rows.ts'

/** The part that holds the rule files; every other is called like its zone, which has no underscore. */
export const rulesPart = '_rules'
/** The part that holds what was erased: a SHA-256 or a path a line. There is none where nothing ever was. */
export const erasedPart = '_erased'

/** Everything that is published, cut into parts that are named by what they hold. */
export interface ManifestParts extends Disposable {
  /** The names of all parts there are. */
  names(): readonly string[]
  /** SHA-256 of the part's text, lower-case hex; worked out again once the part has changed. */
  digest(name: string): Promise<string>
  /** `undefined` where there is no such part. */
  text(name: string): Promise<string | undefined>
}

interface Dependencies {
  readonly published: PublishedState
  readonly feed: Pick<Feed, 'subscribe'>
}

/** Room for the texts of parts that were asked for, in characters. */
const maxKeptText = 32 * 2 ** 20

export function createManifestParts({ published, feed }: Dependencies): ManifestParts {
  const digestByName = new Map<string, string>()
  const texts = new LruCache<string>({ maxWeight: maxKeptText, weigh: ({ length }) => length })
  const writing = createSingleFlight<string | undefined>()
  const changesByName = new Map<string, number>()

  function forget(name: string): void {
    changesByName.set(name, (changesByName.get(name) ?? 0) + 1)
    digestByName.delete(name)
    texts.delete(name)
  }

  async function write(name: string): Promise<string | undefined> {
    const changes = changesByName.get(name)
    const written = await partText(name, published)
    if (written === undefined || changesByName.get(name) !== changes) return written
    texts.set(name, written)
    digestByName.set(name, digestOf(written))
    return written
  }

  /** Whoever asks after a change must not join what was begun before it. */
  async function text(name: string): Promise<string | undefined> {
    const kept = texts.get(name)
    if (kept !== undefined) return kept
    const flight = `${name} ${changesByName.get(name) ?? 0}`
    return (await writing.run(flight, undefined, () => write(name))).value
  }

  const subscription = feed.subscribe((entries) => {
    for (const name of partsOf(entries)) forget(name)
  })
  return {
    names: () => [
      rulesPart,
      ...(published.erased().length > 0 ? [erasedPart] : []),
      ...published.zones().map(({ name }) => name),
    ],
    text,
    digest: async (name) => digestByName.get(name) ?? digestOf((await text(name)) ?? ''),
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}

const partsOf = (entries: readonly FeedEntry[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ event, zone }) => partByEvent.get(event) ?? zone ?? []))

const partByEvent: ReadonlyMap<string, string> = new Map([
  ['rules.updated', rulesPart],
  ['content.erased', erasedPart],
])

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Of a large zone so much is written before others have their turn. */
const rowsAtOnce = 2_000

/**
 * One line of JSON for the zone with its host names, then one for each asset in path order; of the rule
 * files one line each. The same for the same state, whoever writes it.
 */
async function partText(name: string, published: PublishedState): Promise<string | undefined> {
  if (name === rulesPart) return rulesText(published)
  if (name === erasedPart) return published.erased().join('\n')
  const zone = published.zone(name)
  if (zone === undefined) return undefined
  const pieces = [headOf(zone, published)]
  const files = published.zoneFiles(name)
  for (let start = 0; start < files.length; start += rowsAtOnce) {
    for (const asset of files.slice(start, start + rowsAtOnce))
      pieces.push(JSON.stringify(assetRow(asset)))
    await setImmediate()
  }
  return pieces.join('\n')
}

type PartHead = readonly [
  zone: ZoneRow,
  hostnames: readonly string[],
  /** Those that do not send who comes by http to https; what follows is left out where there is nothing. */
  plain?: readonly string[],
  previews?: readonly PreviewRow[],
]

function headOf(zone: ZoneRecord, published: PublishedState): string {
  const hosts = published.hostsOf(zone.name)
  const plain = namesOf(hosts.filter(({ redirectsToHttps }) => !redirectsToHttps))
  const previews = published.previewsOf(zone.name).map(previewRow)
  const head: PartHead = [zoneRow(zone), namesOf(hosts)]
  if (previews.length > 0) return JSON.stringify([...head, plain, previews])
  return JSON.stringify(plain.length > 0 ? [...head, plain] : head)
}

const namesOf = (hosts: readonly HostRecord[]): readonly string[] =>
  hosts.map(({ hostname }) => hostname)

const rulesText = (published: PublishedState): string =>
  ruleFileNames
    .flatMap((name) => {
      const content = published.ruleFile(name)
      return content === undefined ? [] : [JSON.stringify([name, content])]
    })
    .join('\n')

export interface ZonePart {
  readonly zone: ZoneRecord
  readonly hosts: readonly HostRecord[]
  readonly previews: readonly PreviewRecord[]
  readonly assets: readonly AssetRecord[]
}

/** Throws where `text` is no part of a zone. */
export async function readZonePart(text: string): Promise<ZonePart> {
  const [head = '', ...rows] = text.split('\n')
  const [row, hostnames, plain = [], previews = []] = JSON.parse(head) as PartHead
  const zone = zoneOfRow(row)
  return {
    zone,
    hosts: hostnames.map((hostname) => ({
      hostname,
      zone: zone.name,
      redirectsToHttps: !plain.includes(hostname),
    })),
    previews: previews.map((each) => previewOfRow(zone.name, each)),
    assets: await flatMapInTurns(rows, rowsAtOnce, (each) => [
      assetOfRow(JSON.parse(each) as AssetRow),
    ]),
  }
}

/** Throws where `text` is not the part of the rules. */
export const readRulesPart = (text: string): ReadonlyMap<RuleFileName, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as [RuleFileName, string]),
  )

export const readErasedPart = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line !== '')

/** All that is published, as the origin and every edge know it. */
export interface PublishedState extends Manifest {
  zones(): readonly ZoneRecord[]
  /** In path order. What is published later does not show in what was answered. */
  zoneFiles(zone: string): readonly AssetRecord[]
  host(hostname: string): HostRecord | undefined
  /** All that was erased, in byte order. */
  erased(): readonly string[]
  /** The host names of a zone's own, in byte order. */
  hostsOf(zone: string): readonly HostRecord[]
  /** By name. */
  previewsOf(zone: string): readonly PreviewRecord[]
}
