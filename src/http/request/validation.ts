import type { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'

export interface Fault {
  readonly target: string
  readonly message: string
}

type Issue = z.core.$ZodRawIssue

/** More faults than this help nobody and make an answer larger than its request. */
const maxFaults = 100

/**
 * `value` as `schema` makes it; else `InvalidParameter` with one `details` entry a fault. `whole` is
 * what a fault of the value itself, rather than of a member, is called.
 */
export function validate(schema: z.ZodType, value: unknown, whole: string): unknown {
  const result = schema.safeParse(value, { error: describeIssue })
  if (result.success) return result.data
  const faults = result.error.issues.slice(0, maxFaults).map(({ path, message }) => {
    const target = path.length === 0 ? whole : spellPath(path)
    return { target, message: /^[a-z]/u.test(message) ? `${target} ${message}` : message }
  })
  throw invalidParameters(faults)
}

function invalidParameters(faults: readonly Fault[]): ServiceError {
  const [first] = faults
  const others = faults.length - 1
  const more = others > 0 ? ` (and ${others} more, see details)` : ''
  return new ServiceError('InvalidParameter', `${first?.message ?? 'invalid request'}${more}`, {
    ...(first && { target: first.target }),
    details: faults.map(({ target, message }) => ({ target, message })),
  })
}

/** `files[3].path`, as a JavaScript caller would write it. */
const spellPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('')

/** What a library says of a fault never goes out: each kind of issue has our own words. */
function describeIssue(issue: Issue): string {
  const describe = descriptions[issue.code] as ((issue: Issue) => string) | undefined
  return describe?.(issue) ?? 'must be valid'
}

const descriptions: {
  readonly [Code in Issue['code']]?: (issue: Extract<Issue, { code: Code }>) => string
} = {
  invalid_type: ({ expected, input }) =>
    input === undefined ? 'is required' : `must be ${article(expected)}`,
  too_small: ({ origin, minimum, inclusive }) =>
    `must ${measure(origin)} ${inclusive === false ? 'more than' : 'at least'} ${minimum}${unit(origin, minimum)}`,
  too_big: ({ origin, maximum, inclusive }) =>
    `must ${measure(origin)} ${inclusive === false ? 'less than' : 'at most'} ${maximum}${unit(origin, maximum)}`,
  invalid_value: ({ values }) => `must be one of ${values.map(String).join(', ')}`,
  invalid_format: ({ format }) => `must be a valid ${format}`,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) => `must not have ${keys.slice(0, 10).join(', ')}`,
  invalid_union: () => 'must have one of the documented forms',
}

const articles: Readonly<Record<string, string>> = {
  int: 'a whole number',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
}
const article = (expected: string): string => articles[expected] ?? `a ${expected}`

const measure = (origin: string): string =>
  origin === 'string' || origin === 'array' || origin === 'set' ? 'have' : 'be'

function unit(origin: string, bound: number | bigint): string {
  const mark = Number(bound) === 1 ? '' : 's'
  if (origin === 'string') return ` character${mark}`
  return origin === 'array' || origin === 'set' ? ` item${mark}` : ''
}
