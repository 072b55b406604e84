import type { RecentDelivery } from '../../../ports/webhooks/webhook-outbox.ts'
import type { WebhookRecord } from '../../../ports/webhooks/webhook-store.ts'

/** How it goes with a webhook. */
export interface Standing {
  readonly webhook: WebhookRecord
  readonly state: WebhookState
  /** The one that was tried last, whenever its event was. */
  readonly lastDelivery: RecentDelivery | undefined
  /** Of the last deliveries that were tried, at most {@link recentDeliveries}. */
  readonly tried: number
  /** Those of them whose last attempt failed. */
  readonly failed: number
}

export const webhookStates = ['healthy', 'failing', 'paused', 'unused'] as const
export type WebhookState = (typeof webhookStates)[number]

export const recentDeliveries = 50

export function standingsOf(
  webhooks: readonly WebhookRecord[],
  recent: readonly RecentDelivery[],
): readonly Standing[] {
  const recentById = Map.groupBy(recent, ({ webhookId }) => webhookId)
  return webhooks.map((webhook) => {
    const own = recentById.get(webhook.id) ?? []
    return {
      webhook,
      state: stateOf(webhook, own),
      lastDelivery: own.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0],
      tried: own.length,
      failed: own.filter(({ status }) => !isSuccess(status)).length,
    }
  })
}

function stateOf(
  { active, failingSince }: WebhookRecord,
  own: readonly RecentDelivery[],
): WebhookState {
  if (!active) return 'paused'
  if (failingSince !== undefined) return 'failing'
  return own.length === 0 ? 'unused' : 'healthy'
}

const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300
