import { z } from 'zod'

import type { Webhooks } from '../../domain/webhooks/webhooks.ts'
import { type Caller, type Operation, operation, success } from '../../http/operation.ts'
import { actorOf } from '../actor-of.ts'
import { webhook, webhookAnswer, webhookEdit, webhookRequest } from './webhook-schemas.ts'

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
const params = z.object({ id: z.string() })

/** `/api/webhooks` and `/api/webhooks/{id}`. */
export const webhookOperations = (dependencies: Dependencies): readonly Operation[] => [
  createOperation(dependencies),
  ...readOperations(dependencies),
  updateOperation(dependencies),
  ...removeOperations(dependencies),
]

const createOperation = ({ webhooks }: Dependencies): Operation =>
  operation({
    ...common,
    id: 'createWebhook',
    method: 'post',
    path: '/api/webhooks',
    summary: 'Have events sent to an address',
    example: { body: { url: 'https://hooks.acme.example/sedge', events: ['asset.created'] } },
    description:
      'Each event is sent at least once: stored with the change that it tells of, and tried ten times over about 76 hours. Whatever is sent twice carries the same `webhook-id`. Signed by Standard Webhooks and in `X-Webhook-Signature`.',
    access: mayWrite,
    body: { kind: 'json', schema: webhookRequest },
    responses: { 201: { description: 'Registered', schema: changed(201) } },
    async handle({ body, caller }) {
      const { url, events, ordered } = body
      const request = {
        url,
        events,
        ordered,
        secret: body.secret ?? undefined,
        zones: body.zones ?? undefined,
      }
      const { webhook: made, secret } = await webhooks.create(request, actorOf(caller))
      return success(201, 'Webhook registered', {
        Webhook: webhookAnswer(made),
        id: made.id,
        ...(secret !== undefined && { secret }),
      })
    },
  })

const readOperations = ({ webhooks }: Dependencies): readonly Operation[] => [
  operation({
    ...common,
    id: 'listWebhooks',
    method: 'get',
    path: '/api/webhooks',
    summary: 'List webhooks',
    access: mayRead,
    responses: { 200: { description: 'By time of creation', schema: list } },
    async handle({ caller }) {
      const listed = (await webhooks.list(caller)).map(webhookAnswer)
      return success(200, `${listed.length} webhooks`, {
        Webhooks: listed,
        webhooks: listed,
        Count: listed.length,
      })
    },
  }),
  operation({
    ...common,
    id: 'getWebhook',
    method: 'get',
    path: '/api/webhooks/{id}',
    summary: 'Show a webhook',
    access: mayRead,
    params,
    responses: { 200: { description: 'The webhook', schema: shown } },
    async handle({ params: { id }, caller }) {
      const found = await webhooks.find(id, caller)
      return success(200, 'Webhook found', { Webhook: webhookAnswer(found) })
    },
  }),
]

const updateOperation = ({ webhooks }: Dependencies): Operation =>
  operation({
    ...common,
    id: 'updateWebhook',
    method: 'patch',
    path: '/api/webhooks/{id}',
    summary: 'Switch a webhook on or off, or give it a new secret',
    description:
      'While it is off no events are kept for it; what was pending waits. After a new secret the old one signs too for 24 hours.',
    access: mayWrite,
    params,
    body: { kind: 'json', schema: webhookEdit },
    responses: { 200: { description: 'Changed', schema: changed(200) } },
    async handle({ params: { id }, body, caller }) {
      const { webhook: edited, secret } = await webhooks.edit(id, body, actorOf(caller))
      return success(200, 'Webhook changed', {
        Webhook: webhookAnswer(edited),
        id,
        ...(secret !== undefined && { secret }),
      })
    },
  })

const removeOperations = ({ webhooks }: Dependencies): readonly Operation[] => {
  const remove = async (id: string, caller: Caller) => {
    await webhooks.remove(id, actorOf(caller))
    return success(200, 'Webhook removed', { id })
  }
  const described = {
    ...common,
    method: 'delete',
    summary: 'Remove a webhook, with whatever it was still to be told',
    access: mayWrite,
    responses: { 200: { description: 'Removed', schema: removed } },
  } as const
  return [
    operation({
      ...described,
      id: 'deleteWebhook',
      path: '/api/webhooks/{id}',
      params,
      handle: ({ params: { id }, caller }) => remove(id, caller),
    }),
    operation({
      ...described,
      id: 'deleteWebhookByQuery',
      path: '/api/webhooks',
      query: z.object({ id: z.string() }),
      handle: ({ query: { id }, caller }) => remove(id, caller),
    }),
  ]
}
