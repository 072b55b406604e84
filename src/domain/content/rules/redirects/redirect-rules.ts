import { pathsOf, type RuleRequest } from '../headers/header-rules.ts'
import {
  asksAboutClient,
  isConditional,
  isRewrite,
  parseRedirects,
  type RedirectRule,
  type RewriteCode,
} from './parse-redirects.ts'
import type { Captures } from '../match-tokens.ts'
import { locationFor, rewrittenPath } from './redirect-target.ts'
import type { Conditions } from './redirect-line.ts'

export interface RedirectRequest extends RuleRequest {
  /** Scheme, host and port as the client wrote them. */
  readonly origin: string
  /** With its `?`, or `''`. */
  readonly query: string
  /** Looked at only where a rule asks. */
  readonly client: ClientFacts
}

export interface ClientFacts {
  country(): string | undefined
  /** The Accept-Language field. */
  languages(): string | null
  /** The Cookie field. */
  cookies(): string | null
}

export type RedirectAction =
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'rewrite'; readonly status: RewriteCode; readonly path: string }

export interface RedirectDecision {
  readonly action: RedirectAction | undefined
  readonly rule: RedirectRule | undefined
  readonly captures: Captures
  /** Whether another client could have got another decision for the same URL. */
  readonly dependsOnClient: boolean
  /** Whether the query took part. */
  readonly dependsOnQuery: boolean
}

/** A compiled `_redirects` file. */
export interface RedirectRules {
  readonly rules: readonly RedirectRule[]
  decide(request: RedirectRequest): RedirectDecision
}

/** Where domains are proved; nothing there may be sent elsewhere. */
const exemptPrefix = '/.well-known/acme-challenge/'

/** `zone` is left out where the file is that of all zones. */
export function compileRedirectRules(content: string, zone?: string): RedirectRules {
  const { rules } = parseRedirects(content, zone)
  const staticBySource = new Map(
    rules.filter(({ isStatic }) => isStatic).map((rule) => [rule.pattern.source, rule]),
  )
  const dynamic = rules.filter(({ isStatic }) => !isStatic)
  return {
    rules,
    decide(request) {
      if (rules.length === 0 || request.path.startsWith(exemptPrefix)) return undecided
      return decideAny(request, (spelt) => {
        const found = staticBySource.get(spelt.path)
        return found === undefined ? decideDynamic(dynamic, spelt) : decisionOf(found, {}, spelt)
      })
    },
  }
}

/** Of several ways to write the URL, the first that a rule is for. */
function decideAny(
  request: RedirectRequest,
  decideOne: (request: RedirectRequest) => RedirectDecision,
): RedirectDecision {
  let decision = decideOne(request)
  for (const path of request.otherPaths ?? []) {
    if (decision.action !== undefined) break
    const { dependsOnClient } = decision
    const other = decideOne({ ...request, path })
    if (leadsBack(other.action, request)) continue
    decision = { ...other, dependsOnClient: dependsOnClient || other.dependsOnClient }
  }
  return decision
}

/** Whether it sends to the very URL under another spelling: that would never end. */
export function leadsBack(
  action: RedirectAction | undefined,
  request: Pick<RedirectRequest, 'path' | 'otherPaths' | 'hostname' | 'origin'>,
): boolean {
  if (action?.kind !== 'redirect') return false
  const url = URL.parse(action.location, request.origin)
  return url?.hostname === request.hostname && pathsOf(request).includes(url.pathname)
}

export const undecided: RedirectDecision = {
  action: undefined,
  rule: undefined,
  captures: {},
  dependsOnClient: false,
  dependsOnQuery: false,
}

/** The first rule in file order whose path and conditions fit, and whose target comes out valid. */
function decideDynamic(rules: readonly RedirectRule[], request: RedirectRequest): RedirectDecision {
  let dependsOnClient = false
  for (const rule of rules) {
    const captures = rule.pattern.match(request.path)
    if (captures === undefined) continue
    if (asksAboutClient(rule.conditions)) dependsOnClient = true
    const met = meet(rule.conditions, request)
    if (met === undefined) continue
    const decision = decisionOf(rule, { ...captures, ...met }, request)
    if (decision.action !== undefined) return { ...decision, dependsOnClient }
  }
  return { ...undecided, dependsOnClient }
}

function decisionOf(
  rule: RedirectRule,
  captures: Captures,
  request: RedirectRequest,
): RedirectDecision {
  const dependsOnQuery = isConditional(rule.conditions) && rule.conditions.query.size > 0
  const action = actionOf(rule, captures, request)
  return { action, rule, captures, dependsOnClient: false, dependsOnQuery }
}

function actionOf(
  { code, target }: RedirectRule,
  captures: Captures,
  request: RedirectRequest,
): RedirectAction | undefined {
  if (isRewrite(code)) {
    const path = rewrittenPath(target, captures, request)
    return path === undefined ? undefined : { kind: 'rewrite', status: code, path }
  }
  const location = locationFor(target, captures, request)
  return location === undefined ? undefined : { kind: 'redirect', status: code, location }
}

/** What the conditions captured, or `undefined` where one of them is not met. */
export function meet(conditions: Conditions, request: RedirectRequest): Captures | undefined {
  const { countries, languages, cookies } = conditions
  const { client } = request
  if (countries.length > 0 && !countries.includes(client.country() ?? '')) return undefined
  if (languages.length > 0 && !prefersOne(languages, client.languages())) return undefined
  if (cookies.length > 0 && !hasCookie(cookies, client.cookies())) return undefined
  return meetQuery(conditions.query, request.query)
}

function meetQuery(wanted: ReadonlyMap<string, string>, query: string): Captures | undefined {
  const captures: Record<string, string> = {}
  if (wanted.size === 0) return captures
  const sent = new URLSearchParams(query)
  for (const [name, value] of wanted) {
    const found = sent.get(name)
    if (found === null) return undefined
    if (/^:[A-Za-z]\w*$/u.test(value)) captures[value.slice(1)] = encodeURIComponent(found)
    else if (found !== value) return undefined
  }
  return captures
}

/** The client's favourite decides; `en` also stands for `en-GB`. */
function prefersOne(languages: readonly string[], acceptLanguage: string | null): boolean {
  const [favourite] = negotiableLanguages(acceptLanguage)
  return languages.some(
    (language) => favourite === language || favourite?.startsWith(`${language}-`) === true,
  )
}

const hasCookie = (names: readonly string[], cookies: string | null): boolean =>
  (cookies ?? '').split(';').some((cookie) => names.includes((cookie.split('=')[0] ?? '').trim()))

/** The language tags of an Accept-Language field, lower case, most wanted first. */
const negotiableLanguages = (field: string | null): readonly string[] =>
  (field ?? '')
    .split(',')
    .map(readMember)
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)

function readMember(member: string): { readonly tag: string; readonly quality: number } {
  const [tag = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { tag, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}
