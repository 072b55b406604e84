import type { z } from 'zod'

import type { Log } from '../lib/log.ts'
import { errorSchemas } from './openapi/error-schemas.ts'
import type { Operation, Reply, ResponseSpec } from './operation.ts'

/**
 * Compares each response with what its operation declares. For tests and development: it reads every
 * body once more.
 */
export interface ResponseCheck {
  /** The same reply, a stream of it checked as it is read. Throws {@link ResponseFault}. */
  reply(operation: Operation, reply: Reply | Response): Promise<Reply | Response>
  /** Throws {@link ResponseFault} where a refusal has not the shape that its envelope says. */
  refusal(operation: Operation | undefined, refusal: Response): Promise<void>
}

/** A response that its operation does not declare: a bug of the service, which no caller can cause. */
export class ResponseFault extends Error {
  override readonly name = 'ResponseFault'

  constructor(id: string, status: number, faults: readonly string[]) {
    super(`${id} sent a ${status} that it does not declare: ${faults.slice(0, 10).join('; ')}`)
  }
}

/** Faults in streams are logged too: their response has begun by then. */
export const createResponseCheck = (log: Pick<Log, 'error'>): ResponseCheck => ({
  async reply(operation, reply) {
    if (reply instanceof Response) return await checkedResponse(operation, reply, log)
    const { status, json } = reply
    const declared = declaredFor(operation, status)
    // As the client reads it: without members that are undefined, and dates as text.
    const sent = JSON.parse(JSON.stringify(json)) as unknown
    const faults =
      declared?.schema === undefined ? ['no JSON is declared'] : faultsOf(declared.schema, sent)
    require(faults, operation, status)
    return reply
  },
  async refusal(operation, refusal) {
    const type = refusal.headers.get('content-type')
    if (refusal.body === null || type?.startsWith('application/json') !== true) return
    const json: unknown = await refusal.json()
    const isFlat = operation?.envelope === 'flat' || refusal.status === 429
    require(faultsOf(errorSchemas[isFlat ? 'flat' : 'standard'], json), operation, refusal.status)
  },
})

function require(
  faults: readonly string[],
  operation: Operation | undefined,
  status: number,
): void {
  if (faults.length > 0) throw new ResponseFault(operation?.id ?? 'nobody', status, faults)
}

const declaredFor = ({ responses }: Operation, status: number): ResponseSpec | undefined =>
  responses[status]

async function checkedResponse(
  operation: Operation,
  response: Response,
  log: Pick<Log, 'error'>,
): Promise<Response> {
  const { status, body } = response
  const declared = declaredFor(operation, status)
  if (declared === undefined) throw new ResponseFault(operation.id, status, ['no such status'])
  if (body === null) return response
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  if (!typesOf(declared).some((each) => covers(each, type)))
    throw new ResponseFault(operation.id, status, [`the content type "${type}" is not declared`])
  const schema = schemaOf(declared, type)
  if (schema !== undefined)
    require(faultsOf(schema, await response.clone().json()), operation, status)
  const pieces = response.headers.has('content-encoding') ? undefined : piecesOf(declared, type)
  if (pieces === undefined) return response
  const faulty = (faults: readonly string[]) => {
    const fault = new ResponseFault(operation.id, status, faults)
    log.error('a response is not as declared', { error: fault })
    return fault
  }
  return new Response(checkedStream(body, pieces, faulty), response)
}

/** Bytes that are stored can be JSON of any shape. */
function schemaOf(declared: ResponseSpec, type: string): z.ZodType | undefined {
  const isStored = declared.otherContentTypes?.includes('*/*') === true
  return type === 'application/json' && !isStored ? declared.schema : undefined
}

function piecesOf({ events, lines }: ResponseSpec, type: string): Pieces | undefined {
  if (events !== undefined && type === 'text/event-stream')
    return { separator: '\n\n', faultsOf: (text) => eventFaults(events, text) }
  return lines && { separator: '\n', faultsOf: (text) => faultsOf(lines, JSON.parse(text)) }
}

const typesOf = ({ contentType, schema, otherContentTypes = [] }: ResponseSpec) => [
  ...(contentType === undefined ? [] : [contentType]),
  ...(contentType === undefined && schema !== undefined ? ['application/json'] : []),
  ...otherContentTypes,
]

/** Whether a media range (`image/*`) holds a media type. */
const covers = (range: string, type: string): boolean =>
  range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

/** What a value does not have in common with its schema; members that are not declared are faults too. */
function faultsOf(schema: z.ZodType, value: unknown): readonly string[] {
  const parsed = schema.safeParse(value)
  return parsed.success
    ? undeclared(value, parsed.data, '')
    : parsed.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`)
}

/**
 * A schema leaves out what it does not know, so what was sent and is not in `known` is not declared. Of a
 * record it leaves out `__proto__` too, which may be a key like any other, e.g. somebody's path.
 */
function undeclared(sent: unknown, known: unknown, at: string): readonly string[] {
  if (Object.is(sent, known)) return []
  if (!isObject(sent) || !isObject(known)) return [`${at}: is not sent as it is declared`]
  const members = Object.entries(sent).filter(([name]) => name !== '__proto__')
  return members.flatMap(([name, value]) =>
    Object.hasOwn(known, name)
      ? undeclared(value, known[name], `${at}/${name}`)
      : [`${at}/${name}: is not declared`],
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

type EventSchemas = NonNullable<ResponseSpec['events']>

/** An event without a name is called `message`, as browsers do. */
function eventFaults(events: EventSchemas, frame: string): readonly string[] {
  const fields = frame.split('\n').map((line) => line.split(/: (.*)/su, 2))
  const valueOf = (name: string) => fields.find(([each]) => each === name)?.[1]
  const data = valueOf('data')
  if (data === undefined || data === '[DONE]') return []
  const event = valueOf('event') ?? 'message'
  const schema = events[event]
  return schema === undefined
    ? [`the event "${event}" is not declared`]
    : faultsOf(schema, JSON.parse(data)).map((fault) => `${event}${fault}`)
}

interface Pieces {
  readonly separator: string
  readonly faultsOf: (piece: string) => readonly string[]
}

/** The same bytes; ends with an error at the first piece that is faulty. */
function checkedStream(
  body: ReadableStream<Uint8Array>,
  { separator, faultsOf: faultsIn }: Pieces,
  faulty: (faults: readonly string[]) => Error,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await reader.read()
        rest += decoder.decode(value, { stream: !done })
        const pieces = rest.split(separator)
        rest = pieces.pop() ?? ''
        const faults = pieces.filter((piece) => piece !== '').flatMap(faultsIn)
        if (faults.length > 0) return controller.error(faulty(faults))
        if (done) return controller.close()
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
