import { z } from 'zod'

import {
  recentDeliveries,
  type Standing,
  webhookStates,
} from '../../domain/webhooks/registered/standing.ts'
import type { LoggedDelivery, RecentDelivery } from '../../ports/webhooks/webhook-outbox.ts'
import { eventNames } from './event-schemas.ts'

const events = z.enum([...eventNames, '*'])

export const webhookRequest = z.object({
  url: z.string().min(1).max(2048).describe('https only, and a public address'),
  events: z.array(events).min(1).max(100).describe('`*` for every event'),
  secret: z
    .string()
    .nullish()
    .describe('32 characters or more; generated, and shown once, where left out'),
  zones: z
    .array(z.string())
    .min(1)
    .max(1000)
    .nullish()
    .describe(
      'Only what happens in these zones, and nothing that concerns all (rules, purges, deployments); left out, everything',
    ),
  ordered: z
    .boolean()
    .default(true)
    .describe('Whether an event waits until those before it were delivered or failed three times'),
})

export const webhookEdit = z
  .object({
    active: z.boolean().optional().describe('`true` also after the service switched it off'),
    url: webhookRequest.shape.url.optional(),
    events: webhookRequest.shape.events.optional(),
    zones: webhookRequest.shape.zones.describe(
      'null for everything. Deliveries of what no longer concerns the webhook are forgotten',
    ),
    ordered: z.boolean().optional(),
    secret: z.string().optional().describe('A new secret; the old one signs too for 24 hours'),
    rotateSecret: z.boolean().optional().describe('Have a new secret generated and shown once'),
  })
  .refine(
    ({ rotateSecret, ...edit }) =>
      rotateSecret === true || Object.values(edit).some((value) => value !== undefined),
    'must have active, url, events, zones, ordered, secret or rotateSecret',
  )

export const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(events),
  zones: z.array(z.string()).nullable().describe('null for every one'),
  ordered: z.boolean(),
  secretLastFour: z.string(),
  hasSecret: z.literal(true),
  previousSecretValidUntil: z.iso.datetime().nullable(),
  active: z.boolean(),
  switchedOff: z
    .enum(['gone', 'failing'])
    .nullable()
    .describe('Why the service made it inactive: it answered 410, or failed for five days'),
  failingSince: z.iso.datetime().nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  state: z
    .enum(webhookStates)
    .describe('`failing` from a failure to the next success; `unused` before the first delivery'),
  lastDelivery: z
    .object({
      id: z.string(),
      event: z.string(),
      state: z.enum(['pending', 'delivered', 'dead']),
      timestamp: z.iso.datetime(),
      status: z.int().nullable(),
      error: z.string().nullable(),
      durationMs: z.int(),
    })
    .nullable()
    .describe('The one tried last, by its last attempt'),
  recentDeliveries: z.int().describe(`The last that were tried, at most ${recentDeliveries}`),
  recentFailures: z.int().describe('Those of them whose last attempt failed'),
  failureRate: z.number().min(0).max(1).nullable().describe('Of them; null before the first'),
})

const attempt = z.object({
  timestamp: z.iso.datetime(),
  durationMs: z.int(),
  status: z.int().nullable().describe('null where no whole answer came'),
  error: z.string().nullable(),
  response: z.string().describe('The first kilobyte of the answer'),
  responseHeaders: z
    .record(z.string(), z.string())
    .describe('At most 20, 256 characters of each; no cookies'),
})

export const delivery = z.object({
  id: z.string().describe('The `webhook-id` of the message'),
  number: z.int().describe('Grows from one to the next'),
  event: z.string(),
  test: z.boolean().describe('Somebody asked for it; nothing happened'),
  zone: z.string().nullable(),
  state: z.enum(['pending', 'delivered', 'dead']),
  createdAt: z.iso.datetime(),
  nextAttemptAt: z.iso.datetime().nullable(),
  attemptCount: z.int(),
  status: z.int().nullable().describe('Of the last attempt, as all that follows'),
  error: z.string().nullable(),
  durationMs: z.int().nullable(),
  request: z.object({
    method: z.literal('POST'),
    url: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  response: z.string().nullable(),
  attempts: z.array(attempt).describe('Oldest first'),
})

export const webhookJson = ({
  webhook: record,
  state,
  lastDelivery,
  tried,
  failed,
}: Standing): z.infer<typeof webhook> => ({
  id: record.id,
  url: record.url,
  events: [...record.events],
  zones: record.zones === undefined ? null : [...record.zones],
  ordered: record.ordered,
  secretLastFour: record.secretLastFour,
  hasSecret: true,
  previousSecretValidUntil: record.previousSecret?.validUntil.toISOString() ?? null,
  active: record.active,
  switchedOff: record.switchedOff ?? null,
  failingSince: record.failingSince?.toISOString() ?? null,
  createdBy: record.createdBy,
  createdAt: record.createdAt.toISOString(),
  state,
  lastDelivery: lastDelivery === undefined ? null : lastDeliveryJson(lastDelivery),
  recentDeliveries: tried,
  recentFailures: failed,
  failureRate: tried === 0 ? null : failed / tried,
})

const lastDeliveryJson = ({ id, event, state, at, status, error, durationMs }: RecentDelivery) => ({
  id,
  event,
  state,
  timestamp: at.toISOString(),
  status: status ?? null,
  error: error ?? null,
  durationMs: Math.round(durationMs),
})

export function deliveryJson(logged: LoggedDelivery): z.infer<typeof delivery> {
  const attempts = logged.attempts.map((each) => ({
    timestamp: each.at.toISOString(),
    durationMs: Math.round(each.durationMs),
    status: each.status ?? null,
    error: each.error ?? null,
    response: each.response,
    responseHeaders: { ...each.responseHeaders },
  }))
  const last = attempts.at(-1) ?? { status: null, error: null, durationMs: null, response: null }
  const { url = null, requestHeaders = {} } = logged.attempts.at(-1) ?? {}
  return {
    id: logged.id,
    number: logged.number,
    event: logged.event,
    test: isTest(logged.payload),
    zone: logged.zone ?? null,
    state: logged.state,
    createdAt: logged.createdAt.toISOString(),
    nextAttemptAt: logged.nextAttemptAt?.toISOString() ?? null,
    attemptCount: logged.tries,
    status: last.status,
    error: last.error,
    durationMs: last.durationMs,
    request: { method: 'POST', url, headers: { ...requestHeaders }, body: logged.payload },
    response: last.response,
    attempts,
  }
}

/** Payloads are our own, so always JSON. */
const isTest = (payload: string): boolean =>
  (JSON.parse(payload) as { readonly test?: boolean }).test === true
