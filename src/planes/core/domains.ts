import { z } from 'zod'

import { reaches } from '../../domain/access/actor.ts'
import type { DomainProof } from '../../domain/content/domains/domain-proof.ts'
import type { Domains } from '../../domain/content/domains/domains.ts'
import { parseHostName } from '../../domain/content/domains/host-name.ts'
import { ServiceError, zoneNotFound } from '../../domain/errors.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import type { DomainRecord } from '../../ports/records/domain.ts'
import { actorOf } from '../caller.ts'
import {
  allDomains,
  domain,
  domainAllowed,
  domainJson,
  domainChanged,
  domainDetail,
  domainDetailJson,
  domainRemoved,
} from './domain-schemas.ts'
import { zoneParams } from './zone-schemas.ts'

/** What host names are read from. */
export interface DomainsShown {
  readonly domains: Pick<Domains, 'all' | 'find' | 'listOf' | 'proofOf' | 'zoneOfHost'>
  readonly published: Pick<Manifest, 'zone'>
  /** Whether a host name is that of a preview. */
  readonly isPreview: (hostname: string) => boolean
  readonly cnameTarget: string | undefined
  readonly baseUrl: string | undefined
}

export interface DomainsDependencies extends DomainsShown {
  readonly domains: Domains
}

const allowedQuery = z.object({ domain: z.string() })

const httpsRedirect = z
  .boolean()
  .describe('Counts once there is a certificate, and where the service itself does TLS')

const domainParams = zoneParams.extend({ hostname: z.string() })

const common = { plane: 'core', envelope: 'standard' } as const
const mayRead = { keys: ['account'], scope: 'zones:read', session: true } as const
const mayWrite = { keys: ['account'], scope: 'domains:write', session: true } as const

/** Whoever asks could as well open a connection to the name and see. */
const isDomainAllowed = operation({
  ...common,
  id: 'isDomainAllowed',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/core/domains/allowed',
  summary: 'Whether a certificate may be ordered for a host name',
  example: { query: { domain: 'assets.acme.example' } },
  description:
    'For whatever does TLS in front of the service and orders certificates on demand: 200 for a domain of a zone and for the host name of a preview, 404 for any other name.',
  access: 'public',
  query: allowedQuery,
  responses: { 200: { description: 'It is a domain of a zone', schema: domainAllowed } },
}).handledBy(({ domains, isPreview }: DomainsShown) => async ({ query, respond }) => {
  const hostname = parseHostName(query.domain, 'domain')
  if (domains.zoneOfHost(hostname) === undefined && !isPreview(hostname))
    throw new ServiceError('NotFound', `"${hostname}" is no domain of any zone, nor of a preview`, {
      target: 'domain',
    })
  return respond(200, {
    HttpCode: 200,
    Message: `"${hostname}" is a domain of a zone, or of a preview`,
    Hostname: hostname,
  })
})

const listDomains = operation({
  ...common,
  id: 'listDomains',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/core/zones/{id}/domains',
  summary: "List a zone's own host names",
  example: { params: { id: 'acme' } },
  access: mayRead,
  params: zoneParams,
  responses: { 200: { description: 'By host name', schema: z.array(domain) } },
}).handledBy((dependencies: DomainsShown) => async ({ params, caller, respond }) => {
  requireVisible(params.id, caller, dependencies.published)
  const all = dependencies.domains.listOf(params.id)
  return respond(
    200,
    all.map((each) => domainJson(each, recordsOf(each, dependencies))),
  )
})

const listAllDomains = operation({
  ...common,
  id: 'listAllDomains',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/core/domains',
  summary: 'List the host names of all zones',
  description:
    'Those of the zones that the caller reaches, by host name, with what to set for each.',
  access: mayRead,
  query: z.object({
    limit: clampedInteger({ min: 1, max: 500, default: 100, description: 'Domains' }),
    after: z.string().max(253).optional().describe('`Next` of the page before'),
  }),
  responses: { 200: { description: 'A page of them', schema: allDomains } },
}).handledBy((dependencies: DomainsShown) => async ({ query, caller, respond }) => {
  const { domains } = dependencies
  const { after = '' } = query
  const left = [...domains.all()]
    .filter(({ zone, hostname }) => reaches(caller, zone) && hostname > after)
    .toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1))
  const page = left.slice(0, query.limit)
  return respond(200, {
    Domains: page.map((each) => domainJson(each, recordsOf(each, dependencies))),
    Next: left.length > page.length ? (page.at(-1)?.hostname ?? null) : null,
  })
})

const checkDomain = operation({
  ...common,
  id: 'checkDomain',
  method: 'post',
  path: '/api/core/zones/{id}/domains/{hostname}/check',
  summary: 'Look at DNS and certificate of a host name now',
  example: { params: { id: 'acme', hostname: 'assets.acme.example' } },
  description:
    'Before the time that `SslNextCheck` says, at most every 10 seconds, and every 10 minutes where no certificate could be had. What comes of it is in the domain a moment later.',
  access: mayWrite,
  params: domainParams,
  responses: { 200: { description: 'The domain; `SslNextCheck` says when', schema: domainDetail } },
}).handledBy((dependencies: DomainsDependencies) => async ({ params, caller, respond }) => {
  requireVisible(params.id, caller, dependencies.published)
  const found = await dependencies.domains.checkNow(params.id, params.hostname, actorOf(caller))
  return respond(200, domainDetailJson(found, recordsOf(found, dependencies)))
})

