import { createHash } from 'node:crypto'
import { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import { apiVersion } from './api-version.ts'
import { keyCarriers } from './authorize.ts'
import { errorSchemas } from './error-schemas.ts'
import { addParameterExamples } from './parameter-examples.ts'
import {
  type Access,
  type BodySpec,
  type Example,
  type KeyName,
  type Operation,
  operation,
  type ResponseSpec,
} from './operation.ts'

/** What the service sends to others. */
export interface WebhookDescription {
  readonly name: string
  readonly summary: string
  readonly schema: z.ZodType
}

/** What is said of a plane as a whole. */
export interface PlaneDescription {
  readonly title: string
  readonly description: string
}

export interface OpenApiOptions {
  readonly operations: readonly Operation[]
  readonly webhooks?: readonly WebhookDescription[]
  /** By name. */
  readonly planes?: Readonly<Record<string, PlaneDescription>>
}

type Registry = OpenAPIHono['openAPIRegistry']
type Route = Parameters<Registry['registerPath']>[0]
type Content = NonNullable<Extract<Route['responses'][string], { content?: unknown }>['content']>

/** The given operations, and the one that describes them all, itself included. */
export function withDescription(options: OpenApiOptions): readonly Operation[] {
  const all = [...options.operations]
  const made: { document?: object; etag?: string } = {}
  const describe = operation({
    id: 'getOpenApiDocument',
    plane: 'operations',
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    access: 'public',
    envelope: 'standard',
    responses: { 200: { description: 'The document', schema: z.looseObject({}) } },
    async handle() {
      made.document ??= openApiDocument({ ...options, operations: all })
      made.etag ??= `"${createHash('sha256').update(JSON.stringify(made.document)).digest('hex').slice(0, 32)}"`
      return { json: made.document, headers: { ETag: made.etag, 'Cache-Control': 'no-cache' } }
    },
  })
  all.push(describe)
  return all
}

/** OpenAPI 3.1, from the operations alone. */
export function openApiDocument({
  operations,
  webhooks = [],
  planes = {},
}: OpenApiOptions): object {
  const app = new OpenAPIHono()
  const registry = app.openAPIRegistry
  for (const [name, scheme] of Object.entries(securitySchemes))
    registry.registerComponent('securitySchemes', name, scheme)
  for (const [envelope, schema] of Object.entries(errorSchemas))
    registry.register(errorSchemaNames[envelope as Operation['envelope']], schema)
  for (const each of operations) registry.registerPath(routeOf(each))
  for (const webhook of webhooks) registry.registerWebhook(webhookOf(webhook))
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Sedge',
      version: apiVersion,
      description: introduction,
      license: { name: 'MIT' },
    },
    servers: [
      { url: '/', description: 'This service' },
      { url: 'http://127.0.0.1:8788', description: 'Local development' },
    ],
    tags: [...new Set(operations.map(({ plane }) => plane))].map((name) =>
      tagOf(name, planes[name]),
    ),
  })
  addParameterExamples(document, operations)
  return document
}

const introduction = [
  'Store, catalogue, transform and deliver static assets for many tenants.',
  'The [documentation](/docs/) tells how it all works; here is every endpoint, to read and to try.',
  'The examples work as they are on a new service: create the zone `acme` first, then store the file.',
  'Each key opens its own plane: `AccessKey` files and the catalogue, `AccountKey` zones, rules and administration. A token does what its scopes say.',
].join('\n\n')

/** `x-displayName` is what Scalar and others show instead of the name. */
const tagOf = (name: string, described: PlaneDescription | undefined) => ({
  name,
  ...(described && { description: described.description, 'x-displayName': described.title }),
})

