import type { Random } from '../support/random.ts'
import type { ValueSchema } from './documented-operations.ts'

/** What is there to be named: by the name of a parameter or member, and for those of no such name. */
export interface Pool {
  pick(name: string, random: Random): string | undefined
}

/** Whoever asks, and what is not theirs. */
export interface Caller {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Holds the keys of all: it may see everything, and is kept from what is compared afterwards. */
  readonly isOperator: boolean
  readonly pool: Pool
}

export interface Making {
  readonly random: Random
  readonly pool: Pool
  /** Of a hundred values, so many are near what is valid, and so many absurd. */
  readonly near: number
  readonly absurd: number
  /** So many values may still be made: lists of lists of lists would have no end. */
  left: number
}

/** How much of a request is wrong: none of it, some, most. */
export const moods = [
  { near: 0, absurd: 0 },
  { near: 0, absurd: 0 },
  { near: 15, absurd: 5 },
  { near: 40, absurd: 40 },
] as const

const absurdTexts: readonly [string, ...string[]] = [
  '',
  ' ',
  '\0',
  '%00',
  '%',
  '%zz',
  '%c0%af',
  '../../../etc/passwd',
  '..%2f..%2f',
  '.git/config',
  '__proto__',
  'constructor',
  '-1',
  '0',
  '1e309',
  '9'.repeat(40),
  '0x10',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '"',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '\r\nX-Injected: yes',
  '\u202e\u0000\uffff',
  'e\u0301\u0301\u0301',
  '\ud83d\ude00'.repeat(50),
  'http://169.254.169.254/latest/meta-data',
  'https://user@127.0.0.1:1/',
  'javascript:1',
  '//evil.invalid',
  '*',
  '/*',
  ',;=&?#',
  '2026-02-30T25:61:61Z',
  '9999999-01-01',
  'a'.repeat(300),
  'a'.repeat(5000),
  '/'.repeat(300),
  'a/'.repeat(400),
  '(a+)+$',
]

const absurdNumbers: readonly [number, ...number[]] = [
  -1,
  0,
  -0.5,
  0.1,
  1e9,
  2 ** 31,
  2 ** 53,
  1e300,
  Number.MIN_SAFE_INTEGER,
]

/** Any value of JSON that nobody asked for. */
export function absurdValue({ random }: Making): unknown {
  const kinds: readonly [() => unknown, ...(() => unknown)[]] = [
    () => random.pick(absurdTexts),
    () => random.pick(absurdTexts),
    () => random.pick(absurdNumbers),
    () => null,
    () => random.next() < 0.5,
    () => [],
    () => ({}),
    () => Array.from({ length: random.integer(2, 1200) }, () => 'a'),
    () => nested(random.integer(5, 2000)),
    () => ({ __proto__: null, constructor: { prototype: 1 }, toString: 1 }),
  ]
  return random.pick(kinds)()
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** A value for a place of this name: mostly what the schema takes, sometimes next to it, sometimes far off. */
export function valueFor(name: string, schema: ValueSchema, making: Making): unknown {
  const { random, near, absurd, pool } = making
  making.left -= 1
  if (making.left < 0) return null
  const chance = random.integer(1, 100)
  if (chance <= absurd) return absurdValue(making)
  const isNear = chance <= absurd + near
  const named = pool.pick(name, random)
  if (named !== undefined && takesText(schema) && random.next() < 0.8)
    return isNear ? nextTo(named, random) : named
  return ofSchema(name, schema, { making, random, isNear })
}

const takesText = ({ type, anyOf, enum: values }: ValueSchema): boolean =>
  values === undefined &&
  (type === undefined || [type].flat().includes('string') || (anyOf ?? []).some(takesText))

interface MakingOne {
  readonly making: Making
  readonly random: Random
  readonly isNear: boolean
}

function ofSchema(name: string, schema: ValueSchema, one: MakingOne): unknown {
  const { random, isNear, making } = one
  if (schema.const !== undefined) return schema.const
  const [first, ...others] = schema.enum ?? []
  if (first !== undefined && !isNear) return random.pick([first, ...others])
  const [way, ...more] = schema.anyOf ?? []
  if (way !== undefined) return valueFor(name, random.pick([way, ...more]), making)
  const [type = 'string', ...types] = [schema.type ?? 'string'].flat()
  return ofType(random.pick([type, ...types]), { name, schema }, one)
}

interface Place {
  readonly name: string
  readonly schema: ValueSchema
}

function ofType(type: string, { name, schema }: Place, one: MakingOne): unknown {
  if (type === 'integer' || type === 'number') return numberOf(schema, one)
  if (type === 'boolean') return one.isNear ? 'true' : one.random.next() < 0.5
  if (type === 'null') return null
  if (type === 'array') return arrayOf(name, schema, one)
  if (type === 'object') return objectOf(schema, one.making)
  return textOf(schema, one)
}

function numberOf({ minimum, maximum }: ValueSchema, { random, isNear }: MakingOne): number {
  const least = Math.max(minimum ?? 0, -1000)
  const most = Math.min(maximum ?? 1000, least + 100_000)
  if (isNear) return random.pick([least - 1, least, most, most + 1, least + 0.5])
  return random.integer(Math.ceil(least), Math.floor(most))
}

function textOf({ minLength = 0, maxLength = 40 }: ValueSchema, { random, isNear }: MakingOne) {
  const most = Math.min(maxLength, 3000)
  if (isNear)
    return 'a'.repeat(random.pick([Math.max(0, minLength - 1), minLength, most, most + 1]))
  const letters = 'abcdefghijklmnopqrstuvwxyz-0123456789'
  const length = Math.max(minLength, random.integer(1, 12))
  return Array.from({ length }, () => letters[random.integer(0, letters.length - 1)]).join('')
}

function arrayOf(name: string, schema: ValueSchema, { random, isNear, making }: MakingOne) {
  const { minItems = 0, maxItems = 5, items = {} } = schema
  const most = Math.min(maxItems, 40)
  const length = isNear
    ? random.pick([Math.max(0, minItems - 1), Math.min(maxItems + 1, 1100)])
    : random.integer(Math.max(minItems, 1), Math.max(minItems, Math.min(4, most)))
  const made: unknown[] = []
  while (made.length < length && making.left > 0) made.push(valueFor(name, items, making))
  return made
}

/** What is required is mostly there, and of the rest about a third. */
export function objectOf(schema: ValueSchema, making: Making): Record<string, unknown> {
  const { random } = making
  const required = new Set(schema.required)
  const made: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    if (random.next() < (required.has(name) ? 0.97 : 0.33))
      made[name] = valueFor(name, member, making)
  if (random.integer(1, 100) <= making.near) made[nextTo('extra', random)] = absurdValue(making)
  return made
}

/** The same with a change that may or may not matter. */
export function nextTo(text: string, random: Random): string {
  const changes: readonly [(text: string) => string, ...((text: string) => string)[]] = [
    (each) => each.slice(0, -1),
    (each) => `${each}0`,
    (each) => each.toUpperCase(),
    (each) => ` ${each}`,
    (each) => `/${each}`,
    (each) => `${each}/`,
    (each) => `${each}/../${each}`,
    (each) => each.replaceAll('/', '//'),
    (each) => encodeURIComponent(each),
    (each) => each.normalize('NFD'),
    (each) => `clients/${each}`,
    (each) => each.replace('acme', 'vault'),
  ]
  return random.pick(changes)(text)
}
