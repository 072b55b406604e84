import { pathInZone } from '../redirects/parse-redirects.ts'
import {
  leadsBack,
  type RedirectAction,
  type RedirectDecision,
  type RedirectRequest,
  undecided,
} from '../redirects/redirect-rules.ts'
import { hasHost } from '../rule-url.ts'
import { inZone, type RuledUrl } from './ruled-url.ts'
import type { OwnRules, RuleBook } from './rule-books.ts'

export interface BookRequest extends RuledUrl, Omit<RedirectRequest, keyof RuledUrl> {}

export interface BookDecision extends RedirectDecision {
  /** Whose rule decided; `undefined` where it is one of all zones, or none did. */
  readonly zone: string | undefined
}

/** What redirects decide: first those of all zones, then those of the zone that the URL is of. */
export function decideRedirect({ redirects, own }: RuleBook, request: BookRequest): BookDecision {
  const decision = redirects.decide(request)
  if (decision.action !== undefined || own === undefined) return { ...decision, zone: undefined }
  const owns = decideOwn(own, request)
  const dependsOnClient = decision.dependsOnClient || owns.dependsOnClient
  return { ...owns, dependsOnClient, zone: owns.action && own.zone }
}

function decideOwn(own: OwnRules, request: BookRequest): RedirectDecision {
  let dependsOnClient = false
  const seen = inZone(request, own.zone)
  for (const path of [seen.path, ...(seen.otherPaths ?? [])]) {
    const decision = own.redirects.decide({ ...request, path, otherPaths: [] })
    dependsOnClient ||= decision.dependsOnClient
    const action = withinZone(decision, own.zone, request)
    if (action !== undefined && !leadsBack(action, request))
      return { ...decision, action, dependsOnClient }
  }
  return { ...undecided, dependsOnClient }
}

/** Paths of a zone's rules are below the zone, and so is all that they lead to at this host. */
function withinZone(
  { action, rule }: RedirectDecision,
  zone: string,
  { isOwnHost }: BookRequest,
): RedirectAction | undefined {
  if (action?.kind === 'rewrite') {
    const path = pathInZone(action.path, zone)
    return path === undefined ? undefined : { ...action, path }
  }
  if (action === undefined || !isOwnHost || hasHost(rule?.target ?? '')) return action
  const isBelow = action.location.startsWith(`/${zone}/`)
  return isBelow ? action : { ...action, location: `/${zone}${action.location}` }
}