const getDomain = operation({
  ...common,
  id: 'getDomain',
  answeredBy: 'any node',
  method: 'get',
  path: '/api/core/zones/{id}/domains/{hostname}',
  summary: 'Show a host name and the state of its certificate',
  example: { params: { id: 'acme', hostname: 'assets.acme.example' } },
  access: mayRead,
  params: domainParams,
  responses: { 200: { description: 'The domain', schema: domainDetail } },
}).handledBy((dependencies: DomainsShown) => async ({ params, caller, respond }) => {
  requireVisible(params.id, caller, dependencies.published)
  const found = dependencies.domains.find(params.id, params.hostname)
  return respond(200, domainDetailJson(found, recordsOf(found, dependencies)))
})

const addDomain = operation({
  ...common,
  id: 'addDomain',
  method: 'post',
  path: '/api/core/zones/{id}/domains',
  summary: 'Serve a zone under a host name of its own',
  example: { params: { id: 'acme' }, body: { Hostname: 'assets.acme.example' } },
  description:
    'With a token for some zones it is a claim first: nothing is served until the TXT record in `Verification` is found, which is looked for at once, then every few seconds, and again whenever the name is added again. A claim gives way to whoever has the record.',
  access: mayWrite,
  params: zoneParams,
  body: {
    kind: 'json',
    schema: z.object({ Hostname: z.string(), HttpsRedirect: httpsRedirect.default(true) }),
  },
  responses: { 201: { description: 'Recorded', schema: domainChanged } },
}).handledBy(
  (dependencies: DomainsDependencies) =>
    async ({ params, body, caller, request, respond }) => {
      requireVisible(params.id, caller, dependencies.published)
      const { domains } = dependencies
      const wanted = {
        hostname: body.Hostname,
        redirectsToHttps: body.HttpsRedirect,
        askedAt: new URL(request.url).hostname,
      }
      const added = await domains.add(params.id, wanted, actorOf(caller))
      const records = recordsOf(added, dependencies)
      const { hostname, zone, isProven } = added
      const message = isProven
        ? `"${hostname}" belongs to zone "${zone}"`
        : `Zone "${zone}" claims "${hostname}"; it is served once its TXT record is found`
      return respond(201, {
        HttpCode: 201,
        Message: message,
        ...domainJson(added, records),
        Note: [...(isProven ? [] : [noteOfProof(records.proof)]), noteFor(added, records)].join(
          ' ',
        ),
      })
    },
)

const removeDomain = operation({
  ...common,
  id: 'removeDomain',
  method: 'delete',
  path: '/api/core/zones/{id}/domains/{hostname}',
  summary: 'Stop serving a zone under a host name',
  example: { params: { id: 'acme', hostname: 'assets.acme.example' } },
  access: mayWrite,
  params: domainParams,
  responses: { 200: { description: 'Removed', schema: domainRemoved } },
}).handledBy((dependencies: DomainsDependencies) => async ({ params, caller, respond }) => {
  requireVisible(params.id, caller, dependencies.published)
  const { domains } = dependencies
  const removed = await domains.remove(params.id, params.hostname, actorOf(caller))
  return respond(200, {
    HttpCode: 200,
    Message: `"${removed.hostname}" removed`,
    Zone: removed.zone,
    Hostname: removed.hostname,
  })
})

const updateDomain = operation({
  ...common,
  id: 'updateDomain',
  method: 'patch',
  path: '/api/core/zones/{id}/domains/{hostname}',
  summary: 'Change whether a host name redirects to https',
  example: {
    params: { id: 'acme', hostname: 'assets.acme.example' },
    body: { HttpsRedirect: false },
  },
  access: mayWrite,
  params: domainParams,
  body: { kind: 'json', schema: z.object({ HttpsRedirect: httpsRedirect }) },
  responses: { 200: { description: 'The domain as it is now', schema: domainDetail } },
}).handledBy((dependencies: DomainsDependencies) => async ({ params, body, caller, respond }) => {
  requireVisible(params.id, caller, dependencies.published)
  const wanted = { hostname: params.hostname, redirectsToHttps: body.HttpsRedirect }
  const changed = await dependencies.domains.configure(params.id, wanted, actorOf(caller))
  return respond(200, domainDetailJson(changed, recordsOf(changed, dependencies)))
})

const noteOfProof = ({ name, value }: DomainProof): string =>
  `Create the DNS record "${name} TXT ${value}", which shows that the name is yours.`

/** What DNS has to say: whose the name is, and that it leads here. */
const recordsOf = (record: DomainRecord, { domains, cnameTarget, baseUrl }: DomainsShown) => ({
  proof: domains.proofOf(record),
  cnameTarget: cnameTarget ?? (baseUrl === undefined ? undefined : publicNameOf(baseUrl)),
})

/** A CNAME record leads to a name that everybody can look up: no address, and nothing like `localhost`. */
function publicNameOf(baseUrl: string): string | undefined {
  const { hostname } = new URL(baseUrl)
  return /\.[a-z][a-z0-9-]*$/u.test(hostname) ? hostname : undefined
}

const noteFor = (
  { hostname }: DomainRecord,
  { cnameTarget }: ReturnType<typeof recordsOf>,
): string =>
  cnameTarget === undefined
    ? `Point ${hostname} at this service. Set CNAME_TARGET or BASE_URL so that the exact record can be named here.`
    : `Create the DNS record "${hostname} CNAME ${cnameTarget}". The certificate follows by itself.`

function requireVisible(name: string, caller: Caller, published: Pick<Manifest, 'zone'>): void {
  if (!reaches(caller, name) || !published.zone(name)) throw zoneNotFound(name)
}

/** Those that any node answers. */
export const domainReadings: readonly HandledOperation<DomainsShown>[] = [
  isDomainAllowed,
  listAllDomains,
  listDomains,
  getDomain,
]

/** `/api/core/zones/{id}/domains`. */
export const domainOperations: readonly HandledOperation<DomainsDependencies>[] = [
  ...domainReadings,
  checkDomain,
  addDomain,
  removeDomain,
  updateDomain,
]
