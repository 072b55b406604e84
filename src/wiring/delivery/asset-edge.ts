import { openCountryDatabase } from '../../adapters/mmdb/country-database.ts'
import type { Config } from '../../config/config.ts'
import { createEdge, type Edge, type EdgeDependencies } from '../../edge/asset/edge.ts'
import type { PastLookUp } from '../../edge/asset/look-up.ts'
import {
  createPurgeGenerations,
  type PurgeGenerations,
} from '../../edge/purge/purge-generations.ts'
import { endingSeconds } from '../../http/response/cache-lifetimes.ts'
import { followExpiries } from '../../domain/content/delivered/expiry-schedule.ts'
import { countersOfAsset } from '../../edge/purge/counter-names.ts'
import { onErased } from '../../edge/purge/on-erased.ts'
import type { Pins } from '../../domain/content/past/pins.ts'
import { clientAddress, trustedProxies } from '../../http/request/client-address.ts'
import { type CountryOf, createCountryOf } from '../../http/request/request-country.ts'
import { createRootFiles } from '../../planes/site/root-files.ts'
import type { Feed, Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Connections } from '../../server/connections.ts'
import type { Media } from '../media.ts'
import { createSiteFiles } from '../pages/page-files.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'
import type { ObjectVersions } from '../../ports/content/object-versions.ts'
import type { FormerContentsOf } from '../../edge/codings/former-contents.ts'

interface AssetEdgeParts extends Pick<
  EdgeDependencies,
  'blobs' | 'elsewhere' | 'feed' | 'made' | 'formerContentsOf'
> {
  readonly manifest: Manifest
  readonly past?: Past
  readonly purges: PurgeGenerations
  /** Says what is erased: then nothing stays at hand. */
  readonly erasures: Pick<Feed, 'subscribe'>
  readonly connections: Connections | undefined
  readonly traffic: Required<Pick<EdgeDependencies, 'tap'>> &
    Pick<EdgeDependencies, 'isOwn' | 'requests'> & { readonly countryOf: CountryOf }
  /** What makes SVG safe for which rules ask that; left out, a request for it goes `elsewhere`. */
  readonly media?: { readonly drawings: Pick<Media['drawings'], 'get'> }
  readonly settings: {
    readonly baseUrl: string | undefined
    readonly dashboardHost: string | undefined
    readonly previewHost?: string | undefined
    /** A share of the machine's where left out. */
    readonly memoryBytes?: number
  }
  readonly clock?: Required<Pick<EdgeDependencies, 'now' | 'newId'>>
  readonly opening: AsyncDisposableStack
}

/**
 * What delivers assets, the same in each process that does: the service, a worker beside it, a node that
 * stands by, an edge node. With `feed` what is published is prepared before it is asked for.
 */
export function openAssetEdge(parts: AssetEdgeParts): Edge {
  const { manifest, past, blobs, feed, purges, connections, traffic, media, opening } = parts
  const { elsewhere, made } = parts
  const { baseUrl, dashboardHost, previewHost, memoryBytes } = parts.settings
  const edge = opening.use(
    createEdge({
      manifest,
      past: past && lookUpOf(past),
      blobs,
      formerContentsOf: parts.formerContentsOf,
      purges,
      ...traffic,
      ...parts.clock,
      ...(feed && { feed }),
      ...(elsewhere && { elsewhere }),
      ...(made && { made }),
      sanitise: media && (async (record) => (await media.drawings.get(record)).bytes),
      transfers: connections?.transfers,
      // Where there is `elsewhere`, the service sends them.
      ...(elsewhere === undefined && { ownFile: createRootFiles(createSiteFiles()) }),
      settings: {
        baseUrl,
        dashboardHost,
        previewHost,
        ...(memoryBytes && { maxMemoryBytes: memoryBytes }),
      },
    }),
  )
  opening.use(onErased(parts.erasures, () => edge.clearMemory()))
  return edge
}

/** What former commits have, and how it is known who asks. */
interface Past {
  readonly pins: Pins
  readonly addressOf: (request: RequestHead, peerAddress: string | undefined) => string
}

const lookUpOf = ({ pins, addressOf }: Past): PastLookUp => ({
  known: (zone, commit, path) => pins.known(zone, commit, path),
  knownMoment: (zone, moment) => pins.knownMoment(zone, moment),
  learn(wanted, { request, clientAddress: peerAddress }) {
    const address = addressOf(request, peerAddress)
    return 'moment' in wanted ? pins.learnMoment(wanted, address) : pins.learn(wanted, address)
  },
})

/** Whoever is really asking, behind proxies that are trusted. */
export function createClientOf(config: Pick<Config, 'trustedProxies'>): Past['addressOf'] {
  const trusted = trustedProxies(config.trustedProxies)
  return ({ headers }, peerAddress = 'unknown') => clientAddress(headers, peerAddress, trusted)
}

const fewVersions = 12

/** What stood at a path before, as the versions of S3 tell it. */
export const formerContentsIn =
  (versions: Pick<ObjectVersions, 'list'>): FormerContentsOf =>
  async (path) => {
    const all = await versions.list({ from: path, before: `${path}\u0000`, limit: fewVersions })
    return all.flatMap(({ content }) => content ?? [])
  }

interface Published {
  readonly feed: Pick<Feed, 'subscribe'>
  readonly published: Pick<Manifest, 'asset'>
  /** Everything that is published now. */
  readonly all: () => Iterable<AssetRecord>
  readonly now: () => Date
}

/**
 * Which stored responses are too old by what was purged or changed, or because the time of an asset is
 * over: one table for all caches of a process.
 */
export function openPurges(
  { feed, published, all, now }: Published,
  opening: AsyncDisposableStack,
): PurgeGenerations {
  const purges = createPurgeGenerations()
  opening.use(
    feed.subscribe(
      (entries) => purges.applyFeed(entries),
      (entries) => purges.prepareFeed(entries),
    ),
  )
  const isAhead = (ms: number) => ms > now().getTime()
  const expiries = followExpiries({
    feed,
    published,
    all,
    now,
    // From the first of them on it is sent with a lifetime that ends with it.
    momentsOf: (endMs) => [endMs - 1000 * endingSeconds, endMs].filter(isAhead),
    onMoment: (paths) => purges.raise({ counters: paths.flatMap(countersOfAsset), soft: false }),
  })
  opening.use(expiries)
  return purges
}

/** The country of a request, as a trusted proxy says, else by the address. */
export async function openCountries(
  config: Pick<Config, 'trustedProxies' | 'countryHeader'>,
): Promise<CountryOf> {
  const countries = await openCountryDatabase()
  return createCountryOf({
    lookUp: (address) => countries.countryOf(address),
    proxies: trustedProxies(config.trustedProxies),
    header: config.countryHeader,
  })
}
