import type { Webhooks } from '../../domain/webhooks/webhooks.ts'
import type { Operation } from '../../http/operation.ts'
import { deliveryOperations } from './deliveries.ts'
import { webhookOperations } from './webhooks.ts'

export interface WebhooksDependencies {
  readonly webhooks: Webhooks
}

export const webhooksOperations = (dependencies: WebhooksDependencies): readonly Operation[] => [
  ...webhookOperations(dependencies),
  ...deliveryOperations(dependencies),
]
