import type { WebhookEvent } from '../../ports/records/webhook-event.ts'
import type { WebhookRecord } from '../../ports/webhooks/webhook-store.ts'
import { createWebhookSecret, lastFourOf, parseWebhookSecret } from './registered/webhook-secret.ts'
import type { WebhookVault } from './webhook-vault.ts'

/** What is left out stays as it is. */
export interface WebhookEdit {
  readonly active?: boolean | undefined
  readonly url?: string | undefined
  readonly events?: readonly (WebhookEvent | '*')[] | undefined
  /** `null` for every zone. */
  readonly zones?: readonly string[] | null | undefined
  readonly ordered?: boolean | undefined
  /** A new secret; the one before stays valid for a day. */
  readonly secret?: string | undefined
  /** To have one generated. */
  readonly rotateSecret?: boolean | undefined
}

const overlapMs = 86_400_000

/** Whichever secret is to be from now on; `undefined` for the one there is. */
export function secretOf({ secret, rotateSecret }: WebhookEdit) {
  if (secret !== undefined) return { secret: parseWebhookSecret(secret), isGenerated: false }
  return { secret: rotateSecret === true ? createWebhookSecret() : undefined, isGenerated: true }
}

export const storedEvents = (events: WebhookRecord['events']): WebhookRecord['events'] =>
  events.includes('*') ? ['*'] : [...new Set(events)]

interface Change {
  readonly edit: WebhookEdit
  readonly url: string
  /** Present where they are to be changed. */
  readonly zones?: readonly string[] | undefined
  readonly secret: string | undefined
  readonly at: Date
  readonly vault: WebhookVault
}

/** The webhook after a change. A receiver that is another has not failed yet. */
export function edited(webhook: WebhookRecord, change: Change): WebhookRecord {
  const { edit, secret, at, vault } = change
  const url = edit.url === undefined ? webhook.url : change.url
  const active = edit.active ?? webhook.active
  const isSwitched = active !== webhook.active
  return {
    ...webhook,
    url,
    active,
    events: storedEvents(edit.events ?? webhook.events),
    ordered: edit.ordered ?? webhook.ordered,
    ...('zones' in change && { zones: change.zones }),
    ...(isSwitched && { switchedOff: undefined }),
    ...((isSwitched || url !== webhook.url) && { failingSince: undefined }),
    ...(secret !== undefined && {
      sealedSecret: vault.seal(webhook, secret),
      secretLastFour: lastFourOf(secret),
      previousSecret: {
        sealed: webhook.sealedSecret,
        validUntil: new Date(at.getTime() + overlapMs),
      },
    }),
  }
}

/** What the audit log says of a change: the settings that differ, never a secret or the path of a URL. */
export function changesBetween(before: WebhookRecord, after: WebhookRecord) {
  const was = told(before)
  const is = told(after)
  const names = Object.keys(is).filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  )
  if (after.url !== before.url && was['url'] === is['url']) {
    names.push('url')
    is['url'] = `${String(is['url'])} (another path)`
  }
  if (after.sealedSecret !== before.sealedSecret) names.push('secret')
  if (names.length === 0) return {}
  return {
    before: Object.fromEntries(names.map((name) => [name, was[name] ?? 'hidden'])),
    after: Object.fromEntries(names.map((name) => [name, is[name] ?? 'changed'])),
  }
}

const told = ({ url, events, zones, ordered, active }: WebhookRecord): Record<string, unknown> => ({
  url: `${URL.parse(url)?.origin ?? ''}/…`,
  events,
  zones: zones ?? 'all',
  ordered,
  active,
})
