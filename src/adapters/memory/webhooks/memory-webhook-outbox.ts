import type { AuditRecord } from '../../../ports/records/audit.ts'
import {
  attemptsPerDelivery,
  type Delivery,
  type LoggedDelivery,
  type LogQuery,
  type Outcome,
  type RecentDelivery,
  type ReadyQuery,
  type WebhookOutbox,
} from '../../../ports/webhooks/webhook-outbox.ts'
import type { MemoryDatabase } from '../content/memory-database.ts'

/** A WebhookOutbox for tests and demos. */
export class MemoryWebhookOutbox implements WebhookOutbox {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async ready(
    webhookId: string,
    { now, limit, holdingFailures }: ReadyQuery,
  ): Promise<readonly Delivery[]> {
    return this.#pendingOf(webhookId)
      .filter(
        ({ failures, nextAttemptAt }) =>
          failures === 0 ||
          failures < holdingFailures ||
          (nextAttemptAt !== undefined && nextAttemptAt <= now),
      )
      .slice(0, limit)
  }

  async nextDueAt(webhookId: string): Promise<Date | undefined> {
    const times = this.#pendingOf(webhookId).map(({ nextAttemptAt }) => nextAttemptAt?.getTime())
    const first = Math.min(...times.filter((time) => time !== undefined))
    return Number.isFinite(first) ? new Date(first) : undefined
  }

  async record(outcomes: readonly Outcome[]): Promise<void> {
    for (const outcome of outcomes) this.#record(outcome)
  }

  async renew(
    { webhookId, id }: { readonly webhookId: string; readonly id: string },
    now: Date,
    audit: AuditRecord,
  ): Promise<Delivery | undefined> {
    const known = this.#of(webhookId).find((delivery) => delivery.id === id)
    if (known === undefined) return undefined
    const renewed = { ...known, state: 'pending' as const, failures: 0, nextAttemptAt: now }
    this.#database.deliveryByNumber.set(known.number, renewed)
    this.#database.announce([], [audit])
    return renewed
  }

  async add(
    delivery: Pick<Delivery, 'webhookId' | 'event' | 'payload' | 'createdAt'>,
    audit: AuditRecord,
  ): Promise<Delivery | undefined> {
    if (!this.#database.webhookById.has(delivery.webhookId)) return undefined
    const rest = { zone: undefined, nextAttemptAt: undefined }
    const added = this.#database.addDelivery({ ...delivery, ...rest, state: 'dead' })
    this.#database.announce([], [audit])
    return added
  }

  async log(
    webhookId: string,
    { limit, before = Infinity, state, event }: LogQuery,
  ): Promise<readonly LoggedDelivery[]> {
    return this.#of(webhookId)
      .filter(({ number }) => number < before)
      .filter((each) => event === undefined || each.event === event)
      .filter((each) => state === undefined || isOfState(each, state))
      .toReversed()
      .slice(0, limit)
      .map((delivery) => ({
        ...delivery,
        attempts: delivery.attempts.slice(-attemptsPerDelivery),
      }))
  }

  async recent(webhookIds: readonly string[], limit: number): Promise<readonly RecentDelivery[]> {
    return webhookIds
      .flatMap((id) =>
        this.#of(id)
          .filter(({ tries }) => tries > 0)
          .slice(-limit),
      )
      .toSorted((a, b) => b.number - a.number)
      .flatMap(({ webhookId, id, event, state, attempts }) =>
        attempts.slice(-1).map(({ at, durationMs, status, error }) => ({
          webhookId,
          id,
          event,
          state,
          at,
          durationMs,
          status,
          error,
        })),
      )
  }

  async forgetBefore(time: Date, limit: number): Promise<number> {
    const { deliveryByNumber } = this.#database
    const old = [...deliveryByNumber.values()]
      .filter(({ createdAt, state }) => createdAt < time && state !== 'pending')
      .slice(0, limit)
    for (const { number } of old) deliveryByNumber.delete(number)
    return old.length
  }

  #of(id: string): readonly LoggedDelivery[] {
    return [...this.#database.deliveryByNumber.values()].filter(({ webhookId }) => webhookId === id)
  }

  #pendingOf(webhookId: string): readonly LoggedDelivery[] {
    return this.#of(webhookId).filter(({ state }) => state === 'pending')
  }

  #record({ delivery, attempt, state, failures, nextAttemptAt }: Outcome): void {
    const { deliveryByNumber, webhookById } = this.#database
    const known = deliveryByNumber.get(delivery.number)
    const webhook = webhookById.get(delivery.webhookId)
    if (known === undefined || webhook === undefined) return
    deliveryByNumber.set(known.number, {
      ...known,
      state,
      failures: state === 'delivered' ? known.failures : failures,
      nextAttemptAt: state === 'delivered' ? undefined : nextAttemptAt,
      tries: known.tries + 1,
      attempts: [...known.attempts, structuredClone(attempt)],
    })
    const failingSince = state === 'delivered' ? undefined : (webhook.failingSince ?? attempt.at)
    webhookById.set(webhook.id, { ...webhook, failingSince })
  }
}

const isOfState = (
  { state, failures }: Delivery,
  wanted: NonNullable<LogQuery['state']>,
): boolean =>
  wanted === 'failed' ? state === 'dead' || (state === 'pending' && failures > 0) : state === wanted
