import { z } from 'zod'

import { reaches } from '../../domain/access/actor.ts'
import type { Domains } from '../../domain/content/domains.ts'
import { zoneNotFound } from '../../domain/content/write-guards.ts'
import type { Manifest } from '../../ports/manifest.ts'
import { type Caller, type Operation, operation, success } from '../../http/operation.ts'
import { type DomainRecord, sslStatuses } from '../../ports/domain-store.ts'
import { actorOf } from '../actor-of.ts'
import { zoneParams } from './zone-schemas.ts'

export interface DomainsDependencies {
  readonly domains: Domains
  readonly published: Pick<Manifest, 'zone'>
  readonly cnameTarget: string | undefined
}

const domain = z.object({
  Zone: z.string(),
  Hostname: z.string(),
  SslStatus: z.enum(sslStatuses),
  SslError: z.string().nullable(),
  DateCreated: z.iso.datetime(),
  DateModified: z.iso.datetime(),
})

const domainParams = zoneParams.extend({ hostname: z.string() })

const common = { plane: 'core', envelope: 'standard' } as const
const mayRead = { keys: ['account'], scope: 'zones:read', session: true } as const
const mayWrite = { keys: ['account'], scope: 'domains:write', session: true } as const

/** `/api/core/zones/{id}/domains`. */
export const domainOperations = (dependencies: DomainsDependencies): readonly Operation[] => [
  ...readOperations(dependencies),
  ...writeOperations(dependencies),
]

const readOperations = ({ domains, published }: DomainsDependencies): readonly Operation[] => [
  operation({
    ...common,
    id: 'listDomains',
    method: 'get',
    path: '/api/core/zones/{id}/domains',
    summary: "List a zone's own host names",
    access: mayRead,
    params: zoneParams,
    responses: { 200: { description: 'By host name', schema: z.array(domain) } },
    async handle({ params, caller }) {
      requireVisible(params.id, caller, published)
      return { json: domains.listOf(params.id).map(domainAnswer) }
    },
  }),
  operation({
    ...common,
    id: 'getDomain',
    method: 'get',
    path: '/api/core/zones/{id}/domains/{hostname}',
    summary: 'Show a host name and the state of its certificate',
    access: mayRead,
    params: domainParams,
    responses: { 200: { description: 'The domain', schema: domain } },
    async handle({ params, caller }) {
      requireVisible(params.id, caller, published)
      return { json: domainAnswer(domains.find(params.id, params.hostname)) }
    },
  }),
]

const writeOperations = (dependencies: DomainsDependencies): readonly Operation[] => [
  operation({
    ...common,
    id: 'addDomain',
    method: 'post',
    path: '/api/core/zones/{id}/domains',
    summary: 'Serve a zone under a host name of its own',
    access: mayWrite,
    params: zoneParams,
    body: { kind: 'json', schema: z.object({ Hostname: z.string() }) },
    responses: { 201: { description: 'Recorded', schema: domainChanged } },
    async handle({ params, body, caller }) {
      requireVisible(params.id, caller, dependencies.published)
      const added = await dependencies.domains.add(params.id, body.Hostname, actorOf(caller))
      return success(201, `"${added.hostname}" belongs to zone "${added.zone}"`, {
        ...domainAnswer(added),
        Note: noteFor(added, dependencies.cnameTarget),
      })
    },
  }),
  operation({
    ...common,
    id: 'removeDomain',
    method: 'delete',
    path: '/api/core/zones/{id}/domains/{hostname}',
    summary: 'Stop serving a zone under a host name',
    access: mayWrite,
    params: domainParams,
    responses: { 200: { description: 'Removed', schema: domainRemoved } },
    async handle({ params, caller }) {
      requireVisible(params.id, caller, dependencies.published)
      const { domains } = dependencies
      const removed = await domains.remove(params.id, params.hostname, actorOf(caller))
      return success(200, `"${removed.hostname}" removed`, {
        Zone: removed.zone,
        Hostname: removed.hostname,
      })
    },
  }),
]

const domainChanged = domain.extend({
  HttpCode: z.literal(201),
  Message: z.string(),
  Note: z.string(),
})

const domainRemoved = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Zone: z.string(),
  Hostname: z.string(),
})

const domainAnswer = (record: DomainRecord): z.infer<typeof domain> => ({
  Zone: record.zone,
  Hostname: record.hostname,
  SslStatus: record.sslStatus,
  SslError: record.sslError ?? null,
  DateCreated: record.createdAt.toISOString(),
  DateModified: record.updatedAt.toISOString(),
})

const noteFor = ({ hostname }: DomainRecord, cnameTarget: string | undefined): string =>
  cnameTarget === undefined
    ? `Point ${hostname} at this service. Set CNAME_TARGET so that the exact record can be named here.`
    : `Create the DNS record "${hostname} CNAME ${cnameTarget}". The certificate follows by itself.`

function requireVisible(name: string, caller: Caller, published: Pick<Manifest, 'zone'>): void {
  if (!reaches(caller, name) || !published.zone(name)) throw zoneNotFound(name)
}