const securitySchemes = {
  AccessKey: { type: 'apiKey', in: 'header', name: 'AccessKey', description: 'Data plane' },
  AccountKey: { type: 'apiKey', in: 'header', name: 'AccountKey', description: 'Control plane' },
  PurgeKey: { type: 'apiKey', in: 'header', name: keyCarriers.purge.header },
  AnalyticsKey: { type: 'apiKey', in: 'header', name: keyCarriers.analytics.header },
  BearerToken: { type: 'http', scheme: 'bearer', description: 'Scoped; begins with `cdnsk_`' },
  Session: { type: 'apiKey', in: 'cookie', name: 'cdn_session' },
} as const

const schemeNames: Readonly<Record<KeyName, keyof typeof securitySchemes>> = {
  access: 'AccessKey',
  account: 'AccountKey',
  purge: 'PurgeKey',
  analytics: 'AnalyticsKey',
}

const errorSchemaNames = { standard: 'StandardError', flat: 'FlatError' } as const

/** Any one of the members is enough; for a public operation there is none. */
function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'public') return []
  return [
    ...access.keys.map((key) => ({ [schemeNames[key]]: [] })),
    ...(access.scope === undefined ? [] : [{ BearerToken: [access.scope] }]),
    ...(access.session === true ? [{ Session: [] }] : []),
  ]
}

function routeOf(described: Operation): Route {
  const { id, plane, method, path, summary, description } = described
  return {
    operationId: id,
    tags: [plane],
    method,
    path,
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(described.access),
    request: requestOf(described),
    responses: responsesOf(described),
  }
}

function requestOf({ path, params, query, requestHeaders, body, example }: Operation) {
  const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name)
  const headers = Object.entries(requestHeaders ?? {}).map(
    ([name, what]) => [name, z.string().optional().describe(what)] as const,
  )
  return {
    ...(names.length > 0 && {
      params: params ?? z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    }),
    ...(query !== undefined && { query }),
    ...(headers.length > 0 && { headers: z.object(Object.fromEntries(headers)) }),
    ...(body !== undefined && { body: requestBodyOf(body, example) }),
  }
}

const requestBodyOf = (body: BodySpec, { body: sent, contentType }: Example = {}) => {
  const example = sent === undefined ? {} : { example: sent }
  if (body.kind === 'json')
    return { required: true, content: { 'application/json': { schema: body.schema, ...example } } }
  const type = body.contentType ?? contentType
  return {
    required: true,
    description: `${body.description}; at most ${body.maxBytes} bytes`,
    content: {
      ...(type !== undefined && { [type]: { schema: body.schema ?? {}, ...example } }),
      ...(body.contentType === undefined && { '*/*': { schema: {} } }),
    },
  }
}

const refusal = (envelope: Operation['envelope']): Content => ({
  'application/json': { schema: { $ref: `#/components/schemas/${errorSchemaNames[envelope]}` } },
})

function responsesOf({ responses, envelope, rateLimit }: Operation): Route['responses'] {
  const described = Object.entries(responses as Record<string, ResponseSpec>).map(
    ([status, { description, schema, contentType }]) => {
      const content = Number(status) >= 400 && schema === undefined ? refusal(envelope) : undefined
      return [status, { description, ...contentOf(content, schema, contentType) }] as const
    },
  )
  return {
    ...Object.fromEntries(described),
    ...(rateLimit !== undefined && {
      429: { description: 'The limit is used up', content: refusal('flat') },
    }),
    default: { description: 'A refusal', content: refusal(envelope) },
  }
}

function contentOf(
  given: Content | undefined,
  schema: z.ZodType | undefined,
  contentType: string | undefined,
): { content?: Content } {
  if (given !== undefined) return { content: given }
  if (schema !== undefined) return { content: { [contentType ?? 'application/json']: { schema } } }
  return contentType === undefined ? {} : { content: { [contentType]: { schema: {} } } }
}

const webhookOf = ({ name, summary, schema }: WebhookDescription): Route => ({
  path: name,
  method: 'post',
  summary,
  request: { body: { required: true, content: { 'application/json': { schema } } } },
  responses: { '2XX': { description: 'Taken; anything else is tried again' } },
})
