import { KeyedQueue } from '../../lib/keyed-queue.ts'
import type { DomainNotice, DomainRecord, DomainStore } from '../../ports/domain-store.ts'
import type { Manifest } from '../../ports/manifest.ts'
import type { FeedEntry } from '../../ports/publication-store.ts'
import { type Actor, requireZone } from '../access/actor.ts'
import { orUnavailable } from '../access/or-unavailable.ts'
import { ServiceError } from '../errors.ts'
import type { LocalFeed } from '../publishing/feed.ts'
import { noticeOf, noticeOfRemoval, type SslProgress, withProgress } from './domain-changes.ts'
import { parseHostName } from './host-name.ts'
import { zoneNotFound } from './write-guards.ts'

/** The zones' own host names. */
export interface Domains {
  add(zone: string, wanted: WantedDomain, actor: Actor): Promise<DomainRecord>
  /** Changes what its owner decides. */
  configure(zone: string, wanted: WantedDomain, actor: Actor): Promise<DomainRecord>
  remove(zone: string, hostname: string, actor: Actor): Promise<DomainRecord>
  find(zone: string, hostname: string): DomainRecord
  /** By host name. */
  listOf(zone: string): readonly DomainRecord[]
  zoneOfHost(hostname: string): string | undefined
  /** The domain of a host name as it stands in a record. */
  ofHost(hostname: string): DomainRecord | undefined
  all(): Iterable<DomainRecord>
  /**
   * Records what became of a certificate, and tells of it where state or error changed. `undefined`
   * where the zone has no such domain any more.
   */
  advance(
    domain: Pick<DomainRecord, 'zone' | 'hostname'>,
    progress: SslProgress,
  ): Promise<DomainRecord | undefined>
}

export interface WantedDomain {
  readonly hostname: string
  readonly redirectsToHttps?: boolean | undefined
}

interface Dependencies {
  readonly store: DomainStore
  readonly published: Pick<Manifest, 'zone'>
  readonly feed: LocalFeed
  /** Host names that are the service's own, and so no zone's to have. */
  readonly ownHosts: ReadonlySet<string>
  readonly now: () => Date
}

type DomainsByHost = Map<string, DomainRecord>

/** Changes of one domain come one after another. */
interface Changing {
  readonly changes: KeyedQueue
}

/** Reads the table once; from then on every look-up is answered from memory. */
export async function openDomains(dependencies: Dependencies): Promise<Domains> {
  const { store, published, feed } = dependencies
  const domainsByHost: DomainsByHost = new Map(
    (await store.list()).map((domain) => [domain.hostname, domain]),
  )
  feed.subscribe((entries) => forgetRemovedZones(entries, domainsByHost))
  const look = createLookUps(domainsByHost, published)
  const changing = { ...dependencies, changes: new KeyedQueue() }
  const update = createUpdate(domainsByHost, changing)
  return {
    ...look,
    ...createWrites(domainsByHost, { ...changing, look, update }),
    advance: (domain, progress) => update(domain, (current) => withProgress(current, progress)),
  }
}

type LookUps = Pick<Domains, 'find' | 'listOf' | 'zoneOfHost' | 'ofHost' | 'all'>

const createLookUps = (
  domainsByHost: DomainsByHost,
  published: Pick<Manifest, 'zone'>,
): LookUps => ({
  find(zone, text) {
    if (!published.zone(zone)) throw zoneNotFound(zone)
    const domain = domainsByHost.get(parseHostName(text))
    if (!domain || domain.zone !== zone)
      throw new ServiceError('NotFound', `Zone "${zone}" has no domain "${text}"`, {
        target: 'Hostname',
      })
    return domain
  },
  listOf: (zone) =>
    [...domainsByHost.values()]
      .filter((domain) => domain.zone === zone)
      .toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1)),
  zoneOfHost: (hostname) => domainsByHost.get(hostname)?.zone,
  ofHost: (hostname) => domainsByHost.get(hostname),
  all: () => domainsByHost.values(),
})

/** `undefined` where the domain is gone, or has been taken by another zone meanwhile. */
type Update = (
  domain: Pick<DomainRecord, 'zone' | 'hostname'>,
  change: (current: DomainRecord) => { readonly to: DomainRecord; readonly notice?: DomainNotice },
) => Promise<DomainRecord | undefined>

const createUpdate = (
  domainsByHost: DomainsByHost,
  { store, feed, changes }: Pick<Dependencies, 'store' | 'feed'> & Changing,
): Update =>
  async function update({ zone, hostname }, change) {
    return await changes.run(hostname, async () => {
      const current = domainsByHost.get(hostname)
      if (current?.zone !== zone) return undefined
      const { to, notice } = change(current)
      const entry = await (notice === undefined
        ? orUnavailable(store.reschedule(to))
        : orUnavailable(store.update(to, notice)))
      if (domainsByHost.get(hostname) !== current) return undefined
      domainsByHost.set(hostname, to)
      if (entry) feed.announce([entry])
      return to
    })
  }

interface Writing extends Dependencies, Changing {
  readonly look: LookUps
  readonly update: Update
}

function createWrites(
  domainsByHost: DomainsByHost,
  { store, published, feed, ownHosts, now, changes, look, update }: Writing,
): Pick<Domains, 'add' | 'configure' | 'remove'> {
  return {
    async add(zone, wanted, actor) {
      requireZone(actor, zone)
      const hostname = parseHostName(wanted.hostname)
      if (!published.zone(zone)) throw zoneNotFound(zone)
      if (ownHosts.has(hostname))
        throw new ServiceError('HostnameTaken', `"${hostname}" is the service's own`, {
          target: 'Hostname',
        })
      const domain = newDomain(zone, { ...wanted, hostname }, now())
      return await changes.run(hostname, async () => {
        const notice = noticeOf(domain, { action: 'domain.add', actor })
        const entry = await orUnavailable(store.add(domain, notice))
        if (!entry)
          throw new ServiceError('HostnameTaken', `"${hostname}" belongs to a zone already`, {
            target: 'Hostname',
          })
        domainsByHost.set(hostname, domain)
        feed.announce([entry])
        return domain
      })
    },

    async configure(zone, { hostname, redirectsToHttps }, actor) {
      requireZone(actor, zone)
      const domain = look.find(zone, hostname)
      if (redirectsToHttps === undefined) return domain
      const changed = await update(domain, (current) => {
        const to = { ...current, redirectsToHttps, updatedAt: now() }
        return { to, notice: noticeOf(to, { action: 'domain.update', actor }) }
      })
      return changed ?? look.find(zone, hostname)
    },

    async remove(zone, text, actor) {
      requireZone(actor, zone)
      const { hostname } = look.find(zone, text)
      return await changes.run(hostname, async () => {
        const domain = look.find(zone, hostname)
        const notice = noticeOfRemoval(domain, { actor, at: now() })
        const entry = await orUnavailable(store.remove(zone, hostname, notice))
        domainsByHost.delete(hostname)
        if (entry) feed.announce([entry])
        return domain
      })
    },
  }
}

const newDomain = (zone: string, wanted: WantedDomain, at: Date): DomainRecord => ({
  hostname: wanted.hostname,
  zone,
  sslStatus: 'provisioning',
  sslError: undefined,
  redirectsToHttps: wanted.redirectsToHttps ?? true,
  certificateExpiresAt: undefined,
  nextCheckAt: at,
  failures: 0,
  history: [],
  createdAt: at,
  updatedAt: at,
})

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
