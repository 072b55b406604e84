import { createHash } from 'node:crypto'
import { z } from 'zod'
import { apiVersion } from '../response/envelopes.ts'
import { keyCarriers } from '../access/authorize.ts'
import { grantParameter } from '../access/upload-grant.ts'
import { errorSchemas } from './error-schemas.ts'
import { type JsonSchema, schemaOf } from './json-schema.ts'
import {
  type Access,
  type BodySpec,
  type Example,
  type KeyName,
  type Operation,
  operation,
  type ResponseSpec,
} from '../operation.ts'

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

/** `GET /api/openapi.json`, of the operations that are given. */
export const getOpenApiDocument = operation({
  id: 'getOpenApiDocument',
  plane: 'operations',
  method: 'get',
  path: '/api/openapi.json',
  summary: 'This interface as an OpenAPI 3.1 document',
  access: 'public',
  envelope: 'standard',
  responses: { 200: { description: 'The document', schema: z.looseObject({}) } },
}).handledBy((options: OpenApiOptions) => {
  const made: { document?: Readonly<Record<string, unknown>>; etag?: string } = {}
  return async ({ respond }) => {
    made.document ??= openApiDocument(options)
    made.etag ??= `"${createHash('sha256').update(JSON.stringify(made.document)).digest('hex').slice(0, 32)}"`
    return respond(200, made.document, { ETag: made.etag, 'Cache-Control': 'no-cache' })
  }
})

/** OpenAPI 3.1, from the operations alone. */
export function openApiDocument({
  operations,
  webhooks = [],
  planes = {},
}: OpenApiOptions): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const each of operations) {
    const path = (paths[each.path] ??= {})
    path[each.method] = describeOperation(each)
    if (each.head !== undefined) path['head'] = describeHead(each, each.head)
  }
  return {
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
    components: {
      securitySchemes,
      schemas: {
        StandardError: schemaOf(errorSchemas.standard, 'output'),
        FlatError: schemaOf(errorSchemas.flat, 'output'),
      },
    },
    paths,
    webhooks: Object.fromEntries(webhooks.map((each) => [each.name, { post: webhookOf(each) }])),
  }
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
  UploadGrant: {
    type: 'apiKey',
    in: 'query',
    name: grantParameter,
    description: 'Stands in the URL that `createUploadGrant` answers',
  },
} as const

const schemeNames: Readonly<Record<KeyName, keyof typeof securitySchemes>> = {
  access: 'AccessKey',
  account: 'AccountKey',
  purge: 'PurgeKey',
  analytics: 'AnalyticsKey',
}

const errorSchemaNames = { standard: 'StandardError', flat: 'FlatError' } as const

/** Any one of the members is enough; for a public operation there is none, or none is needed. */
function securityOf({ access, moreFor }: Operation): Record<string, string[]>[] {
  if (access !== 'public') return credentialsOf(access)
  return moreFor === undefined ? [] : [{}, ...credentialsOf(moreFor)]
}

function credentialsOf(access: Exclude<Access, 'public'>): Record<string, string[]>[] {
  return [
    ...access.keys.map((key) => ({ [schemeNames[key]]: [] })),
    ...[access.scope ?? [], access.orScopes ?? []]
      .flat()
      .map((scope) => ({ BearerToken: [scope] })),
    ...(access.session === true ? [{ Session: [] }] : []),
    ...(access.grant === true ? [{ UploadGrant: [] }] : []),
  ]
}

function describeOperation(described: Operation): object {
  const { id, plane, summary, description, body, example } = described
  return {
    operationId: id,
    tags: [plane],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(described),
    parameters: parametersOf(described),
    ...(body !== undefined && { requestBody: requestBodyOf(body, example) }),
    responses: responsesOf(described),
  }
}

/** What `GET` answers, without a body. */
function describeHead(described: Operation, { id, summary }: NonNullable<Operation['head']>) {
  const { description: _, ...get } = describeOperation(described) as Record<string, unknown>
  const responses = Object.entries(described.responses as Record<string, ResponseSpec>)
  return {
    ...get,
    operationId: id,
    summary,
    responses: Object.fromEntries([
      ...responses.map(([status, { description }]) => [status, { description }]),
      ['default', { description: 'A refusal' }],
    ]),
  }
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

function parametersOf({ path, params, query, requestHeaders, example }: Operation): Parameter[] {
  const names = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name)
  const inPath = params ?? z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
  const examples: Readonly<Record<string, unknown>> = { ...example?.params, ...example?.query }
  const spelt = [
    ...membersOf(names.length > 0 ? inPath : undefined, 'path'),
    ...membersOf(query, 'query'),
  ].map((each) =>
    Object.hasOwn(examples, each.name) ? { ...each, example: examples[each.name] } : each,
  )
  const headers = Object.entries(requestHeaders ?? {}).map(([name, description]) => ({
    name,
    in: 'header' as const,
    required: false,
    description,
    schema: { type: 'string' },
  }))
  return [...spelt, ...headers]
}

function membersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Parameter[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, { description, ...each }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: each,
  }))
}

function requestBodyOf(body: BodySpec, { body: sent, contentType }: Example = {}) {
  const example = sent === undefined ? {} : { example: sent }
  const schema = body.schema === undefined ? {} : schemaOf(body.schema, 'input')
  if (body.kind === 'json')
    return { required: true, content: { 'application/json': { schema, ...example } } }
  const type = body.contentType ?? contentType
  return {
    required: true,
    description:
      body.maxBytes === undefined
        ? body.description
        : `${body.description}; at most ${body.maxBytes} bytes`,
    content: {
      ...(type !== undefined && { [type]: { schema, ...example } }),
      ...(body.contentType === undefined && { '*/*': { schema: {} } }),
    },
  }
}

const refusal = (envelope: Operation['envelope']) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${errorSchemaNames[envelope]}` } },
})

/** What an operation is refused for, besides what it says itself. A used-up limit is always flat. */
function responsesOf(described: Operation): Readonly<Record<string, object>> {
  const { responses, envelope, responseHeaders } = described
  const headers = responseHeaders && {
    headers: mapValues(responseHeaders, (description) => ({
      description,
      schema: { type: 'string' },
    })),
  }
  return {
    ...Object.fromEntries(
      refusedFor(described).map(([status, description]) => [
        status,
        { description, content: refusal(envelope) },
      ]),
    ),
    429: { description: 'A limit is used up', content: refusal('flat') },
    ...Object.fromEntries(
      Object.entries(responses as Record<string, ResponseSpec>).map(([status, response]) => [
        status,
        { ...describeResponse(Number(status), response, envelope), ...headers },
      ]),
    ),
    default: { description: 'A refusal', content: refusal(envelope) },
  }
}

function refusedFor({ access, path, params, query, body }: Operation): [number, string][] {
  const hasInput = path.includes('{') || [params, query, body].some((each) => each !== undefined)
  return [
    ...(hasInput ? [[400, 'What was sent is not valid'] as [number, string]] : []),
    ...(access === 'public'
      ? []
      : ([
          [401, 'No credential, or a wrong one'],
          [403, 'A good credential that is not for this'],
        ] as [number, string][])),
    ...(body === undefined ? [] : [[413, 'The body is too large'] as [number, string]]),
    ...(body?.kind === 'json' ? [[415, 'The body is not JSON'] as [number, string]] : []),
  ]
}

function describeResponse(
  status: number,
  declared: ResponseSpec,
  envelope: Operation['envelope'],
): object {
  const { description, schema, contentType, otherContentTypes = [] } = declared
  if (status === 429) return { description, content: refusal('flat') }
  const others = Object.fromEntries(
    otherContentTypes.map((type) => [type, mediaOf(declared, type)]),
  )
  if (status >= 400 && schema === undefined)
    return { description, content: { ...refusal(envelope), ...others } }
  const content = {
    ...others,
    ...(schema !== undefined && {
      [contentType ?? 'application/json']: { schema: schemaOf(schema, 'output') },
    }),
    ...(schema === undefined &&
      contentType !== undefined && { [contentType]: mediaOf(declared, contentType) }),
  }
  return Object.keys(content).length === 0 ? { description } : { description, content }
}

/** OpenAPI 3.1 has no words for what a stream is made of. */
function mediaOf({ events, lines }: ResponseSpec, type: string): object {
  if (type === 'text/event-stream' && events !== undefined)
    return { schema: {}, 'x-events': mapValues(events, (each) => schemaOf(each, 'output')) }
  return { schema: {}, ...(lines && { 'x-lines': schemaOf(lines, 'output') }) }
}

const mapValues = <From, To>(
  members: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]))

const webhookOf = ({ name, summary, schema }: WebhookDescription) => ({
  operationId: name,
  summary,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemaOf(schema, 'output') } },
  },
  responses: { '2XX': { description: 'Taken; anything else is tried again' } },
})
