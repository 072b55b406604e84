import { z } from 'zod'

import { errorCodes } from '../src/domain/errors.ts'
import type { Operation } from '../src/http/operation.ts'
import { typeOf, withDescription, type JsonSchema } from './json-schema-types.ts'

/**
 * What of the client is made from the operations: `types` says what each takes and answers, `values`
 * how it is asked. Types cannot be inferred instead: the list of operations holds every shape, and the
 * package must not ask its users for the service's dependencies.
 */
export function clientSource(all: readonly Operation[]): { types: string; values: string } {
  const operations = all.filter(({ path }) => path.startsWith('/api/'))
  return {
    types: [
      `/** Every reason the service may refuse a request. */\nexport type ErrorCode = ${errorCodes.map(quoted).join(' | ')}`,
      `/** Every operation: what it takes, and what it answers. */\nexport interface Operations {\n${operations.map(declarationOf).join('\n')}\n}`,
    ].join('\n\n'),
    values: [
      `export const errorCodes: readonly ErrorCode[] = [${errorCodes.map(quoted).join(', ')}]`,
      `export const routes = {\n${operations.map((each) => `${each.id}: ${JSON.stringify(routeOf(each))},`).join('\n')}\n} as const satisfies Record<keyof Operations, Route>`,
    ].join('\n\n'),
  }
}

/** One line an operation, for the documentation. */
export const clientMethods = (all: readonly Operation[]): readonly (readonly string[])[] =>
  all
    .filter(({ path }) => path.startsWith('/api/'))
    .map((each) => [
      `\`${each.id}\``,
      each.summary,
      `\`${each.method.toUpperCase()} ${each.path}\``,
      { json: 'JSON', response: '`Response`', events: 'events' }[answerKind(each)],
    ])

const quoted = (text: string): string => `'${text}'`

function declarationOf(each: Operation): string {
  const note = `${each.summary}. \`${each.method.toUpperCase()} ${each.path}\``
  return `/** ${note} */\n${each.id}: {\ninput: ${inputOf(each)}\nanswer: ${answerOf(each)}\n}`
}

function inputOf(each: Operation): string {
  const members = [...parametersOf(each), ...bodyOf(each), ...headersOf(each)]
  const names = members.map(([name]) => name)
  if (new Set(names).size < names.length)
    throw new Error(`${each.id} has two parameters of one name`)
  return members.length === 0
    ? 'Record<never, never>'
    : `{\n${members.map(([, text]) => text).join('\n')}\n}`
}

type Member = readonly [name: string, declaration: string]

function parametersOf({ path, params, query }: Operation): readonly Member[] {
  const described = membersOf(params)
  const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name)
  const undescribed = inPath.filter((name) => !described.some(([known]) => known === name))
  return [
    ...undescribed.map((name): Member => [name, `${name}: string`]),
    ...described,
    ...membersOf(query),
  ]
}

function membersOf(schema: z.ZodType | undefined): readonly Member[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, each]) => {
    const mark = required.includes(name) ? '' : '?'
    // What a query spells as text is a whole number or a flag to the caller.
    const { enum: _spellings, ...plain } = each
    const type = typeOf(each.type === 'boolean' ? plain : each)
    return [name, withDescription(each.description, `${name}${mark}: ${type}`)]
  })
}

function bodyOf({ body }: Operation): readonly Member[] {
  if (body === undefined) return []
  if (body.schema === undefined)
    return [['body', `/** ${body.kind === 'bytes' ? body.description : ''} */\nbody: Bytes`]]
  const schema = jsonSchema(body.schema, 'input')
  const mark = (schema.required ?? []).length === 0 && schema.type === 'object' ? '?' : ''
  return [['body', `body${mark}: ${typeOf(schema)}`]]
}

function headersOf({ requestHeaders }: Operation): readonly Member[] {
  if (requestHeaders === undefined) return []
  const members = Object.entries(requestHeaders).map(([name, what]) =>
    withDescription(what, `'${name}'?: string`),
  )
  return [['headers', `headers?: {\n${members.join('\n')}\n}`]]
}

function answerOf(each: Operation): string {
  const kind = answerKind(each)
  if (kind === 'response') return 'Response'
  if (kind === 'events') return 'AsyncIterable<ServerSentEvent>'
  const schemas = answersOf(each).flatMap(([, { schema }]) => schema ?? [])
  const types = schemas.map((schema) => typeOf(jsonSchema(schema, 'output')))
  return [...new Set(types)].join(' | ') || 'unknown'
}

/** Bytes are handed on as they come, whatever else the operation may answer. */
function answerKind(each: Operation): 'json' | 'response' | 'events' {
  const types = answersOf(each).map(([, { contentType }]) => contentType ?? 'application/json')
  if (types.includes('text/event-stream')) return 'events'
  return types.every((type) => type === 'application/json') ? 'json' : 'response'
}

type Response = Operation['responses'][number]

/** What is not a refusal: success, and any other status that has an answer of its own. */
const answersOf = ({ responses }: Operation): readonly (readonly [number, Response])[] =>
  Object.entries(responses as Record<string, Response>)
    .map(([status, response]) => [Number(status), response] as const)
    .filter(([status, { schema, contentType }]) =>
      status < 300 ? schema !== undefined || contentType !== undefined : schema !== undefined,
    )

function routeOf(each: Operation) {
  const { method, path, body } = each
  const access = credentialsOf(each)
  const answer = answerKind(each)
  const answers = answersOf(each).flatMap(([status]) => (status >= 400 ? [status] : []))
  return {
    method: method.toUpperCase(),
    path,
    ...(access && access.keys.length > 0 && { keys: access.keys }),
    ...(access?.scope !== undefined && { takesToken: true }),
    ...(body?.schema !== undefined && { body: 'json' }),
    ...(answer !== 'json' && { answer }),
    ...(answers.length > 0 && { answers }),
  }
}

/** What opens it, or more of it. */
const credentialsOf = ({ access, moreFor }: Operation) => (access === 'public' ? moreFor : access)

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema
