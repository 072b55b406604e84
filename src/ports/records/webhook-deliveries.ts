import type { WebhookTopic } from './webhook-event.ts'
import type { WebhookRecord } from '../webhooks/webhook-store.ts'

type Listener = Pick<WebhookRecord, 'id' | 'events' | 'zones' | 'active'>

/** A delivery before it has a number. */
export interface NewDelivery {
  readonly webhookId: string
  readonly event: string
  readonly zone: string | undefined
  readonly payload: string
  readonly createdAt: Date
}

/**
 * What webhooks are to be told of entries written together, in the order of the entries. A webhook for
 * some zones hears nothing of what concerns all, and nothing of a zone after it was removed: what is
 * made anew under that name may be somebody else's.
 */
export function deliveriesOf(
  entries: readonly WebhookTopic[],
  webhooks: readonly Listener[],
): readonly NewDelivery[] {
  const listening = webhooks.filter(({ active }) => active)
  if (listening.length === 0) return []
  const removedZones = new Set<string>()
  return entries.flatMap((entry) => {
    const told = listening.filter((webhook) => hears(webhook, entry, removedZones))
    if (entry.event === 'zone.deleted' && entry.zone !== undefined) removedZones.add(entry.zone)
    if (told.length === 0) return []
    const { event, zone, at } = entry
    const payload = payloadOf(entry)
    return told.map(({ id }) => ({ webhookId: id, event, zone, payload, createdAt: at }))
  })
}

/** Whether an active webhook is told of the entry. */
export function hears(
  { events, zones }: Pick<Listener, 'events' | 'zones'>,
  { event, zone }: Pick<WebhookTopic, 'event' | 'zone'>,
  removedZones: ReadonlySet<string> = new Set(),
): boolean {
  if (!events.includes('*') && !events.includes(event)) return false
  if (zones === undefined) return true
  return zone !== undefined && zones.includes(zone) && !removedZones.has(zone)
}

/** The body of a delivery. */
export const payloadOf = ({
  event,
  at,
  data,
  test,
}: {
  readonly event: string
  readonly at: Date
  readonly data: unknown
  /** Where nothing happened and somebody wants to see whether it would arrive. */
  readonly test?: true
}): string => JSON.stringify({ event, timestamp: at.toISOString(), data, test })
