import { z } from 'zod'

import type { Webhooks } from '../../domain/webhooks/webhooks.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { clampedInteger, rangedInteger } from '../../http/request/query.ts'
import { actorOf } from '../caller.ts'
import { eventNames } from './event-schemas.ts'
import { delivery, deliveryJson } from './webhook-schemas.ts'

interface Dependencies {
  readonly webhooks: Webhooks
}

const common = { plane: 'webhooks', envelope: 'standard' } as const
const mayRead = { keys: ['account'], scope: 'webhooks:read', session: true } as const
const mayWrite = { keys: ['account'], scope: 'webhooks:write', session: true } as const
const params = z.object({ id: z.string() })

const log = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Deliveries: z.array(delivery),
  deliveries: z.array(delivery),
  Count: z.int(),
  Limit: z.int().describe('The `limit` that was used'),
})

const testResult = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  delivered: z.boolean(),
  deliveryId: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  durationMs: z.int(),
  response: z.string().describe('The first kilobyte of the answer'),
})

const testRequest = z.object({
  event: z.enum(eventNames).optional().describe('Which to send an example of'),
})

const accepted = z.object({
  HttpCode: z.literal(202),
  Message: z.string(),
  id: z.string(),
  deliveryId: z.string(),
})

const testWebhook = operation({
  ...common,
  id: 'testWebhook',
  method: 'post',
  path: '/api/webhooks/{id}/test',
  summary: 'Send a test event now, once, and see what comes back',
  description:
    'An example of the event, or `webhook.test` where none is named; the body says `"test": true`. Sent to a webhook that is off, too.',
  access: mayWrite,
  params,
  body: { kind: 'json', schema: testRequest, isLenient: true },
  responses: { 200: { description: 'What came of it', schema: testResult } },
}).handledBy(({ webhooks }: Dependencies) => async ({ params: { id }, body, caller, respond }) => {
  const tested = await webhooks.test(id, actorOf(caller), body.event)
  const { attempt, state, id: deliveryId } = tested
  const isDelivered = state === 'delivered'
  return respond(200, {
    HttpCode: 200,
    Message: isDelivered ? 'The receiver took it' : 'The receiver did not take it',
    delivered: isDelivered,
    deliveryId,
    status: attempt.status ?? null,
    error: attempt.error ?? null,
    durationMs: Math.round(attempt.durationMs),
    response: attempt.response,
  })
})

const listWebhookDeliveries = operation({
  ...common,
  id: 'listWebhookDeliveries',
  method: 'get',
  path: '/api/webhooks/{id}/deliveries',
  summary: 'What was sent, when, and what came back',
  access: mayRead,
  params,
  query: z.object({
    limit: clampedInteger({ min: 1, max: 100, default: 50 }),
    before: rangedInteger({
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Only deliveries with a smaller number: the page after the last one',
    }).optional(),
    state: z
      .enum(['pending', 'delivered', 'dead', 'failed'])
      .optional()
      .describe('`failed`: given up, or to be tried again after a failure'),
    event: z.string().max(64).optional().describe('Only of this event'),
  }),
  responses: { 200: { description: 'Newest first', schema: log } },
}).handledBy(
  ({ webhooks }: Dependencies) =>
    async ({ params: { id }, query: { limit, before, state, event }, caller, respond }) => {
      const query = { limit, state, event, ...(before !== undefined && { before }) }
      const logged = (await webhooks.deliveries(id, query, actorOf(caller))).map(deliveryJson)
      return respond(200, {
        HttpCode: 200,
        Message: `${logged.length} deliveries`,
        Deliveries: logged,
        deliveries: logged,
        Count: logged.length,
        Limit: limit,
      })
    },
)

const redeliverWebhook = operation({
  ...common,
  id: 'redeliverWebhook',
  method: 'post',
  path: '/api/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Send a delivery again, under its old id',
  access: mayWrite,
  params: z.object({ id: z.string(), deliveryId: z.string() }),
  responses: {
    202: {
      description: 'It will be sent again, in its place among what is pending',
      schema: accepted,
    },
  },
}).handledBy(
  ({ webhooks }: Dependencies) =>
    async ({ params: { id, deliveryId }, caller, respond }) => {
      await webhooks.redeliver(id, deliveryId, actorOf(caller))
      return respond(202, { HttpCode: 202, Message: 'It will be sent again', id, deliveryId })
    },
)

/** Testing a webhook, its dispatch log, and sending again. */
export const deliveryOperations: readonly HandledOperation<Dependencies>[] = [
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
]
