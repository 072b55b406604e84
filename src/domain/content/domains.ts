import type { DomainRecord, DomainStore } from '../../ports/domain-store.ts'
import type { Manifest } from '../../ports/manifest.ts'
import type { AuditRecord, FeedEntry, NewFeedEntry } from '../../ports/publication-store.ts'
import { type Actor, requireZone } from '../access/actor.ts'
import { orUnavailable } from '../access/or-unavailable.ts'
import { ServiceError } from '../errors.ts'
import type { LocalFeed } from '../publishing/feed.ts'
import { parseHostName } from './host-name.ts'
import { zoneNotFound } from './write-guards.ts'

/** The zones' own host names. */
export interface Domains {
  add(zone: string, hostname: string, actor: Actor): Promise<DomainRecord>
  remove(zone: string, hostname: string, actor: Actor): Promise<DomainRecord>
  find(zone: string, hostname: string): DomainRecord
  /** By host name. */
  listOf(zone: string): readonly DomainRecord[]
  zoneOfHost(hostname: string): string | undefined
}

interface Dependencies {
  readonly store: DomainStore
  readonly published: Pick<Manifest, 'zone'>
  readonly feed: LocalFeed
  readonly now: () => Date
}

/** Reads the table once; from then on every look-up is answered from memory. */
export async function openDomains({ store, published, feed, now }: Dependencies): Promise<Domains> {
  const domainsByHost = new Map((await store.list()).map((domain) => [domain.hostname, domain]))
  feed.subscribe((entries) => forgetRemovedZones(entries, domainsByHost))

  function find(zone: string, text: string): DomainRecord {
    if (!published.zone(zone)) throw zoneNotFound(zone)
    const domain = domainsByHost.get(parseHostName(text))
    if (!domain || domain.zone !== zone)
      throw new ServiceError('NotFound', `Zone "${zone}" has no domain "${text}"`, {
        target: 'Hostname',
      })
    return domain
  }

  return {
    find,
    listOf: (zone) =>
      [...domainsByHost.values()]
        .filter((domain) => domain.zone === zone)
        .toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1)),
    zoneOfHost: (hostname) => domainsByHost.get(hostname)?.zone,

    async add(zone, text, actor) {
      requireZone(actor, zone)
      const hostname = parseHostName(text)
      if (!published.zone(zone)) throw zoneNotFound(zone)
      const at = now()
      const domain: DomainRecord = {
        hostname,
        zone,
        sslStatus: 'provisioning',
        sslError: undefined,
        createdAt: at,
        updatedAt: at,
      }
      const audit = auditOf('domain.add', domain, { actor, at })
      const notice = { audit, feed: noticeOf(domain, { at }) }
      const entry = await orUnavailable(store.add(domain, notice))
      if (!entry)
        throw new ServiceError('HostnameTaken', `"${hostname}" belongs to a zone already`, {
          target: 'Hostname',
        })
      domainsByHost.set(hostname, domain)
      feed.announce([entry])
      return domain
    },

    async remove(zone, text, actor) {
      requireZone(actor, zone)
      const domain = find(zone, text)
      const at = now()
      const audit = auditOf('domain.remove', domain, { actor, at })
      const notice = { audit, feed: noticeOf(domain, { at, removed: true }) }
      const entry = await orUnavailable(store.remove(zone, domain.hostname, notice))
      domainsByHost.delete(domain.hostname)
      if (entry) feed.announce([entry])
      return domain
    },
  }
}

function forgetRemovedZones(
  entries: readonly FeedEntry[],
  domainsByHost: Map<string, DomainRecord>,
): void {
  for (const { event, zone } of entries) {
    if (event !== 'zone.deleted') continue
    for (const domain of domainsByHost.values())
      if (domain.zone === zone) domainsByHost.delete(domain.hostname)
  }
}

function auditOf(
  action: string,
  { zone, hostname }: DomainRecord,
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): AuditRecord {
  const { credentialId, ip, userAgent, requestId } = actor
  return {
    at,
    action,
    actor: credentialId,
    target: hostname,
    ip,
    userAgent,
    requestId,
    meta: { zone },
  }
}

const noticeOf = (
  { zone, hostname, sslStatus }: DomainRecord,
  { at, removed = false }: { readonly at: Date; readonly removed?: boolean },
): NewFeedEntry => ({
  at,
  event: 'domain.updated',
  zone,
  path: undefined,
  commitId: undefined,
  data: { zone, hostname, sslStatus, removed },
})
