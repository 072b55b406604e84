import { byLine } from '../headers/parse-headers.ts'
import { compilePattern, type Pattern } from '../pattern.ts'
import { cutRedirect, type Conditions, type RedirectTokens } from './redirect-line.ts'
import { hasHost, readSource, readTarget } from '../rule-url.ts'
import { dropped, readLines, type RuleDiagnostic, type RuleLine } from '../rule-diagnostic.ts'

export const redirectCodes = [301, 302, 303, 307, 308] as const
/** The asset at the target is sent under the URL that was asked for, with this status. */
export const rewriteCodes = [200, 404, 410, 451] as const

export type RedirectCode = (typeof redirectCodes)[number]
export type RewriteCode = (typeof rewriteCodes)[number]

export interface RedirectRule extends RuleLine {
  readonly pattern: Pattern
  readonly target: string
  readonly code: RedirectCode | RewriteCode
  readonly conditions: Conditions
  /** Literal, and before the first line that is not: found at once, before any other rule is tried. */
  readonly isStatic: boolean
}

export interface ParsedRedirects {
  readonly rules: readonly RedirectRule[]
  readonly diagnostics: readonly RuleDiagnostic[]
}

const maxStaticRules = 2000
const maxDynamicRules = 100
const defaultCode = '302'

interface State {
  readonly zone: string | undefined
  readonly rules: RedirectRule[]
  readonly diagnostics: RuleDiagnostic[]
  readonly seen: Set<string>
  readonly lineCount: number
  staticCount: number
  dynamicCount: number
}

/**
 * Parses a `_redirects` file, that of all zones or of one. Every line that has no effect is among the
 * diagnostics.
 */
export function parseRedirects(content: string, zone?: string): ParsedRedirects {
  const { lines, tooLong, lineCount } = readLines(content)
  const state: State = {
    zone,
    rules: [],
    diagnostics: [...tooLong],
    seen: new Set(),
    lineCount,
    staticCount: 0,
    dynamicCount: 0,
  }
  for (const line of lines) {
    const outcome = readRule(state, line)
    if (typeof outcome === 'object') state.rules.push(outcome)
    else state.diagnostics.push(dropped(line, outcome))
    if (state.dynamicCount > maxDynamicRules) break
  }
  return { rules: state.rules, diagnostics: state.diagnostics.toSorted(byLine) }
}

/** The rule of a line, or why there is none. An invalid target still uses up a rule of the limit. */
function readRule(state: State, line: RuleLine): RedirectRule | string {
  const tokens = cutRedirect(line.text)
  if ('reason' in tokens) return tokens.reason
  const source = readSource(tokens.source)
  if ('reason' in source) return source.reason
  const isStatic = countRule(state, source.url, tokens.conditions)
  const beyond = beyondLimit(state, isStatic, line)
  if (beyond !== undefined) return beyond
  const compiled = compilePattern(source.url)
  if ('reason' in compiled) return compiled.reason
  const aim = readAim(tokens, source.url)
  if ('reason' in aim) return aim.reason
  const fault = takeSource(state, source.url, tokens.conditions) ?? faultOfRewrite(aim, state.zone)
  if (fault !== undefined) return fault
  return { ...line, ...aim, pattern: compiled.pattern, conditions: tokens.conditions, isStatic }
}

function beyondLimit(state: State, isStatic: boolean, { line }: RuleLine): string | undefined {
  if (isStatic && state.staticCount > maxStaticRules)
    return `is static rule ${state.staticCount}; a file may have ${maxStaticRules}`
  return state.dynamicCount > maxDynamicRules
    ? `is dynamic rule ${state.dynamicCount}; a file may have ${maxDynamicRules}, and ${state.lineCount - line + 1} lines from here on are dropped`
    : undefined
}

/** The first line with a source and its conditions has it. */
function takeSource(state: State, source: string, conditions: Conditions): string | undefined {
  const { query, ...lists } = conditions
  const key = JSON.stringify([source, [...query], lists])
  if (state.seen.has(key)) return 'has the same source as an earlier line, which wins'
  state.seen.add(key)
  return undefined
}

function faultOfRewrite(
  { code, target }: Pick<RedirectRule, 'target' | 'code'>,
  zone: string | undefined,
): string | undefined {
  if (!isRewrite(code)) return undefined
  if (hasHost(target))
    return `has the code ${code}, for which the target must be a path of this service`
  return zone === undefined || pathInZone(target, zone) !== undefined
    ? undefined
    : `has the code ${code}, for which the target must be a file of the zone: /v1/…`
}

/** A path as rules of a zone write it, below `/v1/` or `/<zone>/v1/`, with the zone. `undefined` of any other. */
export function pathInZone(path: string, zone: string): string | undefined {
  if (path.startsWith('/v1/')) return `/${zone}${path}`
  return path.startsWith(`/${zone}/v1/`) ? path : undefined
}

/** Counts a rule of the one kind or the other. After the first dynamic one every rule is. */
function countRule(state: State, source: string, conditions: Conditions): boolean {
  const isStatic =
    state.dynamicCount === 0 && !/\*|:[A-Za-z]/u.test(source) && !isConditional(conditions)
  if (isStatic) state.staticCount += 1
  else state.dynamicCount += 1
  return isStatic
}

export const isConditional = (conditions: Conditions): boolean =>
  conditions.query.size > 0 || asksAboutClient(conditions)

export const asksAboutClient = ({ countries, languages, cookies }: Conditions): boolean =>
  countries.length + languages.length + cookies.length > 0

type Aim = Pick<RedirectRule, 'target' | 'code'> | { readonly reason: string }

function readAim(tokens: RedirectTokens, source: string): Aim {
  const target = readTarget(tokens.target ?? source.replace(/\*$/u, ':splat'))
  if ('reason' in target) return target
  const code = readCode(tokens.code ?? defaultCode)
  if (code === undefined)
    return { reason: `has the code ${tokens.code}; it may be ${allCodes.join(', ')}` }
  if (isLoop(source, target.url))
    return { reason: 'would send its own target back to itself for ever' }
  return { target: target.url, code }
}

const allCodes = [...rewriteCodes, ...redirectCodes].toSorted((a, b) => a - b)

/** `!` says that the rule goes before an existing file, which every rule does. */
function readCode(text: string): RedirectCode | RewriteCode | undefined {
  const digits = /^(?<digits>\d{3})!?$/u.exec(text)?.groups?.['digits']
  return allCodes.find((code) => String(code) === digits)
}

export const isRewrite = (code: RedirectCode | RewriteCode): code is RewriteCode =>
  (rewriteCodes as readonly number[]).includes(code)

const isLoop = (source: string, target: string): boolean =>
  !hasHost(target) && source.endsWith('/*') && /\/index(?:\.html)?$/u.test(target)
