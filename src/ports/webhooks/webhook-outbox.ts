import type { AuditRecord } from '../records/audit.ts'

/** One event for one webhook. Written in the transaction that publishes the event. */
export interface Delivery {
  /** Grows from one event to the next. */
  readonly number: number
  /** Names the message, however often it is sent. */
  readonly id: string
  readonly webhookId: string
  readonly event: string
  readonly zone: string | undefined
  /** The body, exactly as it is signed and sent. */
  readonly payload: string
  readonly createdAt: Date
  readonly state: DeliveryState
  /** Attempts that failed since the schedule began, and all attempts ever. */
  readonly failures: number
  readonly tries: number
  /** When it is tried next; `undefined` once it no longer is. */
  readonly nextAttemptAt: Date | undefined
}

/** `dead`: given up. */
export type DeliveryState = 'pending' | 'delivered' | 'dead'

/** One request and what came of it. */
export interface Attempt {
  readonly at: Date
  readonly durationMs: number
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** `undefined` where no response came. */
  readonly status: number | undefined
  /** Why it failed, where the status alone does not say. */
  readonly error: string | undefined
  /** The beginning of the response's body. */
  readonly response: string
  /** The first fields of the response; none where none came, or the attempt is older than their log. */
  readonly responseHeaders: Readonly<Record<string, string>>
}

/** What an attempt makes of its delivery. */
export interface Outcome {
  readonly delivery: Pick<Delivery, 'number' | 'webhookId'>
  readonly attempt: Attempt
  readonly state: DeliveryState
  readonly failures: number
  readonly nextAttemptAt: Date | undefined
}

/** Oldest attempt first. */
export interface LoggedDelivery extends Delivery {
  readonly attempts: readonly Attempt[]
}

export interface ReadyQuery {
  readonly now: Date
  readonly limit: number
  /** Deliveries with fewer failures than so many hold up those behind them. */
  readonly holdingFailures: number
}

export interface LogQuery {
  readonly limit: number
  /** Only deliveries with a smaller number. */
  readonly before?: number
  /** `failed`: given up, or to be tried again after a failure. */
  readonly state?: DeliveryState | 'failed' | undefined
  readonly event?: string | undefined
}

/** A delivery that was tried, by its last attempt. */
export interface RecentDelivery
  extends
    Pick<Delivery, 'webhookId' | 'id' | 'event' | 'state'>,
    Pick<Attempt, 'at' | 'durationMs' | 'status' | 'error'> {}

/** Deliveries, from the transaction that makes them necessary to the log of how they went. */
export interface WebhookOutbox {
  /**
   * Pending deliveries of a webhook, by number: those that have not failed yet, whatever the time of
   * their event, those that are due, and those that hold others up.
   */
  ready(webhookId: string, query: ReadyQuery): Promise<readonly Delivery[]>
  /** When the first pending delivery of the webhook is due. */
  nextDueAt(webhookId: string): Promise<Date | undefined>
  /**
   * Records attempts, all or none, and answers once that is durable. A success ends the webhook's
   * `failingSince`; the first failure after it sets it. What belongs to a removed webhook is dropped.
   */
  record(outcomes: readonly Outcome[]): Promise<void>
  /** Makes a delivery pending again, its schedule begun anew. `undefined` where there is none. */
  renew(
    delivery: { readonly webhookId: string; readonly id: string },
    now: Date,
    audit: AuditRecord,
  ): Promise<Delivery | undefined>
  /**
   * Adds a delivery that belongs to no event of the feed and is not tried by itself: it begins as
   * `dead`. `undefined` where the webhook is gone.
   */
  add(
    delivery: Pick<Delivery, 'webhookId' | 'event' | 'payload' | 'createdAt'>,
    audit: AuditRecord,
  ): Promise<Delivery | undefined>
  /** Newest first, each with its last attempts, at most `attemptsPerDelivery`. */
  log(webhookId: string, query: LogQuery): Promise<readonly LoggedDelivery[]>
  /** The last `limit` deliveries of each of these webhooks that were tried, newest first. */
  recent(webhookIds: readonly string[], limit: number): Promise<readonly RecentDelivery[]>
  /** Forgets what was created before and is not pending, at most `limit`. Answers how many that was. */
  forgetBefore(time: Date, limit: number): Promise<number>
}

export const attemptsPerDelivery = 20
