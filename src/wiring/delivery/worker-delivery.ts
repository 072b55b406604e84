import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { SqlDomainStore } from '../../adapters/sql/domains/sql-domain-store.ts'
import { SqlPreviewStore } from '../../adapters/sql/previews/sql-preview-store.ts'
import type { Config } from '../../config/config.ts'
import { createPins } from '../../domain/content/past/pins.ts'
import { openFollowedManifest } from '../../domain/publishing/followed-manifest.ts'
import type { OpenDelivery } from '../../server/workers/edge-worker.ts'
import {
  createClientOf,
  formerContentsIn,
  openAssetEdge,
  openCountries,
  openPurges,
} from './asset-edge.ts'
import { createHostPurposes } from './host-purposes.ts'
import { type NotingSettings, openNoting } from './request-noting.ts'
import { pastOfMain } from './worker-past.ts'
import { type BlobSettings, blobSettingsOf, openBlobReader } from '../content/blob-stores.ts'
import { type DatabaseSettings, openDatabaseReader } from '../content/databases.ts'
import { SqlObjectVersions } from '../../adapters/sql/versions/sql-object-versions.ts'

/** What a worker delivers, and from where; as plain data. */
export interface DeliverySettings
  extends
    BlobSettings,
    DatabaseSettings,
    NotingSettings,
    Pick<
      Config,
      | 'baseUrl'
      | 'dashboardHost'
      | 's3Host'
      | 'previewHost'
      | 'clusterAddress'
      | 'trustedProxies'
      | 'countryHeader'
    > {}

export const deliverySettingsOf = (config: Config): DeliverySettings => ({
  ...blobSettingsOf(config),
  databaseUrl: config.databaseUrl?.reveal(),
  baseUrl: config.baseUrl,
  dashboardHost: config.dashboardHost,
  s3Host: config.s3Host,
  previewHost: config.previewHost,
  clusterAddress: config.clusterAddress,
  trustedProxies: config.trustedProxies,
  countryHeader: config.countryHeader,
  requestLogMb: config.requestLogMb,
  requestLogPerSecond: config.requestLogPerSecond,
  requestLogSample: config.requestLogSample,
  requestLogNetworks: config.requestLogNetworks,
})

const now = () => new Date()

/** Delivers what the main process publishes: its database and blobs are read, the repository is not touched. */
export const openDelivery: OpenDelivery<DeliverySettings> = async (settings, given) => {
  const { tap, connections, elsewhere, query, opening } = given
  const database = opening.use(await openDatabaseReader(settings))
  const manifest = await openFollowedManifest({
    store: new SqlPublicationStore(database),
    domains: new SqlDomainStore(database),
    previews: new SqlPreviewStore(database),
    monotonicMs: () => performance.now(),
  })
  const noting = openNoting(settings)
  // Who asks too much is told so by the main process, which counts it.
  const pins = createPins({ source: pastOfMain(query), charge: () => {}, now })
  const edge = openAssetEdge({
    manifest,
    past: { pins, addressOf: createClientOf(settings) },
    formerContentsOf: formerContentsIn(new SqlObjectVersions(database)),
    blobs: await openBlobReader(settings, { now }),
    purges: openPurges(
      { feed: manifest, published: manifest, all: () => manifest.all(), now },
      opening,
    ),
    erasures: manifest,
    connections,
    traffic: { tap, countryOf: await openCountries(settings), requests: noting },
    elsewhere,
    settings,
    opening,
  })
  const hosts = createHostPurposes({
    ...settings,
    zoneOfHost: (hostname) => manifest.zoneOfHost(hostname),
    hasZone: (name) => manifest.zone(name) !== undefined,
  })
  return {
    edge,
    manifest,
    isOfMain: (url) => hosts.isOfS3(url),
    takeLines: () => noting.tap.drain(),
  }
}
