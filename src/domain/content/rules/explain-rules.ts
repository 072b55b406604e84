import { applyBlocks, compileHeaderRules, type FieldList } from './headers/header-rules.ts'
import type { RedirectRule } from './redirects/parse-redirects.ts'
import { otherSpellings } from './other-spellings.ts'
import { withoutOriginFields } from './headers/own-host-fields.ts'
import type { RuleLine } from './rule-diagnostic.ts'
import type { Captures } from './match-tokens.ts'
import {
  compileRedirectRules,
  meet,
  type RedirectAction,
  type RedirectRequest,
} from './redirects/redirect-rules.ts'

export interface RuleFiles {
  readonly headers: string | undefined
  readonly redirects: string | undefined
}

/** A rule that was tried on a URL, and what came of it. */
export interface TriedRule {
  readonly line: number
  readonly text: string
  readonly outcome:
    'matched' | 'path-differs' | 'condition-not-met' | 'target-invalid' | 'not-reached'
  readonly captures: Captures
}

export interface RuleExplanation {
  readonly redirects: readonly TriedRule[]
  /** What the redirects decide; `undefined` where none applies. */
  readonly action: RedirectAction | undefined
  readonly headers: readonly TriedRule[]
  readonly fieldsBefore: FieldList
  readonly fieldsAfter: FieldList
}

export interface ExplainOptions {
  /** The fields the response has before rules; none where left out. */
  readonly fields?: FieldList
  /** The zone whose own the host name is; left out where it is one of the service's own. */
  readonly zone?: string
  readonly country?: string
  readonly acceptLanguage?: string
  readonly cookie?: string
}

/** Tells how the rule files treat `url` (absolute). `undefined` where it is no web URL. */
export function explainRules(
  files: RuleFiles,
  url: string,
  options: ExplainOptions = {},
): RuleExplanation | undefined {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/u.test(parsed.protocol)) return undefined
  const request: RedirectRequest = {
    hostname: parsed.hostname,
    origin: parsed.origin,
    path: parsed.pathname,
    otherPaths: otherSpellings(parsed.pathname, options.zone),
    query: parsed.search,
    client: {
      country: () => options.country?.toUpperCase(),
      languages: () => options.acceptLanguage ?? null,
      cookies: () => options.cookie ?? null,
    },
  }
  const fieldsBefore = options.fields ?? []
  const matched = compileHeaderRules(files.headers ?? '').matching(request)
  const fieldsAfter = applyBlocks(matched, fieldsBefore)
  return {
    ...explainRedirects(files.redirects ?? '', request),
    headers: explainHeaders(files.headers ?? '', request),
    fieldsBefore,
    fieldsAfter: options.zone === undefined ? withoutOriginFields(fieldsAfter) : fieldsAfter,
  }
}

function explainRedirects(content: string, request: RedirectRequest) {
  const compiled = compileRedirectRules(content)
  const decision = compiled.decide(request)
  // Static rules are looked up before any dynamic one is tried, wherever they stand.
  const inOrder = [
    ...compiled.rules.filter((rule) => rule.isStatic),
    ...compiled.rules.filter((rule) => !rule.isStatic),
  ]
  const end = decision.rule === undefined ? inOrder.length : inOrder.indexOf(decision.rule)
  const tried = inOrder.slice(0, end).map((rule) => tell(rule, ...tryRule(rule, request)))
  const hit = inOrder.slice(end, end + 1).map((rule) => tell(rule, 'matched', decision.captures))
  const rest = inOrder.slice(end + 1).map((rule) => tell(rule, 'not-reached'))
  return { redirects: [...tried, ...hit, ...rest], action: decision.action }
}

const tell = (
  { line, text }: RuleLine,
  outcome: TriedRule['outcome'],
  captures: Captures = {},
): TriedRule => ({ line, text, outcome, captures })

/** Why a rule before the one that decided did not. */
function tryRule(
  rule: RedirectRule,
  request: RedirectRequest,
): [outcome: TriedRule['outcome'], captures: Captures] {
  const captures = rule.pattern.match(request.path)
  if (captures === undefined) return ['path-differs', {}]
  return [meet(rule.conditions, request) ? 'target-invalid' : 'condition-not-met', captures]
}

function explainHeaders(content: string, request: RedirectRequest): readonly TriedRule[] {
  const rules = compileHeaderRules(content)
  const matched = new Map(rules.matching(request).map((each) => [each.block, each.captures]))
  return rules.blocks.map((block) =>
    tell(block, matched.has(block) ? 'matched' : 'path-differs', matched.get(block)),
  )
}
