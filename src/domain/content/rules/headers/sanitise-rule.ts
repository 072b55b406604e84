import type { HeaderRules, RuleRequest } from './header-rules.ts'

/**
 * The field by which a `_headers` file asks that SVGs are sent without anything that acts:
 * `X-Sanitize: svg`. It is for the edge and never sent.
 */
export const sanitiseField = 'x-sanitize'

/** What can be sanitised. */
export const sanitisableKinds = ['svg'] as const

export const asksToSanitise = (
  rules: Pick<HeaderRules, 'apply' | 'blocks'>,
  request: RuleRequest,
): boolean =>
  rules.blocks.some(({ set }) => set.has(sanitiseField)) &&
  rules
    .apply(request, [])
    .some(([name, value]) => name === sanitiseField && kindsIn(value).includes('svg'))

/** The members of a value, lower case. */
export const kindsIn = (value: string): readonly string[] =>
  value.split(',').map((kind) => kind.trim().toLowerCase())
