import { z } from 'zod'

import type { Webhooks } from '../../domain/webhooks/webhooks.ts'
import type { WebhookRecord } from '../../ports/webhooks/webhook-store.ts'
import { type Call, type HandledOperation, operation } from '../../http/operation.ts'
import { actorOf } from '../caller.ts'
import { webhook, webhookJson, webhookEdit, webhookRequest } from './webhook-schemas.ts'

interface Dependencies {
  readonly webhooks: Webhooks
}

const common = { plane: 'webhooks', envelope: 'standard' } as const
const mayRead = { keys: ['account'], scope: 'webhooks:read', session: true } as const
const mayWrite = { keys: ['account'], scope: 'webhooks:write', session: true } as const

const shownSecret = z
  .string()
  .optional()
  .describe('Only where it was generated just now; not to be had again')

const changed = <Status extends number>(status: Status) =>
  z.object({
    HttpCode: z.literal(status),
    Message: z.string(),
    Webhook: webhook,
    id: z.string(),
    secret: shownSecret,
  })

const list = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Webhooks: z.array(webhook),
  webhooks: z.array(webhook),
  Count: z.int(),
})

const shown = z.object({ HttpCode: z.literal(200), Message: z.string(), Webhook: webhook })
const removed = z.object({ HttpCode: z.literal(200), Message: z.string(), id: z.string() })
const byId = z.object({ id: z.string() })

async function described(webhooks: Webhooks, record: WebhookRecord) {
  const [standing] = await webhooks.standings([record])
  if (standing === undefined) throw new Error('each webhook has a standing')
  return webhookJson(standing)
}

const createWebhook = operation({
  ...common,
  id: 'createWebhook',
  method: 'post',
  path: '/api/webhooks',
  summary: 'Have events sent to a URL',
  example: { body: { url: 'https://hooks.acme.example/sedge', events: ['asset.created'] } },
  description:
    'Each event is sent at least once: stored with the change that it tells of, and tried ten times over about 76 hours. Whatever is sent twice carries the same `webhook-id`. Signed by Standard Webhooks and in `X-Webhook-Signature`.',
  access: mayWrite,
  body: { kind: 'json', schema: webhookRequest },
  responses: { 201: { description: 'Registered', schema: changed(201) } },
}).handledBy(({ webhooks }: Dependencies) => async ({ body, caller, respond }) => {
  const { url, events, ordered } = body
  const request = {
    url,
    events,
    ordered,
    secret: body.secret ?? undefined,
    zones: body.zones ?? undefined,
  }
  const { webhook: made, secret } = await webhooks.create(request, actorOf(caller))
  return respond(201, {
    HttpCode: 201,
    Message: 'Webhook registered',
    Webhook: await described(webhooks, made),
    id: made.id,
    ...(secret !== undefined && { secret }),
  })
})

const listWebhooks = operation({
  ...common,
  id: 'listWebhooks',
  method: 'get',
  path: '/api/webhooks',
  summary: 'List webhooks',
  access: mayRead,
  responses: { 200: { description: 'By time of creation', schema: list } },
}).handledBy(({ webhooks }: Dependencies) => async ({ caller, respond }) => {
  const listed = (await webhooks.standings(await webhooks.list(caller))).map(webhookJson)
  return respond(200, {
    HttpCode: 200,
    Message: `${listed.length} webhooks`,
    Webhooks: listed,
    webhooks: listed,
    Count: listed.length,
  })
})

const getWebhook = operation({
  ...common,
  id: 'getWebhook',
  method: 'get',
  path: '/api/webhooks/{id}',
  summary: 'Show a webhook',
  access: mayRead,
  params: byId,
  responses: { 200: { description: 'The webhook', schema: shown } },
}).handledBy(({ webhooks }: Dependencies) => async ({ params: { id }, caller, respond }) => {
  const found = await webhooks.find(id, caller)
  const Webhook = await described(webhooks, found)
  return respond(200, { HttpCode: 200, Message: 'Webhook found', Webhook })
})

const updateWebhook = operation({
  ...common,
  id: 'updateWebhook',
  method: 'patch',
  path: '/api/webhooks/{id}',
  summary: 'Change a webhook, switch it on or off, or give it a new secret',
  description:
    'What is left out stays as it is. While it is off no events are kept for it; what was pending waits. After a new secret the old one signs too for 24 hours. What is pending goes to a new URL.',
  access: mayWrite,
  params: byId,
  body: { kind: 'json', schema: webhookEdit },
  responses: { 200: { description: 'Changed', schema: changed(200) } },
}).handledBy(({ webhooks }: Dependencies) => async ({ params: { id }, body, caller, respond }) => {
  const { webhook: edited, secret } = await webhooks.edit(id, body, actorOf(caller))
  return respond(200, {
    HttpCode: 200,
    Message: 'Webhook changed',
    Webhook: await described(webhooks, edited),
    id,
    ...(secret !== undefined && { secret }),
  })
})

const removal = {
  ...common,
  method: 'delete',
  summary: 'Remove a webhook, with whatever it was still to be told',
  access: mayWrite,
  responses: { 200: { description: 'Removed', schema: removed } },
} as const

type Removal = Call<unknown, unknown, unknown, typeof removal.responses>

async function remove(
  { webhooks }: Dependencies,
  id: string,
  { caller, respond }: Pick<Removal, 'caller' | 'respond'>,
) {
  await webhooks.remove(id, actorOf(caller))
  return respond(200, { HttpCode: 200, Message: 'Webhook removed', id })
}

const deleteWebhook = operation({
  ...removal,
  id: 'deleteWebhook',
  path: '/api/webhooks/{id}',
  params: byId,
}).handledBy(
  (dependencies: Dependencies) =>
    ({ params, ...call }) =>
      remove(dependencies, params.id, call),
)

const deleteWebhookByQuery = operation({
  ...removal,
  id: 'deleteWebhookByQuery',
  path: '/api/webhooks',
  query: z.object({ id: z.string() }),
}).handledBy(
  (dependencies: Dependencies) =>
    ({ query, ...call }) =>
      remove(dependencies, query.id, call),
)

/** `/api/webhooks` and `/api/webhooks/{id}`. */
export const webhookOperations: readonly HandledOperation<Dependencies>[] = [
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  deleteWebhookByQuery,
]
