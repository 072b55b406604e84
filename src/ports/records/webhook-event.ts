import type { FeedEntry, FeedEvent } from './feed.ts'
import type { NotificationEvent } from './notification.ts'

/** What webhooks may be told of: changes, which edges hear of too, and what concerns the operator alone. */
export type WebhookEvent = FeedEvent | NotificationEvent

/** Something that webhooks are told of. */
export interface WebhookTopic extends Pick<FeedEntry, 'zone' | 'at' | 'data'> {
  readonly event: WebhookEvent
}
