import { statfs } from 'node:fs/promises'

import { SqlNotificationStore } from '../../adapters/sql/notifications/sql-notification-store.ts'
import { createMailQueue, type MailQueue } from '../../domain/notifications/mail-queue.ts'
import { createNotifications } from '../../domain/notifications/notifications.ts'
import { createNotifier } from '../../domain/notifications/notifier.ts'
import type { Watch } from '../../domain/notifications/watch.ts'
import { watchDisk } from '../../domain/notifications/watches/watch-disk.ts'
import { watchDomains } from '../../domain/notifications/watches/watch-domains.ts'
import {
  watchBackups,
  watchEdges,
  watchMirror,
} from '../../domain/notifications/watches/watch-elsewhere.ts'
import { watchErrors } from '../../domain/notifications/watches/watch-errors.ts'
import { watchLimits } from '../../domain/notifications/watches/watch-limits.ts'
import { watchService } from '../../domain/notifications/watches/watch-service.ts'
import { watchWebhooks } from '../../domain/notifications/watches/watch-webhooks.ts'
import type { Health } from '../../domain/health/health.ts'
import type { Mirror } from '../../domain/mirror/mirror.ts'
import type { ReadBackupStatus } from '../../ports/notifications/backup-status.ts'
import type { Access } from '../access/access.ts'
import { openLimitBook } from '../access/limit-book.ts'
import type { Limits } from '../access/limits.ts'
import type { Uploading } from '../access/upload-grants.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { Edges } from '../edges.ts'
import type { Insights } from '../insights.ts'
import type { ZoneQuotasOpen } from '../quotas/zone-quotas.ts'
import type { WebhookParts } from '../webhooks.ts'
import type { World } from '../world.ts'

export type NotificationParts = ReturnType<typeof openNotifications>

export interface WatchedParts {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly access: Access
  readonly uploading: Uploading
  readonly limits: Limits
  readonly insights: Insights
  readonly webhooks: WebhookParts
  readonly zoneQuotas: ZoneQuotasOpen
  readonly edges: Edges
  readonly mirror: Mirror | undefined
  readonly health: Health
  readonly readBackups: ReadBackupStatus
  readonly opening: AsyncDisposableStack
}

/** Finds what is wrong, keeps it, and tells those who are to know. */
export function openNotifications(world: World, opened: WatchedParts) {
  const { config, log, now, newId } = world
  const { stores, webhooks, opening } = opened
  const store = new SqlNotificationStore(stores.database)
  const mails = openMails(world, store, opening)
  const kindsOf = (kinds: typeof config.notifyEmailKinds) => new Set(kinds)
  const notifier = createNotifier({
    watches: watchesOf(world, opened),
    store,
    webhookKinds: kindsOf(config.notifyWebhookKinds),
    mailKinds: kindsOf(mails === undefined ? [] : config.notifyEmailKinds),
    baseUrl: config.baseUrl,
    onNotices(notices) {
      webhooks.notify(notices.map(({ event, notification: { zone } }) => ({ event, zone })))
      mails?.hurry()
    },
    now,
    newId,
    log,
  })
  lookNowAndThen(() => notifier.look(), opening)
  return {
    notifications: createNotifications(store),
    open: () => store.current(new Date(8_640_000_000_000_000)),
    mailState: () => mails?.state,
    recentResponses: () => recentResponses(world, opened),
    diskSpace: () => diskSpace(config.dataDirectory),
    edgeStandings: () => edgeStandings(opened),
  }
}

const firstAfterMs = 2_000
const everyMs = 60_000

function lookNowAndThen(look: () => Promise<void>, opening: AsyncDisposableStack): void {
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = look()
  }
  const first = setTimeout(run, firstAfterMs)
  const timer = setInterval(run, everyMs)
  opening.defer(async () => {
    clearTimeout(first)
    clearInterval(timer)
    await running
  })
}

const mailTickMs = 2_000

