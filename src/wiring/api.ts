import { createAssetHistory } from '../domain/content/asset-history.ts'
import { createFileReader } from '../domain/content/delivered/file-reader.ts'
import { createFiles } from '../domain/content/files.ts'
import { createRuleFiles } from '../domain/content/rule-files.ts'
import { createWithheldAssets } from '../domain/content/delivered/withheld-assets.ts'
import { createZones } from '../domain/content/zones.ts'
import { createFocalPoints } from '../domain/media/facts/focal-points.ts'
import { createRuledSvgs } from '../domain/media/svg/ruled-svgs.ts'
import type { Health } from '../domain/health/health.ts'
import type { Search } from '../domain/search/search.ts'
import { createPurges } from '../domain/publishing/purges.ts'
import { type Answered, type App, createApp } from '../http/app.ts'
import { trustedProxies } from '../http/request/client-address.ts'
import { withDescription } from '../http/openapi/openapi.ts'
import type { ChatDependencies } from '../planes/chat/chat.ts'
import { allOperations, planeDescriptions } from '../planes/operations.ts'
import { webhookDescriptions } from '../planes/webhooks/event-schemas.ts'
import type { Access } from './access/access.ts'
import type { Edges } from './edges.ts'
import { namesAssets } from './delivery/host-purposes.ts'
import type { Insights } from './insights.ts'
import { openLimitBook } from './access/limit-book.ts'
import type { Limits } from './access/limits.ts'
import type { Logs } from './logs.ts'
import type { Media } from './media.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import type { WebhookParts } from './webhooks.ts'
import type { World } from './world.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly access: Access
  readonly insights: Insights
  readonly media: Media
  readonly limits: Limits
  readonly logs: Logs
  readonly webhooks: WebhookParts
  readonly search: Search
  readonly edges: Edges
  readonly health: Health
  readonly chat: ChatDependencies['chat']
  readonly onResponse: (answered: Answered) => void
}

/** Everything below `/api/`. */
export function createApi(world: World, opened: Opened): App {
  const { config, log, now, newId } = world
  return createApp({
    operations: withDescription({
      operations: allOperations(createDependencies(world, opened)),
      webhooks: webhookDescriptions,
      planes: planeDescriptions,
    }),
    authenticate: opened.access.authenticate,
    guesses: opened.access.guesses,
    rateLimits: opened.limits.rates,
    trustedProxies: trustedProxies(config.trustedProxies),
    corsOrigins: config.corsOrigins,
    now,
    newId,
    log,
    onResponse: opened.onResponse,
  })
}

function createDependencies(world: World, opened: Opened) {
  const { stores, publishing, access, insights, logs, webhooks, search, chat, edges, limits } =
    opened
  const { config, now } = world
  const { blobs, content, publications } = stores
  const { catalog, feed, publisher, domains } = publishing
  const head = () => content.head()
  return {
    ...access.operations,
    ...insights.operations,
    ...logs,
    ...webhooks,
    ...edges.operations,
    search,
    chat,
    limitBook: openLimitBook(world, { limits, publishing, ...access.operations, ...webhooks }),
    rateLimits: limits.rates,
    ...imagesOf(world, opened),
    zoneOfHost: (hostname: string) => domains.zoneOfHost(hostname),
    withheld: createWithheldAssets(publishing.manifest),
    catalog,
    files: createFiles({ blobs, published: catalog, publisher, head }),
    history: createAssetHistory({ content, published: catalog }),
    reader: createFileReader(publishing.bytes),
    zones: createZones({ blobs, published: catalog, publisher, settle: settling(opened) }),
    rules: createRuleFiles({
      blobs,
      publisher,
      head,
      isOwnHost: (hostname) => publishing.ownHosts.has(hostname),
      now,
    }),
    domains,
    published: catalog,
    feed,
    blobs: publishing.bytes,
    audit: stores.audit,
    purges: createPurges({
      store: publications,
      feed,
      quota: limits.purges,
      quotaOf: limits.purgesOf,
      now,
    }),
    isOurHost: namesAssets({
      ...config,
      zoneOfHost: (hostname) => domains.zoneOfHost(hostname),
    }),
    health: opened.health,
    chargeHealthCheck: (address: string) => void limits.rates.charge('health', address),
    baseUrl: config.baseUrl,
    cnameTarget: config.cnameTarget,
    signedUrlSecret: config.keys.signedUrlSecret,
    previousSignedUrlSecret: config.previousKeys.signedUrlSecret,
    signedUrlMaxAgeSeconds: config.signedUrlMaxAgeSeconds,
    version: config.version,
    now,
  }
}

/** What is made of pictures and videos, and said of them. */
function imagesOf({ now }: World, { stores, publishing, media }: Opened) {
  const { catalog, feed, manifest } = publishing
  const { publications } = stores
  return {
    images: media.images,
    ruledSvgs: createRuledSvgs({
      published: manifest,
      drawings: media.drawings,
    }),
    media: media.media,
    focalPoints: createFocalPoints({
      media: media.media,
      store: publications,
      feed,
      published: catalog,
      now,
    }),
    streams: media.streams,
  }
}

/** Has what was counted and logged until now stored. */
const settling =
  ({ insights, logs }: Opened) =>
  async (): Promise<void> => {
    await insights.operations.flushTraffic()
    await logs.flushLogs()
  }
