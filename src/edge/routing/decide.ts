import type { RequestHead } from '../../http/wire/request-head.ts'
import { namesTwoHosts } from '../../http/request/host-field.ts'
import {
  type BookRequest,
  decideRedirect,
} from '../../domain/content/rules/books/book-redirects.ts'
import type { RuleBooks } from '../../domain/content/rules/books/rule-books.ts'
import {
  firstSegment,
  ruledUrl,
  type RuledUrl,
} from '../../domain/content/rules/books/ruled-url.ts'
import type { RedirectDecision } from '../../domain/content/rules/redirects/redirect-rules.ts'
import type { PreviewKey } from '../../ports/records/preview.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { subjectOf, type Decision, type Subject, type HeadVisit } from './decision.ts'
import { locate, locateRewritten, previewNamed } from './locate.ts'
import type { LocatedAsset, Published, ToLookUp } from './location.ts'
import { refusals } from './refusals.ts'
import { canonicalPath, readTarget, type RequestTarget } from './request-target.ts'
import type { Site } from './site.ts'

export interface DecideOptions extends Published {
  readonly siteOf: (hostname: string) => Site | undefined
  readonly baseUrl: string | undefined
  readonly bookOf: RuleBooks
  readonly countryOf: (visit: HeadVisit) => string
}

/** Decides what to answer; reads nothing but the request and the manifest. */
export function decide(visit: HeadVisit, options: DecideOptions): Decision {
  const { request } = visit
  const target = targetOf(request, options.baseUrl)
  if (target === undefined)
    return { kind: 'refused', refusal: refusals.badHost, about: { zone: '', path: '' } }
  const site = options.siteOf(target.hostname)
  if (site === undefined) return refusedAtStranger(target, options)
  const zone = zoneAsked(target.path, site, options.manifest)
  const about = { zone, path: target.path.slice(1) }
  if (request.method === 'OPTIONS') return { kind: 'preflight' }
  if (site.zone === undefined && isForWorker(request))
    return { kind: 'refused', refusal: refusals.serviceWorker, about }
  // Before any rule: a redirect would repeat what cannot be read.
  if (isUnreadable(target)) return { kind: 'refused', refusal: refusals.malformedPath, about }
  const url = { ...ruledUrl(target, site.zone), zone }
  return decideOnSite({ visit, target, site, about: { ...about, url } }, options)
}

/**
 * Where there is a name of our own, whoever came by another one is told it. What was asked there was asked
 * of nobody's files, so it is counted under a URL that no asset has.
 */
const refusedAtStranger = (
  { hostname, path }: RequestTarget,
  { baseUrl }: DecideOptions,
): Decision => ({
  kind: 'refused',
  refusal: {
    ...refusals.unknownHost,
    message: `${refusals.unknownHost.message}: no zone has it for a domain, and the service itself is at ${baseUrl}`,
  },
  about: { zone: '', path: `//${hostname}${path}` },
})

/** Whose traffic a request is, whatever comes of it: the zone's that has the host, or that is named first. */
function zoneAsked(path: string, site: Site, manifest: Manifest): string {
  if (site.zone !== undefined) return site.zone
  const first = firstSegment(path)
  return manifest.zone(first) === undefined ? '' : first
}

const isUnreadable = ({ path }: RequestTarget): boolean =>
  path.includes('%') && canonicalPath(path) === undefined

interface Placed {
  readonly visit: HeadVisit
  readonly target: RequestTarget
  readonly site: Site
  readonly about: Subject & { readonly url: RuledUrl }
}

/** Rules come first: they may shadow an asset. */
function decideOnSite(placed: Placed, options: DecideOptions): Decision {
  const { visit, target, site, about } = placed
  const book = options.bookOf(about.zone)
  const ruled = decideRedirect(book, redirectRequest(placed, options))
  const { action, dependsOnClient } = ruled
  if (action?.kind === 'redirect')
    return { ...action, location: withinPreview(action.location, placed), dependsOnClient, about }
  const location =
    action === undefined
      ? locate(target, site, options)
      : locateRewritten({ path: action.path, preview: previewOf(placed) }, site, options)
  if (location.kind === 'refused') return { ...location, dependsOnClient, about }
  if (location.kind === 'redirect') return { ...location, dependsOnClient, about }
  if (!isRead(visit.request)) return methodRefused(location, about)
  if (location.kind === 'past') return { ...location, about }
  const status = action?.status ?? 200
  const key = keyOf(target, location, ruled)
  const { url } = about
  return {
    kind: 'asset',
    route: { key, site, located: location, url, book, dependsOnClient, status },
  }
}

/** Who is sent on within the zone stays in the preview. */
function withinPreview(location: string, placed: Placed): string {
  const preview = previewOf(placed)
  if (preview === undefined) return location
  const { zone, preview: shown } = placed.site
  // Its own host name shows nothing but the preview at `/v1/`.
  const isNamedByPath = zone !== undefined && shown === undefined
  const directories = [`/${preview.zone}/v1/`, ...(isNamedByPath ? ['/v1/'] : [])]
  return directories.some((directory) => location.startsWith(directory))
    ? `/@~${preview.name}${location}`
    : location
}

const previewOf = ({ target, site, about: { zone } }: Placed): PreviewKey | undefined =>
  previewNamed(target, { site, zone })

const methodRefused = (location: LocatedAsset | ToLookUp, about: Subject): Decision => ({
  kind: 'refused',
  refusal: refusals.methodNotAllowed,
  about: { ...about, ...(location.kind === 'asset' && subjectOf(location)) },
})

function redirectRequest(
  { visit, target, about }: Placed,
  { countryOf }: DecideOptions,
): BookRequest {
  const { headers } = visit.request
  return {
    ...about.url,
    origin: `${target.scheme}://${target.host}`,
    query: target.query,
    client: {
      country: () => countryOf(visit),
      languages: () => headers.get('accept-language'),
      cookies: () => headers.get('cookie'),
    },
  }
}

/** What looked at more than the URL gets a key that no URL equals, and so is always decided anew. */
function keyOf(
  { scheme, host, path, query }: RequestTarget,
  { record, pin }: LocatedAsset,
  { dependsOnClient, dependsOnQuery }: RedirectDecision,
): string {
  const url = `${scheme}://${host}${path}`
  return dependsOnClient || dependsOnQuery ? `${url}${query} ${record.path}` : `${url}${pin ?? ''}`
}

export const isRead = ({ method }: Pick<Request, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD'

/** Browsers say so of what they are to keep as a service worker, and pages cannot. */
export const isForWorker = ({ headers }: Pick<Request, 'headers'>): boolean =>
  headers.has('service-worker')

function targetOf(request: RequestHead, baseUrl: string | undefined): RequestTarget | undefined {
  if (namesTwoHosts(request)) return undefined
  const hasHost = request.headers.has('host')
  return readTarget(request.url, hasHost ? undefined : hostOf(baseUrl))
}

const hostOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? 'localhost' : new URL(baseUrl).host
