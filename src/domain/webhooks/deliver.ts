import type { Delivery, Outcome } from '../../ports/webhooks/webhook-outbox.ts'
import type {
  WebhookResponse,
  WebhookRequest,
  WebhookSender,
} from '../../ports/webhooks/webhook-sender.ts'
import { delayAfter } from './schedule.ts'
import { signatureHeaders } from './signature.ts'

/** A webhook with its secrets in the clear. */
export interface OpenedWebhook {
  readonly id: string
  readonly url: string
  readonly ordered: boolean
  readonly secret: string
  readonly previousSecret: { readonly text: string; readonly validUntil: Date } | undefined
}

export interface DeliverDependencies {
  readonly sender: Pick<WebhookSender, 'send'>
  readonly now: () => Date
  /** 0 ≤ x < 1. */
  readonly random: () => number
  readonly userAgent: string
}

export type Deliver = (
  webhook: OpenedWebhook,
  delivery: Delivery,
  signal?: AbortSignal,
) => Promise<Outcome>

/** The status with which a receiver says that it wants no more. */
export const goneStatus = 410

/** One attempt: signs, sends, and works out what the response means. */
export const createDeliver =
  ({ sender, now, random, userAgent }: DeliverDependencies): Deliver =>
  async (webhook, delivery, signal) => {
    const at = now()
    const request = requestFor(webhook, delivery, { at, userAgent })
    const response = await sender.send(request, signal)
    return {
      delivery,
      attempt: {
        at,
        durationMs: response.durationMs,
        url: request.url,
        requestHeaders: request.headers,
        status: response.status,
        error: response.error,
        response: response.body,
        responseHeaders: response.headers,
      },
      ...verdictOn(response, delivery.failures, { now, random }),
    }
  }

function requestFor(
  { url, secret, previousSecret }: OpenedWebhook,
  { id, event, payload }: Delivery,
  { at, userAgent }: { readonly at: Date; readonly userAgent: string },
): WebhookRequest {
  const secrets =
    previousSecret !== undefined && at < previousSecret.validUntil
      ? [secret, previousSecret.text]
      : [secret]
  return {
    url,
    body: payload,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': userAgent,
      'X-Webhook-Event': event,
      ...signatureHeaders({ id, at, body: payload, secrets }),
    },
  }
}

type Verdict = Pick<Outcome, 'state' | 'failures' | 'nextAttemptAt'>

function verdictOn(
  { status }: WebhookResponse,
  failuresBefore: number,
  { now, random }: Pick<DeliverDependencies, 'now' | 'random'>,
): Verdict {
  if (status !== undefined && status >= 200 && status < 300)
    return { state: 'delivered', failures: failuresBefore, nextAttemptAt: undefined }
  const failures = failuresBefore + 1
  const delayMs = status === goneStatus ? undefined : delayAfter(failures, random)
  return delayMs === undefined
    ? { state: 'dead', failures, nextAttemptAt: undefined }
    : { state: 'pending', failures, nextAttemptAt: new Date(now().getTime() + delayMs) }
}
