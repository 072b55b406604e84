import { z } from 'zod'

import { scopes } from '../../domain/access/tokens/scopes.ts'
import type { S3Keys } from '../../domain/access/tokens/s3-keys.ts'
import type { Tokens } from '../../domain/access/tokens/tokens.ts'
import { type Call, type HandledOperation, operation } from '../../http/operation.ts'
import type { TokenRecord } from '../../ports/access/token-store.ts'
import { actorOf } from '../caller.ts'

export interface TokensDependencies {
  readonly tokens: Tokens
  readonly s3Keys: S3Keys
}

const maxDays = 365

const token = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The first characters of the secret'),
  scopes: z.array(z.string()),
  zones: z.array(z.string()).nullable().describe('The zones it reaches; null for every one'),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe('To the minute'),
  s3: z.boolean().describe('Whether it signs requests of S3, too'),
})

const printable = /^\P{Cc}*$/u

const tokenRequest = z.object({
  name: z.string().min(1).max(100).regex(printable, 'must have no control characters'),
  scopes: z.array(z.enum(scopes)).min(1).max(100),
  expiresInDays: z.int().min(1).max(maxDays).default(maxDays),
  zones: z
    .array(z.string())
    .min(1)
    .max(1000)
    .nullish()
    .describe('Narrows the token to these zones; left out, it reaches every one'),
  S3: z
    .boolean()
    .default(false)
    .describe('Also make it a key for clients of S3, with the same scopes, zones and time'),
})

const createdToken = z.object({
  HttpCode: z.literal(201),
  Message: z.string(),
  Token: token.extend({ secret: z.string().describe('Not to be had again') }),
  id: z.string(),
  token: z.string().describe('The secret'),
  name: z.string(),
  scopes: z.array(z.string()),
  AccessKeyId: z.string().optional().describe('For clients of S3; the id of the token'),
  SecretAccessKey: z.string().optional().describe('For clients of S3; not to be had again'),
})

const tokenList = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Tokens: z.array(token),
  tokens: z.array(token),
  Count: z.int(),
})

const revokedToken = z.object({ HttpCode: z.literal(200), Message: z.string(), id: z.string() })

const common = { plane: 'tokens', envelope: 'standard' } as const
const mayRead = { keys: ['account'], scope: 'tokens:read', session: true } as const
const mayWrite = { keys: ['account'], scope: 'tokens:write', session: true } as const

const createToken = operation({
  ...common,
  id: 'createToken',
  method: 'post',
  path: '/api/tokens',
  summary: 'Create a scoped bearer token',
  example: {
    body: { name: 'build server', scopes: ['storage:write'], zones: ['acme'], expiresInDays: 90 },
  },
  description:
    'The secret is shown this once. A token that creates another can give it no scope, no zone and no time that it lacks itself.',
  access: mayWrite,
  body: { kind: 'json', schema: tokenRequest },
  responses: { 201: { description: 'Created', schema: createdToken } },
}).handledBy(({ tokens, s3Keys }: TokensDependencies) => async ({ body, caller, respond }) => {
  const { name, expiresInDays, zones } = body
  const reach = { scopes: body.scopes, zones: zones ?? undefined }
  const request = { name, ...reach, expiresInDays, isForS3: body.S3 }
  const { record, secret } = await tokens.create(request, actorOf(caller))
  return respond(201, {
    HttpCode: 201,
    Message: `Token "${record.name}" created; its secret is not shown again`,
    Token: { ...tokenJson(record), secret },
    id: record.id,
    token: secret,
    name: record.name,
    scopes: [...record.scopes],
    ...(record.isForS3 && {
      AccessKeyId: record.id,
      SecretAccessKey: s3Keys.secretOf(record.id).reveal(),
    }),
  })
})

const listTokens = operation({
  ...common,
  id: 'listTokens',
  method: 'get',
  path: '/api/tokens',
  summary: 'List tokens',
  access: mayRead,
  responses: { 200: { description: 'By time of creation', schema: tokenList } },
}).handledBy(({ tokens }: TokensDependencies) => async ({ caller, respond }) => {
  const listed = tokens.list(caller).map(tokenJson)
  return respond(200, {
    HttpCode: 200,
    Message: `${listed.length} tokens`,
    Tokens: listed,
    tokens: listed,
    Count: listed.length,
  })
})

const described = {
  ...common,
  method: 'delete',
  summary: 'Revoke a token',
  access: mayWrite,
  responses: { 200: { description: 'Revoked', schema: revokedToken } },
} as const

type Described = Call<unknown, unknown, unknown, typeof described.responses>

async function revoke(
  { tokens }: TokensDependencies,
  id: string,
  { caller, respond }: Pick<Described, 'caller' | 'respond'>,
) {
  const { name } = await tokens.revoke(id, actorOf(caller))
  return respond(200, { HttpCode: 200, Message: `Token "${name}" revoked`, id })
}

const revokeToken = operation({
  ...described,
  id: 'revokeToken',
  path: '/api/tokens/{id}',
  params: z.object({ id: z.string() }),
}).handledBy(
  (dependencies: TokensDependencies) =>
    ({ params, ...call }) =>
      revoke(dependencies, params.id, call),
)

const revokeTokenByQuery = operation({
  ...described,
  id: 'revokeTokenByQuery',
  path: '/api/tokens',
  query: z.object({ id: z.string() }),
}).handledBy(
  (dependencies: TokensDependencies) =>
    ({ query, ...call }) =>
      revoke(dependencies, query.id, call),
)

const tokenJson = (record: TokenRecord): z.infer<typeof token> => ({
  id: record.id,
  name: record.name,
  prefix: record.prefix,
  scopes: [...record.scopes],
  zones: record.zones === undefined ? null : [...record.zones],
  createdBy: record.createdBy,
  createdAt: record.createdAt.toISOString(),
  expiresAt: record.expiresAt.toISOString(),
  lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
  s3: record.isForS3,
})

/** `/api/tokens`. */
export const tokenOperations: readonly HandledOperation<TokensDependencies>[] = [
  createToken,
  listTokens,
  revokeToken,
  revokeTokenByQuery,
]
