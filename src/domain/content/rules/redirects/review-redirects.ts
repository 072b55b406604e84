import { asksAboutClient, isConditional, isRewrite, type RedirectRule } from './parse-redirects.ts'
import { referencesIn } from '../pattern.ts'
import { compileRedirectRules, type RedirectRules } from './redirect-rules.ts'
import { hasHost } from '../rule-url.ts'
import { warning, type RuleDiagnostic } from '../rule-diagnostic.ts'

/** What in a `_redirects` file works, but maybe not as its author thinks. */
export function reviewRedirects(content: string, zone?: string): readonly RuleDiagnostic[] {
  const compiled = compileRedirectRules(content, zone)
  const { rules } = compiled
  return [
    ...becameDynamic(rules),
    ...unreachable(rules),
    ...rules.flatMap(unknownReferences),
    ...rules.flatMap((rule) => cycle(rule, compiled)),
  ]
}

/** People lose hundreds of rules of their limit this way. */
function becameDynamic(rules: readonly RedirectRule[]): readonly RuleDiagnostic[] {
  const first = rules.find(({ isStatic }) => !isStatic)
  return rules
    .filter((rule) => !rule.isStatic && rule.pattern.isLiteral && !isConditional(rule.conditions))
    .map((rule) =>
      warning(
        rule,
        `counts as dynamic because it comes after line ${first?.line}; put it before that line`,
      ),
    )
}

/** Sure cases alone: an earlier rule without conditions that takes all the later one could. */
const unreachable = (rules: readonly RedirectRule[]): readonly RuleDiagnostic[] =>
  rules.flatMap((rule, index) => {
    const earlier = rules
      .slice(0, index)
      .find((other) => !rule.isStatic && !other.isStatic && covers(other, rule))
    return earlier === undefined
      ? []
      : [warning(rule, `is never reached: line ${earlier.line} takes every address it could take`)]
  })

function covers(earlier: RedirectRule, later: RedirectRule): boolean {
  if (isConditional(earlier.conditions)) return false
  if (earlier.pattern.isPrefix) return later.pattern.prefix.startsWith(earlier.pattern.prefix)
  return later.pattern.isLiteral && earlier.pattern.match(later.pattern.source) !== undefined
}

function unknownReferences(rule: RedirectRule): readonly RuleDiagnostic[] {
  const known = new Set([
    ...rule.pattern.names,
    ...[...rule.conditions.query.values()].map((value) => value.replace(/^:/u, '')),
  ])
  const target = rule.target.replace(/^https:\/\//u, '')
  return [...new Set(referencesIn(target))]
    .filter((name) => ![...known].some((each) => name.startsWith(each)))
    .map((name) =>
      warning(rule, `uses :${name} in the target, but the source has no such placeholder`),
    )
}

const maxHops = 20
const nowhere = 'https://rules.invalid'

/** Follows redirects whose target is fixed. A rewrite ends the way: its target is an asset, not a rule. */
function cycle(rule: RedirectRule, compiled: RedirectRules): readonly RuleDiagnostic[] {
  if (isRewrite(rule.code) || !isFixed(rule)) return []
  const seen: string[] = []
  let path = pathOf(rule.target)
  for (let hop = 0; hop < maxHops; hop += 1) {
    if (seen.includes(path)) return []
    seen.push(path)
    const { rule: next, action } = compiled.decide(anonymous(path))
    if (next === undefined || action?.kind !== 'redirect') return []
    if (next === rule) return [warning(rule, 'is part of a circle of redirects')]
    path = pathOf(action.location)
  }
  return []
}

const isFixed = ({ target, conditions }: RedirectRule): boolean =>
  !hasHost(target) && referencesIn(target).length === 0 && !asksAboutClient(conditions)

const pathOf = (url: string): string => url.split(/[?#]/u)[0] ?? ''

const anonymous = (path: string) => ({
  hostname: 'rules.invalid',
  origin: nowhere,
  path,
  query: '',
  client: { country: () => undefined, languages: () => null, cookies: () => null },
})
