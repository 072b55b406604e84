import type { RuleFileName } from '../../../ports/records/zone.ts'
import { applyBoth, type OverruledBlock } from './books/book-headers.ts'
import { type BookDecision, type BookRequest, decideRedirect } from './books/book-redirects.ts'
import { compileOwnRules, type OwnRules, type RuleBook } from './books/rule-books.ts'
import { inZone, type RuledUrl, ruledUrl } from './books/ruled-url.ts'
import { compileHeaderRules, type FieldList, pathsOf } from './headers/header-rules.ts'
import { withoutOriginFields } from './headers/own-host-fields.ts'
import type { RuleLine } from './rule-diagnostic.ts'
import type { Captures } from './match-tokens.ts'
import type { RedirectRule } from './redirects/parse-redirects.ts'
import {
  compileRedirectRules,
  meet,
  type RedirectAction,
  type RedirectRules,
} from './redirects/redirect-rules.ts'

export interface RuleFiles {
  readonly headers: string | undefined
  readonly redirects: string | undefined
  /** Those of the zone that the URL is of. */
  readonly own?: RuleFilesOfZone | undefined
}

interface RuleFilesOfZone {
  readonly name: string
  readonly headers?: string
  readonly redirects?: string
}

/** A rule that was tried on a URL, and what came of it. */
export interface TriedRule {
  readonly file: RuleFileName
  /** Whose file it is in; `undefined` where it is that of all zones. */
  readonly zone: string | undefined
  readonly line: number
  readonly text: string
  readonly outcome:
    'matched' | 'path-differs' | 'condition-not-met' | 'target-invalid' | 'not-reached'
  readonly captures: Captures
  /** Fields that it sets or takes away in vain: rules of all zones say what they are, or no zone may. */
  readonly overruled: readonly string[]
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
  readonly zone?: string | undefined
  readonly country?: string | undefined
  readonly acceptLanguage?: string
  readonly cookie?: string
}

/** The URL as rules see it; `undefined` where it is no web URL. */
export function explainableUrl(url: string, hostZone: string | undefined): RuledUrl | undefined {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/u.test(parsed.protocol)) return undefined
  return ruledUrl({ hostname: parsed.hostname, path: parsed.pathname }, hostZone)
}

/** Tells how the rule files treat `url` (absolute). `undefined` where it is no web URL. */
export function explainRules(
  files: RuleFiles,
  url: string,
  options: ExplainOptions = {},
): RuleExplanation | undefined {
  const ruled = explainableUrl(url, options.zone)
  if (ruled === undefined) return undefined
  const { origin, search } = new URL(url)
  const request: BookRequest = { ...ruled, origin, query: search, client: clientOf(options) }
  const book = bookOf(files)
  const fieldsBefore = options.fields ?? []
  const { ruled: fieldsAfter, ownBlocks } = applyBoth(book, request, fieldsBefore)
  return {
    ...explainRedirects(book, request),
    headers: explainHeaders(book, request, ownBlocks),
    fieldsBefore,
    fieldsAfter: options.zone === undefined ? withoutOriginFields(fieldsAfter) : fieldsAfter,
  }
}

const clientOf = ({ country, acceptLanguage, cookie }: ExplainOptions) => ({
  country: () => country?.toUpperCase(),
  languages: () => acceptLanguage ?? null,
  cookies: () => cookie ?? null,
})

const bookOf = ({ headers, redirects, own }: RuleFiles): RuleBook => ({
  headers: compileHeaderRules(headers ?? ''),
  redirects: compileRedirectRules(redirects ?? ''),
  ...(own !== undefined && { own: compileOwnRules(own) }),
})

function explainRedirects({ own, ...shared }: RuleBook, request: BookRequest) {
  const first = decideRedirect(shared, request)
  const decided = own === undefined ? first : decideRedirect({ ...shared, own }, request)
  const isFirst = first.action !== undefined
  const common = triedRules(shared.redirects, { request, decision: first, zone: undefined })
  const owns = own === undefined ? [] : explainOwn(own, request, isFirst ? undefined : decided)
  return { redirects: [...common, ...owns], action: decided.action }
}

/** Where rules of all zones decide, none of the zone's is reached. */
function explainOwn(
  { zone, redirects }: OwnRules,
  request: BookRequest,
  decision: BookDecision | undefined,
): readonly TriedRule[] {
  return decision === undefined
    ? inOrder(redirects).map((rule) => tell(rule, zone, { outcome: 'not-reached' }))
    : triedRules(redirects, { request: inZone(request, zone), decision, zone })
}

/** Static rules are looked up before any dynamic one is tried, wherever they stand. */
const inOrder = ({ rules }: RedirectRules): readonly RedirectRule[] => [
  ...rules.filter(({ isStatic }) => isStatic),
  ...rules.filter(({ isStatic }) => !isStatic),
]

interface Decided {
  readonly request: BookRequest
  readonly decision: BookDecision
  readonly zone: string | undefined
}

function triedRules(
  compiled: RedirectRules,
  { request, decision, zone }: Decided,
): readonly TriedRule[] {
  const rules = inOrder(compiled)
  const end = decision.rule === undefined ? rules.length : rules.indexOf(decision.rule)
  const { captures } = decision
  return rules.map((rule, place) => {
    if (place > end) return tell(rule, zone, { outcome: 'not-reached' })
    return tell(rule, zone, place < end ? tried(rule, request) : { outcome: 'matched', captures })
  })
}

type Told = Pick<TriedRule, 'outcome'> & Partial<Pick<TriedRule, 'captures' | 'overruled'>>

const tell = (
  { line, text }: RuleLine,
  zone: string | undefined,
  { outcome, captures = {} }: Told,
): TriedRule => ({ file: '_redirects', zone, line, text, outcome, captures, overruled: [] })

/** Why a rule before the one that decided did not. */
function tried(rule: RedirectRule, request: BookRequest): Told {
  for (const path of pathsOf(request)) {
    const captures = rule.pattern.match(path)
    if (captures === undefined) continue
    const isMet = meet(rule.conditions, request) !== undefined
    return { outcome: isMet ? 'target-invalid' : 'condition-not-met', captures }
  }
  return { outcome: 'path-differs' }
}

function explainHeaders(
  { headers, own }: RuleBook,
  request: BookRequest,
  ownBlocks: readonly OverruledBlock[],
): readonly TriedRule[] {
  const common = headers.matching(request).map((each) => ({ ...each, overruled: [] }))
  return [
    ...toldBlocks(headers.blocks, common, undefined),
    ...(own === undefined ? [] : toldBlocks(own.headers.blocks, ownBlocks, own.zone)),
  ]
}

function toldBlocks(
  blocks: readonly RuleLine[],
  matched: readonly OverruledBlock[],
  zone: string | undefined,
): readonly TriedRule[] {
  const byBlock = new Map<RuleLine, OverruledBlock>(matched.map((each) => [each.block, each]))
  return blocks.map((block) => {
    const { captures = {}, overruled = [] } = byBlock.get(block) ?? {}
    const { line, text } = block
    const outcome = byBlock.has(block) ? 'matched' : 'path-differs'
    return { file: '_headers', zone, line, text, outcome, captures, overruled }
  })
}
