import type { WebhookStore } from '../../ports/webhooks/webhook-store.ts'
import type { WebhookVault } from './webhook-vault.ts'

interface Dependencies {
  readonly store: Pick<WebhookStore, 'list' | 'change'>
  readonly vault: Pick<WebhookVault, 'reseal'>
  readonly now: () => Date
}

/** Encrypts anew what a former key encrypted, so that nothing needs that key any more. */
export async function resealSecrets({ store, vault, now }: Dependencies): Promise<void> {
  for (const webhook of await store.list())
    if (vault.reseal(webhook) !== undefined)
      await store.change(webhook.id, (newest) => vault.reseal(newest), {
        at: now(),
        action: 'webhook.reseal',
        actor: 'service',
        target: webhook.id,
        ip: undefined,
        userAgent: undefined,
        requestId: undefined,
        meta: webhook.zones ? { zones: webhook.zones } : {},
      })
}
