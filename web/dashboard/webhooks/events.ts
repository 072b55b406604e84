import type { Input } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

/** As the operation takes them: one that is added there is asked for here. */
export type WebhookEvent = Exclude<Input<'createWebhook'>['body']['events'][number], '*'>

const labels: Readonly<Record<WebhookEvent, string>> = {
  'asset.created': t('Asset stored'),
  'asset.updated': t('Asset overwritten'),
  'asset.deleted': t('Asset deleted'),
  'asset.expired': t('Asset expired'),
  'deploy.completed': t('Commit live'),
  'zone.created': t('Zone created'),
  'zone.updated': t('Zone changed'),
  'zone.deleted': t('Zone deleted'),
  'rules.updated': t('Rules changed'),
  'domain.updated': t('Domain changed'),
  'preview.updated': t('Preview changed'),
  'purge.completed': t('Purged'),
  'content.erased': t('Content erased'),
  'quota.warning': t('Quota nearly used up'),
  'quota.reached': t('Quota used up'),
  'notification.raised': t('Notification raised'),
  'notification.resolved': t('Notification resolved'),
}

const names = Object.keys(labels) as WebhookEvent[]

export const eventOptions = names.map((value) => ({ value, label: labels[value] }))

/** As people say it; what a newer service knows by its own name. */
export const eventLabel = (event: string): string =>
  names.includes(event as WebhookEvent) ? labels[event as WebhookEvent] : event
