import { z } from 'zod'

import type { UploadGrants } from '../../domain/uploads/grants/grants.ts'
import { grantParameter } from '../../http/access/upload-grant.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { counted } from '../../lib/text/visible-text.ts'
import { actorOf, baseUrlOf } from '../caller.ts'
import {
  createdGrant,
  grantJson,
  grantList,
  grantRequest,
  grantRequestOf,
  revokedGrant,
} from './grant-schemas.ts'

interface Dependencies {
  readonly grants: UploadGrants
  readonly baseUrl: string | undefined
}

const common = { plane: 'uploads', envelope: 'standard' } as const
const mayWrite = { keys: ['access'], scope: 'storage:write', session: true } as const
const mayRead = { ...mayWrite, scope: 'storage:read' } as const

const createUploadGrant = operation({
  ...common,
  id: 'createUploadGrant',
  method: 'post',
  path: '/api/uploads/grants',
  summary: 'Let somebody without a key upload',
  description:
    'Answers URLs that a browser can use without a key: one file, or some, until a time. The token that makes a grant bounds it: it ends with the token.',
  example: {
    body: { Prefix: 'acme/v1/titles/', Types: ['image/*', 'text/plain'], MaxBytes: 10_000_000 },
  },
  access: mayWrite,
  body: { kind: 'json', schema: grantRequest },
  responses: { 201: { description: 'Created', schema: createdGrant } },
}).handledBy(({ grants, baseUrl }: Dependencies) => async ({ body, request, caller, respond }) => {
  const { record, grant } = await grants.create(grantRequestOf(body), actorOf(caller))
  const query = `?${grantParameter}=${grant}`
  const base = `${baseUrlOf(request, baseUrl)}/api/uploads`
  return respond(201, {
    HttpCode: 201,
    Message: 'Upload grant created; its URLs are not shown again',
    Id: record.id,
    Url: `${base}/granted/${query}`,
    TusUrl: `${base}/tus${query}`,
    ResumableUrl: `${base}${query}`,
    Grant: grantJson({ ...record, storedCount: 0, openCount: 0 }),
  })
})

const listUploadGrants = operation({
  ...common,
  id: 'listUploadGrants',
  method: 'get',
  path: '/api/uploads/grants',
  summary: 'List upload grants that are not over',
  example: { query: { zone: 'acme' } },
  access: mayRead,
  query: z.object({
    zone: z.string().optional().describe('Exactly this zone'),
    page: clampedInteger({ min: 1, max: 1_000_000, default: 1, description: 'From 1' }),
    per_page: clampedInteger({ min: 1, max: 200, default: 50 }),
  }),
  responses: { 200: { description: 'One page of grants', schema: grantList } },
}).handledBy(
  ({ grants }: Dependencies) =>
    async ({ query: { zone, page, per_page: perPage }, caller, respond }) => {
      const asked = { zone, offset: (page - 1) * perPage, limit: perPage }
      const { grants: listed, count } = await grants.list(asked, caller)
      return respond(200, {
        HttpCode: 200,
        Message: counted(count, 'upload grant'),
        Grants: listed.map(grantJson),
        Pagination: {
          Page: page,
          PerPage: perPage,
          TotalItems: count,
          TotalPages: Math.ceil(count / perPage),
        },
      })
    },
)

const revokeUploadGrant = operation({
  ...common,
  id: 'revokeUploadGrant',
  method: 'delete',
  path: '/api/uploads/grants/{id}',
  summary: 'Revoke an upload grant',
  description: 'Uploads that have begun with it end at once. What was stored stays.',
  access: mayWrite,
  params: z.object({ id: z.string() }),
  responses: { 200: { description: 'Revoked', schema: revokedGrant } },
}).handledBy(({ grants }: Dependencies) => async ({ params: { id }, caller, respond }) => {
  await grants.revoke(id, actorOf(caller))
  return respond(200, { HttpCode: 200, Message: 'Upload grant revoked', Id: id })
})

/** `/api/uploads/grants`. */
export const grantOperations: readonly HandledOperation<Dependencies>[] = [
  createUploadGrant,
  listUploadGrants,
  revokeUploadGrant,
]
