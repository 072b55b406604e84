import type { Random } from '../support/random.ts'
import type { OperationKind, Body, Documented, Parameter } from './documented-operations.ts'
import { absurdValue, type Caller, type Making, moods, nextTo, valueFor } from './hostile-values.ts'

/** A request as it is sent, and as it is told of when it goes wrong. */
export interface GeneratedRequest {
  readonly operation: OperationKind
  readonly caller: Caller
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** One of many networks: what one of them may ask is bounded. */
  readonly address: string
  /** What is wrong with the answer beside what is wrong with any. */
  readonly onAnswer?: (answered: GotResponse) => readonly string[]
}

/** A response that was read, as far as was of interest. */
export interface GotResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
}

/** In one request. */
const maxValues = 3000

/** `undefined` where this caller is not to ask it. */
export function generate(
  operation: Documented,
  caller: Caller,
  random: Random,
): GeneratedRequest | undefined {
  const making: Making = {
    random,
    pool: caller.pool,
    ...random.pick(moods),
    left: maxValues,
  }
  const given = parametersOf(operation, making)
  const body = random.next() < 0.97 ? bodyOf(operation, making) : undefined
  const target = targetOf(operation, given)
  const made = {
    operation,
    caller,
    method: operation.method,
    target,
    headers: headersOf(given, { ...caller.headers, ...body?.headers }),
    body: operation.method === 'GET' || operation.method === 'HEAD' ? undefined : body?.body,
    address: randomNetworkPeer(random),
  }
  const said = `${target} ${typeof body?.body === 'string' ? body.body : ''}`
  return caller.isOperator && /vault|\*/iu.test(decoded(said)) ? undefined : made
}

export const randomNetworkPeer = (random: Random): string =>
  `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`

type Given = readonly (readonly [Parameter, string])[]

function parametersOf({ parameters }: Documented, making: Making): Given {
  const { random } = making
  const given: (readonly [Parameter, string])[] = []
  for (const parameter of parameters) {
    if (!parameter.required && random.next() > 0.25) continue
    if (parameter.required && parameter.in !== 'path' && random.next() < 0.02) continue
    given.push([parameter, textOf(exampleOr(parameter, making))])
  }
  return given
}

/** The example of the description half of the time: it is what leads furthest. */
function exampleOr({ name, schema, example }: Omit<Parameter, 'in' | 'required'>, making: Making) {
  const { random, pool, near } = making
  if (example === undefined || random.next() < 0.5) return valueFor(name, schema, making)
  const named = pool.pick(name, random)
  const value = typeof example === 'string' && named !== undefined ? named : example
  return typeof value === 'string' && random.integer(1, 100) <= near ? nextTo(value, random) : value
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '').slice(0, 20_000)

function targetOf({ path }: Documented, given: Given): string {
  const query: string[] = []
  let target = path
  for (const [parameter, value] of given)
    if (parameter.in === 'path')
      target = target.replace(`{${parameter.name}}`, () => pathText(parameter.name, value))
    else if (parameter.in === 'query') query.push(`${parameter.name}=${encoded(value)}`)
  return query.length === 0 ? target : `${target}?${query.join('&')}`
}

/** A path keeps its slashes, and now and then what was encoded before stays as it is. */
const pathText = (name: string, value: string): string =>
  (name === 'path' ? value.split('/').map(encoded).join('/') : encoded(value)).replaceAll(
    /%25(?=[0-9a-f]{2})/giu,
    '%',
  )

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function headersOf(
  given: Given,
  base: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { ...base }
  for (const [{ name, in: place }, value] of given)
    if (place === 'header') headers[name] = value.replaceAll(/[^\x20-\x7e]/gu, '').slice(0, 2000)
  return headers
}

interface MadeBody {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

function bodyOf({ bodies }: Documented, making: Making): MadeBody | undefined {
  const { random } = making
  const [first, ...others] = bodies
  if (first === undefined) return undefined
  const body = random.pick([first, ...others])
  const type = body.mediaType === '*/*' ? 'application/octet-stream' : body.mediaType
  const headers = { 'Content-Type': type }
  if (random.integer(1, 200) <= making.absurd)
    return { headers, body: random.bytes(random.integer(0, 3000)) }
  return { headers, body: wholeBody(body, making) }
}

function wholeBody({ mediaType, schema, example }: Body, making: Making): string {
  const { random, absurd } = making
  if (!mediaType.includes('json')) return typeof example === 'string' ? example : 'some bytes'
  if (random.integer(1, 200) <= absurd) return textOf(absurdValue(making)).slice(0, 5000)
  if (example !== undefined && random.next() < 0.2) return JSON.stringify(example)
  const made = JSON.stringify(valueFor('', schema, making))
  return random.integer(1, 200) <= absurd ? made.slice(0, random.integer(0, made.length)) : made
}
