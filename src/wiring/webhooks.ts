import { NodeWebhookSender } from '../adapters/node-http/node-webhook-sender.ts'
import { SqlWebhookOutbox } from '../adapters/sql/webhooks/sql-webhook-outbox.ts'
import { SqlWebhookStore } from '../adapters/sql/webhooks/sql-webhook-store.ts'
import { createDeliver } from '../domain/webhooks/deliver.ts'
import { openDispatcher } from '../domain/webhooks/dispatcher.ts'
import { resealSecrets } from '../domain/webhooks/reseal-secrets.ts'
import { createWebhookVault } from '../domain/webhooks/webhook-vault.ts'
import { createWebhooks } from '../domain/webhooks/webhooks.ts'
import { createTextSealer } from '../lib/secrets/text-sealer.ts'
import type { WebhookOutbox } from '../ports/webhooks/webhook-outbox.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import type { World } from './world.ts'

export type WebhookParts = Awaited<ReturnType<typeof openWebhooks>>

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly opening: AsyncDisposableStack
}

/** Telling others of events. */
export async function openWebhooks(world: World, { stores, publishing, opening }: Opened) {
  const { config, log, now, newId, monotonicMs } = world
  const store = new SqlWebhookStore(stores.database)
  const outbox = new SqlWebhookOutbox(stores.database)
  const sender = opening.use(
    new NodeWebhookSender({ allowPrivate: config.webhookAllowPrivate, monotonicMs }),
  )
  const { keys, previousKeys } = config
  const former = previousKeys.webhookSecretKey
  const secrets = [keys.webhookSecretKey, ...(former === undefined ? [] : [former])] as const
  const vault = createWebhookVault(createTextSealer(secrets, 'webhooks'))
  await resealSecrets({ store, vault, now })
  const userAgent = `Sedge/${config.version}`
  const deliver = createDeliver({ sender, now, random: Math.random, userAgent })
  const dispatcher = opening.use(
    await openDispatcher({
      store,
      outbox,
      feed: publishing.feed,
      deliver,
      openWebhook: (webhook) => vault.open(webhook),
      now,
      log,
    }),
  )
  keepTime(() => dispatcher.tick(), opening)
  forgetOld(world, outbox, opening)
  return {
    notify: dispatcher.notify,
    listAll: () => store.list(),
    webhooks: createWebhooks({
      store,
      outbox,
      sender,
      vault,
      deliver,
      dispatcher,
      published: publishing.catalog,
      limits: {
        total: config.webhooks,
        perZone: (zone) => publishing.bounds.limitOr(zone, 'webhooks', config.webhooksPerZone),
        reserved: config.webhooksReserved,
      },
      now,
      newId,
    }),
  }
}

const tickMs = 500

function keepTime(tick: () => void, opening: AsyncDisposableStack): void {
  const timer = setInterval(tick, tickMs)
  opening.defer(() => clearInterval(timer))
}

const forgetEveryMs = 600_000
const keptMs = 7 * 86_400_000
const forgottenAtOnce = 2_000

/** Deliveries are kept for a week; older ones go a part at a time, so that nobody waits for it. */
function forgetOld(
  { log, now }: World,
  outbox: WebhookOutbox,
  opening: AsyncDisposableStack,
): void {
  let running: Promise<void> = Promise.resolve()
  const ending = new AbortController()
  async function forget(): Promise<void> {
    const before = new Date(now().getTime() - keptMs)
    while (
      !ending.signal.aborted &&
      (await outbox.forgetBefore(before, forgottenAtOnce)) === forgottenAtOnce
    );
  }
  const timer = setInterval(() => {
    running = forget().catch((error: unknown) =>
      log.warn('old webhook deliveries could not be removed', { error }),
    )
  }, forgetEveryMs)
  opening.defer(async () => {
    ending.abort()
    clearInterval(timer)
    await running
  })
}
