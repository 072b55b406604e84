import { z } from 'zod'

import { readQueryMoment } from '../../lib/text/moments.ts'

/**
 * The parameters of a query string. Of a repeated one the first counts. Names a schema does not know
 * are dropped by it.
 */
export function readQuery(search: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of search) query[name] ??= value
  return query
}

interface Range {
  readonly min: number
  readonly max: number
  readonly default: number
  readonly description?: string
}

const wholeNumber = 'must be a whole number'
const digits = z.string().regex(/^[+-]?\d{1,300}$/u, wholeNumber)

/**
 * A whole number that is moved into its range, as paging and periods are. The range is told in words:
 * a schema with bounds would refuse what is taken.
 */
export const clampedInteger = ({ min, max, default: standard, description }: Range) =>
  withDocumentation(
    digits.transform((text) => Math.min(max, Math.max(min, Number(text)))).default(standard),
    {
      default: standard,
      description: inWords(description, `${min} to ${max}; what is beyond is moved into it`),
    },
  )

const inWords = (description: string | undefined, range: string): string =>
  description === undefined ? range : `${description}; ${range}`

/** A whole number that must be within its range. */
export const rangedInteger = (range: Omit<Range, 'default'>) =>
  withDocumentation(
    digits
      .transform(Number)
      .refine(
        (value) => value >= range.min && value <= range.max,
        `must be a whole number from ${range.min} to ${range.max}`,
      ),
    range,
  )

function withDocumentation<S extends z.ZodType>(schema: S, range: Partial<Range>): S {
  const { min, max, ...rest } = range
  return schema.meta({ type: 'integer', minimum: min, maximum: max, ...rest })
}

/** `true`, `1` or the bare name for yes; `false` or `0` for no. */
export const booleanFlag = (description?: string) =>
  z
    .enum(['true', '1', '', 'false', '0'], 'must be true or false')
    .transform((text) => text !== 'false' && text !== '0')
    .meta({ type: 'boolean', ...(description === undefined ? {} : { description }) })

/** One of `values`, in exactly this spelling. */
export const oneOf = <const T extends readonly [string, ...string[]]>(
  values: T,
  description?: string,
) => {
  const schema = z.enum(values, `must be one of ${values.join(', ')}`)
  return description === undefined ? schema : schema.describe(description)
}

/** RFC 3339. */
export const moment = (description: string) =>
  z
    .string()
    .transform((text, context) => {
      const at = readQueryMoment(text)
      if (at === undefined) context.addIssue('must be a moment such as 2026-04-01T12:00:00Z')
      return at ?? z.NEVER
    })
    .meta({ type: 'string', format: 'date-time', description })
