import { z } from 'zod'

import { S3Error } from '../s3-error.ts'

/** How long the file may be, both counted in. */
export interface SizeRange {
  readonly min: number
  readonly max: number
}

/** What whoever signed it lets a form do. */
export interface PostPolicy {
  readonly expiresAt: Date
  readonly conditions: readonly Condition[]
  readonly size: SizeRange | undefined
}

interface Condition {
  readonly kind: 'eq' | 'starts-with'
  /** Lower-case, as the fields of the form. */
  readonly field: string
  readonly value: string
}

const length = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,15}$/u)
    .transform(Number),
])
const word = (...words: readonly string[]) =>
  z
    .string()
    .transform((text) => text.toLowerCase())
    .refine((text) => words.includes(text))
const matched = z.tuple([word('eq', 'starts-with'), z.string().startsWith('$'), z.string()])
const ranged = z.tuple([word('content-length-range'), length, length])
const maxConditions = 200
const document = z.object({
  expiration: z.string().max(64),
  conditions: z
    .array(z.union([matched, ranged, z.record(z.string(), z.string())]))
    .max(maxConditions),
})

/**
 * A policy from the Base64 of its JSON.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
export function parsePostPolicy(encoded: string): PostPolicy {
  const parsed = document.safeParse(jsonOf(encoded))
  if (!parsed.success) throw invalidPolicy('it must have an expiration and conditions as they are')
  const { expiration, conditions: listed } = parsed.data
  const expiresAt = new Date(isoPattern.test(expiration) ? expiration : Number.NaN)
  if (Number.isNaN(expiresAt.getTime()))
    throw invalidPolicy('expiration must be a time in ISO 8601')
  const conditions: Condition[] = []
  let size: SizeRange | undefined
  for (const each of listed)
    if (!Array.isArray(each))
      conditions.push(
        ...Object.entries(each).map(([field, value]) => conditionOf('eq', field, value)),
      )
    else if (isRange(each)) size = narrowed(size, { min: each[1], max: each[2] })
    else conditions.push(conditionOf(each[0], each[1].slice(1), each[2]))
  return { expiresAt, conditions, size }
}

const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/u

function jsonOf(encoded: string): unknown {
  try {
    return JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64')),
    )
  } catch (cause) {
    throw invalidPolicy('it must be JSON in Base64', cause)
  }
}

type Listed = z.output<typeof matched> | z.output<typeof ranged>

const isRange = (listed: Listed): listed is z.output<typeof ranged> =>
  listed[0] === 'content-length-range'

const conditionOf = (kind: string, field: string, value: string): Condition => ({
  kind: kind === 'eq' ? 'eq' : 'starts-with',
  field: field.toLowerCase(),
  value,
})

/** Of several ranges each holds. */
const narrowed = (one: SizeRange | undefined, other: SizeRange): SizeRange =>
  one === undefined
    ? other
    : { min: Math.max(one.min, other.min), max: Math.min(one.max, other.max) }

/** What belongs to the signature itself, or to the page. */
const unlisted: ReadonlySet<string> = new Set(['policy', 'x-amz-signature', 'file'])
const ignoredPrefix = 'x-ignore-'

/** Refuses a form that has what the policy does not let it have. `fields` have the bucket among them. */
export function requirePolicy(
  { expiresAt, conditions }: PostPolicy,
  fields: ReadonlyMap<string, string>,
  now: Date,
): void {
  if (expiresAt <= now) throw denied('Policy expired.')
  const failed = conditions.find((condition) => !holds(condition, fields))
  if (failed !== undefined) {
    const { kind, field, value } = failed
    throw denied(`Policy Condition failed: ${JSON.stringify([kind, `$${field}`, value])}`)
  }
  const listed = new Set(conditions.map(({ field }) => field))
  const extra = [...fields.keys()].filter(
    (name) => !listed.has(name) && !unlisted.has(name) && !name.startsWith(ignoredPrefix),
  )
  if (extra.length > 0) throw denied(`Extra input fields: ${extra.join(', ')}`)
}

function holds({ kind, field, value }: Condition, fields: ReadonlyMap<string, string>): boolean {
  const sent = fields.get(field) ?? ''
  return kind === 'eq' ? sent === value : sent.startsWith(value)
}

const maxReasonLength = 500

const denied = (reason: string): S3Error =>
  new S3Error('AccessDenied', `Invalid according to Policy: ${reason.slice(0, maxReasonLength)}`)

const invalidPolicy = (reason: string, cause?: unknown): S3Error =>
  new S3Error('InvalidPolicyDocument', `Invalid Policy: ${reason}.`, { cause })
