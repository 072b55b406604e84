import { ServiceError } from '../../errors.ts'

export const corsMethods = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'] as const
export type CorsMethod = (typeof corsMethods)[number]

/** Which pages of other origins may ask for what of a zone's objects. */
export interface CorsRule {
  readonly id?: string
  /** With one `*` at most, for any text. */
  readonly allowedOrigins: readonly string[]
  readonly allowedMethods: readonly CorsMethod[]
  /** As the origins; letter case does not matter. */
  readonly allowedHeaders: readonly string[]
  readonly exposedHeaders: readonly string[]
  readonly maxAgeSeconds?: number
}

/** What a page wants to ask, or asks. */
export interface CorsRequest {
  readonly origin: string
  readonly method: string
  /** In lower case. */
  readonly headers: readonly string[]
}

const maxRules = 100
const maxItems = 100
const maxTextLength = 1_024
const maxIdLength = 255
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u

/** The first of the rules that allows it. */
export const ruleFor = (
  rules: readonly CorsRule[],
  { origin, method, headers }: CorsRequest,
): CorsRule | undefined =>
  rules.find(
    ({ allowedOrigins, allowedMethods, allowedHeaders }) =>
      allowedMethods.some((allowed) => allowed === method) &&
      allowedOrigins.some((allowed) => covers(allowed, origin)) &&
      headers.every((name) =>
        allowedHeaders.some((allowed) => covers(allowed.toLowerCase(), name)),
      ),
  )

function covers(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === text
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end)
}

/** Refuses rules that S3 does not take, saying why. */
export function checkCorsRules(rules: readonly CorsRule[]): void {
  if (rules.length === 0 || rules.length > maxRules)
    throw refused(`There must be 1 to ${maxRules} CORS rules`)
  for (const rule of rules) checkRule(rule)
}

function checkRule(rule: CorsRule): void {
  const { allowedOrigins, allowedMethods, allowedHeaders, exposedHeaders } = rule
  if (allowedOrigins.length === 0 || allowedMethods.length === 0)
    throw refused('A CORS rule must have an AllowedOrigin and an AllowedMethod')
  checkSizes(rule)
  for (const text of [...allowedOrigins, ...allowedHeaders])
    if (text.split('*').length > 2)
      throw refused(
        `AllowedOrigin and AllowedHeader "${text}" can not have more than one wildcard.`,
      )
  for (const name of [...allowedHeaders, ...exposedHeaders])
    if (!fieldName.test(name)) throw refused(`"${name}" is no name of a header`)
  if (exposedHeaders.some((name) => name.includes('*')))
    throw refused('ExposeHeader contains wildcard. We currently do not support wildcards.')
}

function checkSizes({ id = '', maxAgeSeconds = 0, ...rule }: CorsRule): void {
  const { allowedOrigins, allowedMethods, allowedHeaders, exposedHeaders } = rule
  const lists = [allowedOrigins, allowedMethods, allowedHeaders, exposedHeaders]
  if (lists.some((list) => list.length > maxItems))
    throw refused(`A CORS rule must not have more than ${maxItems} of anything`)
  if (id.length > maxIdLength || lists.flat().some((text) => text.length > maxTextLength))
    throw refused('A text of a CORS rule is too long')
  if (!Number.isInteger(maxAgeSeconds) || maxAgeSeconds < 0 || maxAgeSeconds >= 2 ** 31)
    throw refused('MaxAgeSeconds must be an integer that is not below 0')
}

const refused = (message: string) => new ServiceError('InvalidParameter', message)
