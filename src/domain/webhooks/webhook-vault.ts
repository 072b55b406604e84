import type { TextSealer } from '../../lib/secrets/text-sealer.ts'
import type { WebhookRecord } from '../../ports/webhooks/webhook-store.ts'
import type { OpenedWebhook } from './deliver.ts'

/** Secrets of webhooks, encrypted for the store. A secret copied to another webhook does not open. */
export interface WebhookVault {
  seal(webhook: Pick<WebhookRecord, 'id'>, secret: string): string
  /** `undefined` where it was sealed under another key. */
  open(webhook: WebhookRecord): OpenedWebhook | undefined
  /** The webhook with its secrets sealed under the newest key; `undefined` where they are already, or cannot be. */
  reseal(webhook: WebhookRecord): WebhookRecord | undefined
}

export const createWebhookVault = (sealer: TextSealer): WebhookVault => ({
  seal: ({ id }, secret) => sealer.seal(secret, placeOf(id)),
  open({ id, url, ordered, sealedSecret, previousSecret }) {
    const secret = sealer.open(sealedSecret, placeOf(id))?.text
    if (secret === undefined) return undefined
    const previous = previousSecret && sealer.open(previousSecret.sealed, placeOf(id))?.text
    return {
      id,
      url,
      ordered,
      secret,
      previousSecret:
        previousSecret === undefined || previous === undefined
          ? undefined
          : { text: previous, validUntil: previousSecret.validUntil },
    }
  },
  reseal(webhook) {
    const place = placeOf(webhook.id)
    const { previousSecret } = webhook
    const secret = sealer.open(webhook.sealedSecret, place)
    const previous = previousSecret && sealer.open(previousSecret.sealed, place)
    if (secret === undefined || (secret.isCurrent && previous?.isCurrent !== false))
      return undefined
    return {
      ...webhook,
      sealedSecret: sealer.seal(secret.text, place),
      previousSecret: previousSecret &&
        previous && { ...previousSecret, sealed: sealer.seal(previous.text, place) },
    }
  },
})

const placeOf = (id: string): string => `webhook ${id}`
