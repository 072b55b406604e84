import { Mutex } from '../../lib/async/mutex.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { WebhookEvent } from '../../ports/records/webhook-event.ts'
import type {
  LoggedDelivery,
  LogQuery,
  WebhookOutbox,
} from '../../ports/webhooks/webhook-outbox.ts'
import type { WebhookSender } from '../../ports/webhooks/webhook-sender.ts'
import type { WebhookRecord, WebhookStore } from '../../ports/webhooks/webhook-store.ts'
import type { Actor } from '../access/actor.ts'
import { requireUnsuspendedFor } from '../access/suspended-zones.ts'
import { invalid, ServiceError, tooMany } from '../errors.ts'
import type { Deliver } from './deliver.ts'
import type { WebhookDispatcher } from './dispatcher.ts'
import { sendTest, type TestResult } from './send-test.ts'
import { recentDeliveries, type Standing, standingsOf } from './registered/standing.ts'
import { webhookAuditOf as auditOf, webhookNotFound } from './webhook-records.ts'
import {
  changesBetween,
  edited,
  secretOf,
  storedEvents,
  type WebhookEdit,
} from './webhook-edits.ts'
import { createWebhookSecret, lastFourOf, parseWebhookSecret } from './registered/webhook-secret.ts'
import { acceptedUrl } from './registered/webhook-url.ts'
import type { WebhookVault } from './webhook-vault.ts'

export interface WebhookRequestFields {
  readonly url: string
  readonly events: readonly (WebhookEvent | '*')[]
  /** Generated where left out. */
  readonly secret?: string | undefined
  /** Every zone where left out. */
  readonly zones?: readonly string[] | undefined
  readonly ordered: boolean
}

/** A webhook, and its secret where it was generated just now. */
export interface WebhookAndSecret {
  readonly webhook: WebhookRecord
  readonly secret: string | undefined
}

/** Registering who is told of events. A narrowed actor reaches only webhooks for its own zones. */
export interface Webhooks {
  create(request: WebhookRequestFields, actor: Actor): Promise<WebhookAndSecret>
  list(actor: Pick<Actor, 'zones'>): Promise<readonly WebhookRecord[]>
  find(id: string, actor: Pick<Actor, 'zones'>): Promise<WebhookRecord>
  edit(id: string, edit: WebhookEdit, actor: Actor): Promise<WebhookAndSecret>
  remove(id: string, actor: Actor): Promise<WebhookRecord>
  /** Sends an example of an event at once, once, and answers what came of it. */
  test(id: string, actor: Actor, event?: WebhookEvent): Promise<TestResult>
  /** How it goes with each of these webhooks. */
  standings(webhooks: readonly WebhookRecord[]): Promise<readonly Standing[]>
  deliveries(id: string, query: LogQuery, actor: Actor): Promise<readonly LoggedDelivery[]>
  /** Begins the schedule of a delivery anew, under its old message id. */
  redeliver(id: string, deliveryId: string, actor: Actor): Promise<void>
}

export interface WebhooksDependencies {
  readonly store: WebhookStore
  readonly outbox: WebhookOutbox
  readonly sender: Pick<WebhookSender, 'refusalOf'>
  readonly vault: WebhookVault
  readonly deliver: Deliver
  readonly dispatcher: Pick<WebhookDispatcher, 'refresh' | 'hurry'>
  readonly published: Pick<Manifest, 'zone'>
  readonly limits: WebhookLimits
  readonly now: () => Date
  readonly newId: () => string
}

/** How many webhooks there may be. */
export interface WebhookLimits {
  readonly total: number
  /** That a narrowed actor may make others hear of one zone. */
  readonly perZone: (zone: string) => number
  /** Of all, those that are left to whoever has all zones. */
  readonly reserved: number
}

export function createWebhooks(deps: WebhooksDependencies): Webhooks {
  const { store, outbox, dispatcher, now } = deps
  const { find, findWorking } = createFinding(deps)
  const creating = { ...deps, turns: new Mutex() }
  return {
    find,
    create: (request, actor) => create(request, actor, creating),
    list: async (actor) => (await store.list()).filter((webhook) => isWithin(webhook, actor)),

    edit: async (id, edit, actor) =>
      editOne(await findWorking(id, actor), { edit, actor }, creating),

    async remove(id, actor) {
      const webhook = await find(id, actor)
      const audit = auditOf('webhook.delete', webhook, { actor, at: now() })
      if (!(await store.remove(id, audit))) throw webhookNotFound()
      await dispatcher.refresh()
      return webhook
    },

    test: async (id, actor, event) =>
      sendTest(await findWorking(id, actor), { actor, event }, deps),

    async standings(webhooks) {
      const ids = webhooks.map(({ id }) => id)
      return standingsOf(webhooks, await outbox.recent(ids, recentDeliveries))
    },

    async deliveries(id, query, actor) {
      await find(id, actor)
      return await outbox.log(id, query)
    },

    async redeliver(id, deliveryId, actor) {
      const webhook = await findWorking(id, actor)
      if (!webhook.active)
        throw new ServiceError('WriteConflict', 'The webhook is switched off; set active first', {
          target: 'active',
        })
      const at = now()
      const audit = auditOf('webhook.redeliver', webhook, { actor, at, meta: { deliveryId } })
      const delivery = { webhookId: id, id: deliveryId }
      if ((await outbox.renew(delivery, at, audit)) === undefined)
        throw new ServiceError('NotFound', 'The webhook has no delivery with this id', {
          target: 'deliveryId',
        })
      dispatcher.hurry(id)
    },
  }
}

