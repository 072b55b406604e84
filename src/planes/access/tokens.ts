import { z } from 'zod'

import { scopes } from '../../domain/access/tokens/scopes.ts'
import type { People } from '../../domain/access/people/people.ts'
import type { S3Keys } from '../../domain/access/tokens/s3-keys.ts'
import type { Tokens } from '../../domain/access/tokens/tokens.ts'
import { type Call, type HandledOperation, operation } from '../../http/operation.ts'
import type { TokenRecord } from '../../ports/access/token-store.ts'
import { actorOf } from '../caller.ts'
import { namedPerson } from './named-person.ts'

export interface TokensDependencies {
  readonly tokens: Tokens
  readonly s3Keys: S3Keys
  readonly people: Pick<People, 'known'>
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
  owner: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('The person whose it is, with whom it ends; null of nobody'),
  formerSecretUntil: z.iso
    .datetime()
    .nullable()
    .describe('How long the secret before the last rotation is good as well'),
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

const maxOverlapSeconds = 30 * 86_400

const rotatedToken = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Token: token.extend({ secret: z.string().describe('Not to be had again') }),
  id: z.string(),
  token: z.string().describe('The secret'),
})

const revokedToken = z.object({ HttpCode: z.literal(200), Message: z.string(), id: z.string() })

const common = { plane: 'tokens', envelope: 'standard' } as const
const mayRead = {
  keys: ['account'],
  scope: 'tokens:read',
  session: true,
  isOwn: true,
} as const
const mayWrite = { ...mayRead, scope: 'tokens:write' } as const

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
    'The secret is shown this once. A token that creates another can give it no scope, no zone and no time that it lacks itself; a person none that the person’s roles do not open, and it ends with the person.',
  access: mayWrite,
  body: { kind: 'json', schema: tokenRequest },
  responses: { 201: { description: 'Created', schema: createdToken } },
}).handledBy(
  ({ tokens, s3Keys, people }: TokensDependencies) =>
    async ({ body, caller, respond }) => {
      const { name, expiresInDays, zones } = body
      const reach = { scopes: body.scopes, zones: zones ?? undefined }
      const request = { name, ...reach, expiresInDays, isForS3: body.S3 }
      const { record, secret } = await tokens.create(request, actorOf(caller))
      return respond(201, {
        HttpCode: 201,
        Message: `Token "${record.name}" created; its secret is not shown again`,
        Token: { ...tokenJson(record, people), secret },
        id: record.id,
        token: secret,
        name: record.name,
        scopes: [...record.scopes],
        ...(record.isForS3 && {
          AccessKeyId: record.id,
          SecretAccessKey: s3Keys.secretOf(record.id).reveal(),
        }),
      })
    },
)

const rotateToken = operation({
  ...common,
  id: 'rotateToken',
  method: 'post',
  path: '/api/tokens/{id}/rotate',
  summary: 'Give a token another secret',
  description:
    'Same scopes, zones and time. The secret before is good for `overlapSeconds` yet, a day where that is left out, so that whoever has it can change over. Not of tokens for S3.',
  access: mayWrite,
  params: z.object({ id: z.string() }),
  body: {
    kind: 'json',
    isLenient: true,
    schema: z.object({ overlapSeconds: z.int().min(0).max(maxOverlapSeconds).default(86_400) }),
  },
  responses: { 200: { description: 'Rotated', schema: rotatedToken } },
}).handledBy(
  ({ tokens, people }: TokensDependencies) =>
    async ({ params: { id }, body, caller, respond }) => {
      const { record, secret } = await tokens.rotate(id, body.overlapSeconds, actorOf(caller))
      return respond(200, {
        HttpCode: 200,
        Message: `Token "${record.name}" has another secret; it is not shown again`,
        Token: { ...tokenJson(record, people), secret },
        id: record.id,
        token: secret,
      })
    },
)

const listTokens = operation({
  ...common,
  id: 'listTokens',
  method: 'get',
  path: '/api/tokens',
  summary: 'List tokens',
  access: mayRead,
  responses: { 200: { description: 'By time of creation', schema: tokenList } },
}).handledBy(({ tokens, people }: TokensDependencies) => async ({ caller, respond }) => {
  const listed = tokens.list(caller).map((record) => tokenJson(record, people))
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

const tokenJson = (
  record: TokenRecord,
  people: TokensDependencies['people'],
): z.infer<typeof token> => ({
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
  owner: namedPerson(record.personId, people),
  formerSecretUntil: record.former?.until.toISOString() ?? null,
})

/** `/api/tokens`. */
export const tokenOperations: readonly HandledOperation<TokensDependencies>[] = [
  createToken,
  listTokens,
  rotateToken,
  revokeToken,
  revokeTokenByQuery,
]
