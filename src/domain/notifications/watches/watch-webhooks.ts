import type { Condition } from '../../../ports/records/notification.ts'
import type { WebhookRecord } from '../../../ports/webhooks/webhook-store.ts'
import type { Watch } from '../watch.ts'

interface Dependencies {
  readonly list: () => Promise<readonly WebhookRecord[]>
  readonly now: () => Date
}

/** A receiver that is restarted is back by then. */
const failsForMs = 300_000

/** Webhooks that were switched off by the service, or have failed for minutes. */
export function watchWebhooks({ list, now }: Dependencies): Watch {
  return {
    kinds: ['webhook'],
    async look() {
      const at = now().getTime()
      return (await list()).flatMap((webhook) => conditionOfWebhook(webhook, at) ?? [])
    },
  }
}

function conditionOfWebhook(webhook: WebhookRecord, at: number): Condition | undefined {
  const { id, url, zones, active, switchedOff, failingSince } = webhook
  const about = {
    kind: 'webhook' as const,
    about: id,
    // Its path may hold what only its owner should know.
    name: URL.parse(url)?.host ?? id,
    zone: zones?.length === 1 ? zones[0] : undefined,
  }
  if (switchedOff === 'gone')
    return {
      ...about,
      severity: 'critical',
      detail: 'The receiver answered 410 Gone, so that the webhook was switched off.',
    }
  if (switchedOff === 'failing')
    return {
      ...about,
      severity: 'critical',
      detail: 'It failed for five days and was switched off. Events since then are lost to it.',
    }
  if (!active || failingSince === undefined || at - failingSince.getTime() < failsForMs)
    return undefined
  return {
    ...about,
    severity: 'warning',
    detail: `No delivery has succeeded since ${failingSince.toISOString()}. It is tried again.`,
  }
}
