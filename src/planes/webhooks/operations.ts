import type { Webhooks } from '../../domain/webhooks/webhooks.ts'
import type { HandledOperation } from '../../http/operation.ts'
import { deliveryOperations } from './deliveries.ts'
import { webhookOperations } from './webhooks.ts'

interface WebhooksDependencies {
  readonly webhooks: Webhooks
}

export const webhooksOperations: readonly HandledOperation<WebhooksDependencies>[] = [
  ...webhookOperations,
  ...deliveryOperations,
]
