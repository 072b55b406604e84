import type { DeliveryState } from '../../../ports/webhooks/webhook-outbox.ts'
import type { WebhookRecord } from '../../../ports/webhooks/webhook-store.ts'

export interface WebhookTable {
  readonly id: string
  readonly url: string
  readonly events: string
  /** Whether it hears of only the zones in `webhook_zones`. */
  readonly narrowed: number
  readonly ordered: number
  readonly sealed_secret: string
  readonly secret_last_four: string
  readonly previous_sealed_secret: string | null
  readonly previous_valid_until: number | null
  readonly active: number
  readonly switched_off: NonNullable<WebhookRecord['switchedOff']> | null
  readonly failing_since: number | null
  readonly created_by: string
  readonly created_at: number
}

export interface WebhookZoneTable {
  readonly webhook_id: string
  readonly zone: string
}

export interface WebhookDeliveryTable {
  readonly number: number
  readonly id: string
  readonly webhook_id: string
  readonly event: string
  readonly zone: string | null
  readonly payload: string
  readonly created_at: number
  readonly state: DeliveryState
  readonly failures: number
  readonly tries: number
  readonly next_attempt_at: number | null
}

export interface WebhookAttemptTable {
  /** The number of its delivery. */
  readonly delivery: number
  /** From 1 within the delivery. */
  readonly number: number
  readonly at: number
  readonly duration_ms: number
  readonly url: string
  readonly request_headers: string
  readonly status: number | null
  readonly error: string | null
  readonly answer: string
  /** JSON; null in rows from before there was this column. */
  readonly response_headers: string | null
}