function createFinding({ store, published }: Pick<WebhooksDependencies, 'store' | 'published'>) {
  async function find(id: string, actor: Pick<Actor, 'zones'>): Promise<WebhookRecord> {
    const webhook = await store.find(id)
    if (webhook === undefined || !isWithin(webhook, actor)) throw webhookNotFound()
    return webhook
  }
  return {
    find,
    /** What a narrowed actor may have do something: none for a zone that is suspended. */
    findWorking: async (id: string, actor: Actor): Promise<WebhookRecord> => {
      const webhook = await find(id, actor)
      requireUnsuspendedFor(actor, webhook.zones ?? [], published)
      return webhook
    },
  }
}

interface Creating extends WebhooksDependencies {
  /** Of many at once no more are made than there may be. */
  readonly turns: Mutex
}

async function create(
  request: WebhookRequestFields,
  actor: Actor,
  deps: Creating,
): Promise<WebhookAndSecret> {
  const { sender, vault, dispatcher, now } = deps
  const zones = zonesFor(actor, request.zones, deps)
  const secret =
    request.secret === undefined ? createWebhookSecret() : parseWebhookSecret(request.secret)
  const url = await acceptedUrl(request.url, sender)
  const webhook = {
    ...newWebhook({ ...request, url, zones }, { id: deps.newId(), at: now(), actor }),
    secretLastFour: lastFourOf(secret),
  }
  const sealed = { ...webhook, sealedSecret: vault.seal(webhook, secret) }
  await add(sealed, actor, deps)
  await dispatcher.refresh()
  return { webhook: sealed, secret: request.secret === undefined ? secret : undefined }
}

/** As they are stored, where the actor may have others told of them. */
function zonesFor(
  actor: Actor,
  given: readonly string[] | undefined,
  { published }: Pick<WebhooksDependencies, 'published'>,
): readonly string[] | undefined {
  const zones = given && [...new Set(given)].toSorted()
  if (!isWithin({ zones }, actor))
    throw new ServiceError(
      'InsufficientScope',
      'zones must be given, and be among those of the token that asks',
      { target: 'zones' },
    )
  requireUnsuspendedFor(actor, zones ?? [], published)
  return zones
}

async function editOne(
  known: WebhookRecord,
  { edit, actor }: { readonly edit: WebhookEdit; readonly actor: Actor },
  deps: Creating,
): Promise<WebhookAndSecret> {
  const { store, vault, dispatcher, sender, now } = deps
  using _turn = await deps.turns.acquire()
  const { secret, isGenerated } = secretOf(edit)
  const zones =
    edit.zones === undefined ? known.zones : zonesFor(actor, edit.zones ?? undefined, deps)
  const url = edit.url === undefined ? known.url : await acceptedUrl(edit.url, sender)
  const added = (zones ?? []).filter((zone) => known.zones?.includes(zone) !== true)
  if (edit.zones !== undefined) await limitFor(actor, added, deps)
  const at = now()
  const change = { edit, url, secret, at, vault, ...(edit.zones !== undefined && { zones }) }
  const audit = auditOf('webhook.update', known, {
    actor,
    at,
    meta: {
      active: edit.active,
      rotated: secret !== undefined,
      ...changesBetween(known, edited(known, change)),
    },
  })
  const webhook = await store.change(known.id, (newest) => edited(newest, change), audit)
  if (webhook === 'zone unknown') throw invalid('zones', 'must name zones that exist')
  if (webhook === undefined) throw webhookNotFound()
  await dispatcher.refresh()
  return { webhook, secret: isGenerated ? secret : undefined }
}

const newWebhook = (
  { url, events, zones, ordered }: WebhookRequestFields,
  { id, at, actor }: { readonly id: string; readonly at: Date; readonly actor: Actor },
): WebhookRecord => ({
  id,
  url,
  events: storedEvents(events),
  zones,
  ordered,
  sealedSecret: '',
  secretLastFour: '',
  previousSecret: undefined,
  active: true,
  switchedOff: undefined,
  failingSince: undefined,
  createdBy: actor.credentialId,
  createdAt: at,
})

async function add(webhook: WebhookRecord, actor: Actor, deps: Creating): Promise<void> {
  using _turn = await deps.turns.acquire()
  const limit = await limitFor(actor, webhook.zones ?? [], deps)
  const { events, createdAt: at } = webhook
  const audit = auditOf('webhook.create', webhook, { actor, at, meta: { events } })
  const response = await deps.store.add(webhook, { limit, audit })
  if (response === 'full') throw tooMany('url', `There are ${limit} webhooks or more`, limit)
  if (response === 'zone unknown') throw invalid('zones', 'must name zones that exist')
}

/** How many there may be in all for this actor to make another. */
async function limitFor(
  actor: Actor,
  zones: readonly string[],
  { store, limits: { total, perZone, reserved } }: WebhooksDependencies,
): Promise<number> {
  if (actor.zones === undefined) return total
  const webhooks = await store.list()
  for (const zone of zones) {
    const count = webhooks.filter((webhook) => webhook.zones?.includes(zone) === true).length
    if (count >= perZone(zone))
      throw tooMany('zones', `${count} webhooks hear of zone "${zone}"`, perZone(zone))
  }
  return Math.max(0, total - reserved)
}

const isWithin = ({ zones }: Pick<WebhookRecord, 'zones'>, actor: Pick<Actor, 'zones'>): boolean =>
  actor.zones === undefined ||
  (zones !== undefined && zones.length > 0 && zones.every((zone) => actor.zones?.has(zone)))