/** `undefined` where nobody is to be mailed. SMTP is loaded where it is wanted. */
function openMails(
  { config, log, now }: World,
  store: SqlNotificationStore,
  opening: AsyncDisposableStack,
): MailQueue | undefined {
  const { smtpUrl, smtpFrom: from, notifyTo: to, smtpAllowPlain: allowPlain, baseUrl } = config
  if (smtpUrl === undefined || from === undefined) return undefined
  const loading = import('../../adapters/smtp/smtp-mailer.ts').then(
    ({ SmtpMailer }) => new SmtpMailer({ url: smtpUrl.reveal(), from, to, allowPlain }),
  )
  const mailer = {
    send: async (mail: Parameters<Awaited<typeof loading>['send']>[0]) =>
      (await loading).send(mail),
  }
  const queue = opening.use(createMailQueue({ store, mailer, baseUrl, now, log }))
  const timer = setInterval(() => void queue.tick(), mailTickMs)
  opening.defer(async () => {
    clearInterval(timer)
    ;(await loading)[Symbol.dispose]()
  })
  return queue
}

/** Parts without which the service is not fit for use. */
const vitalChecks = new Set([
  'publishing',
  'database',
  'repository',
  'transformer',
  'feed',
  'blobs',
])
const recentMs = 90_000

function watchesOf(world: World, opened: WatchedParts): readonly Watch[] {
  const { config, now } = world
  const { publishing, webhooks, mirror, health, readBackups } = opened
  return [
    watchService(async () =>
      (await health.recent(recentMs)).checks
        .filter(({ healthy }) => !healthy)
        .map(({ name, reason = '' }) => ({ name, reason, isVital: vitalChecks.has(name) })),
    ),
    watchDisk({
      space: () => diskSpace(config.dataDirectory),
      warnPercent: config.diskWarningPercent,
    }),
    watchLimits(limitReader(world, opened)),
    watchErrors({
      recent: () => recentResponses(world, opened),
      warnPercent: config.errorWarningPercent,
    }),
    watchWebhooks({ list: webhooks.listAll, now }),
    watchDomains({ list: () => [...publishing.domains.all()], now }),
    watchEdges(() => edgeStandings(opened), now),
    ...(mirror === undefined
      ? []
      : [
          watchMirror(() => {
            const { condition, ...state } = mirror.state
            return { ...state, isRefused: condition === 'refused' }
          }),
        ]),
    watchBackups(readBackups),
  ]
}

async function diskSpace(directory: string) {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

const recentResponsesMs = 300_000

async function recentResponses({ now }: World, { insights }: WatchedParts) {
  const to = now()
  const from = new Date(to.getTime() - recentResponsesMs)
  const { series } = insights.operations
  const { totals } = await series({ step: 'minute', from, to, timeZone: 'UTC', zones: undefined })
  return totals
}

async function edgeStandings({ edges }: Pick<WatchedParts, 'edges'>) {
  const { changes, edges: registry } = edges.operations
  const newest = changes.position.seq
  return (await registry.list()).map(({ name, isLive, lastSeenAt, seq }) => ({
    name,
    isLive,
    lastSeenAt,
    behind: Math.max(0, newest - seq),
  }))
}

/** Counting what each zone uses asks several tables. */
const zonesReadEveryMs = 900_000
const maxZones = 200

/** Of the zones it is read now and then, of all together each time. */
function limitReader(world: World, opened: WatchedParts) {
  const { publishing, access, uploading, limits, webhooks, zoneQuotas } = opened
  const book = openLimitBook(world, {
    limits,
    publishing,
    tokens: access.operations.tokens,
    grants: uploading.grants,
    inUse: uploading.inUse,
    webhooks: webhooks.webhooks,
    zoneQuotas,
  })
  let readAt = -Infinity
  let ofZones: Awaited<ReturnType<typeof book.ofZone>> = []
  return async () => {
    const at = world.monotonicMs()
    if (at - readAt >= zonesReadEveryMs) {
      const zones = publishing.catalog.zones().slice(0, maxZones)
      const read: (typeof ofZones)[] = []
      for (const { name } of zones) read.push(await book.ofZone(name))
      ofZones = read.flat()
      readAt = at
    }
    return [...(await book.ofAll()), ...ofZones]
  }
}
