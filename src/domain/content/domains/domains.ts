import { KeyedQueue } from '../../../lib/async/keyed-queue.ts'
import type { DomainStore } from '../../../ports/domains/domain-store.ts'
import type { DomainRecord } from '../../../ports/records/domain.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { NameResolver } from '../../../ports/domains/name-resolver.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import type { Quota } from '../../access/quotas/quota.ts'
import { orUnavailable } from '../../access/or-unavailable.ts'
import { ServiceError, tooMany, zoneNotFound } from '../../errors.ts'
import type { LocalFeed } from '../../feed.ts'
import {
  forgetRemovedZones,
  newDomain,
  noticeOf,
  noticeOfProof,
  noticeOfRemoval,
  type SslProgress,
  withProgress,
  type Update,
} from './domain-changes.ts'
import { createLookUps, type DomainLookUps } from './domain-look-ups.ts'
import { createCheckNow } from './check-now.ts'
import { checkProof, type DomainProof, proofOf } from './domain-proof.ts'
import { type HostName, parseHostName } from './host-name.ts'
import type { OwnHosts } from './own-hosts.ts'
import { requireUnsuspended, requireUnsuspendedFor } from '../../access/suspended-zones.ts'

/** The zones' own host names. */
export interface Domains extends DomainLookUps {
  /**
   * Of a narrowed actor it is a claim until the zone's TXT record is found in the name's DNS; to claim
   * it again looks anew. A claim gives way to whoever has proof.
   */
  add(zone: string, wanted: WantedDomain, actor: Actor): Promise<DomainRecord>
  /** Changes what its owner decides. */
  configure(zone: string, wanted: WantedDomain, actor: Actor): Promise<DomainRecord>
  remove(zone: string, hostname: string, actor: Actor): Promise<DomainRecord>
  /** Has DNS and certificate looked at now. Who asks again within seconds, or minutes after a failure, waits for its time. */
  checkNow(zone: string, hostname: string, actor: Actor): Promise<DomainRecord>
  /** The record that proves that a host name is the zone's to use. */
  proofOf(domain: Pick<DomainRecord, 'zone' | 'hostname'>): DomainProof
  /** Looks for it where there is a claim alone, and has the domain served from then on if it is there. */
  prove(domain: DomainRecord): Promise<ProvenDomain>
  /**
   * Records what became of a certificate, and tells of it where state or error changed. `undefined`
   * where the zone has no such domain any more.
   */
  transition(
    domain: Pick<DomainRecord, 'zone' | 'hostname'>,
    progress: SslProgress,
  ): Promise<DomainRecord | undefined>
}

/** `reason` says why it is not proven yet. `domain` is `undefined` where it is gone. */
export interface ProvenDomain {
  readonly domain: DomainRecord | undefined
  readonly unproven?: { readonly isAbsent: boolean; readonly reason: string }
}

export interface WantedDomain {
  readonly hostname: string
  /** The host name that the wish was sent to. */
  readonly askedAt?: string | undefined
  readonly redirectsToHttps?: boolean | undefined
}

interface Dependencies {
  readonly store: DomainStore
  readonly published: Pick<Manifest, 'zone'>
  readonly feed: LocalFeed
  readonly resolver: Pick<NameResolver, 'texts'>
  readonly ownHosts: OwnHosts
  /** What a narrowed actor may add to a zone. */
  readonly maxPerZone: (zone: string) => number
  /** How many a narrowed actor may add to a zone in a day, whatever became of those before. */
  readonly additionsTo: (zone: string) => Pick<Quota, 'take'>
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
  const proving = createProving(update, dependencies)
  return {
    ...look,
    ...proving,
    ...createWrites(domainsByHost, { ...changing, look, update, ...proving }),
    transition: (domain, progress) => update(domain, (current) => withProgress(current, progress)),
  }
}

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

type Proving = Pick<Domains, 'proofOf' | 'prove'>

function createProving(
  update: Update,
  { published, resolver, now }: Pick<Dependencies, 'published' | 'resolver' | 'now'>,
): Proving {
  const zoneNamed = (zone: string): ZoneRecord => {
    const record = published.zone(zone)
    if (!record) throw zoneNotFound(zone)
    return record
  }
  return {
    proofOf: ({ zone, hostname }) => proofOf(zoneNamed(zone), hostname),
    async prove(domain) {
      const zone = published.zone(domain.zone)
      if (domain.isProven || !zone) return { domain: zone && domain }
      const checked = await checkProof(proofOf(zone, domain.hostname), resolver)
      if (!checked.isProven) return { domain, unproven: checked }
      return {
        domain: await update(domain, (current) => {
          const at = now()
          const to = {
            ...current,
            isProven: true,
            sslError: undefined,
            nextCheckAt: at,
            updatedAt: at,
          }
          return { to, notice: noticeOfProof(to) }
        }),
      }
    },
  }
}

interface Writing extends Dependencies, Changing, Proving {
  readonly look: DomainLookUps
  readonly update: Update
}

function createWrites(
  domainsByHost: DomainsByHost,
  writing: Writing,
): Pick<Domains, 'add' | 'configure' | 'remove' | 'checkNow'> {
  const { now, changes, look, update } = writing
  const { replace, remove } = createReplacing(domainsByHost, writing)
  return {
    async add(zone, wanted, actor) {
      requireZone(actor, zone)
      const hostname = parseHostName(wanted.hostname)
      const record = writing.published.zone(zone)
      if (!record) throw zoneNotFound(zone)
      requireUnsuspended([zone], writing.published)
      refuseOwnHosts({ ...wanted, hostname }, writing.ownHosts)
      const isProven = actor.zones === undefined || (await hasProof(record, hostname, writing))
      const domain = newDomain(zone, { ...wanted, hostname, isProven }, now())
      // Those of a zone come one after another, so that of many at once no more are taken than there may be.
      const add = () => replace(domain, proofOf(record, hostname), actor)
      return await changes.run(zone, async () => await changes.run(hostname, add))
    },

    async configure(zone, { hostname, redirectsToHttps }, actor) {
      requireZone(actor, zone)
      const domain = look.find(zone, hostname)
      requireUnsuspendedFor(actor, [zone], writing.published)
      if (redirectsToHttps === undefined) return domain
      const changed = await update(domain, (current) => {
        const to = { ...current, redirectsToHttps, updatedAt: now() }
        return { to, notice: noticeOf(to, { action: 'domain.update', actor, former: current }) }
      })
      return changed ?? look.find(zone, hostname)
    },

    checkNow: createCheckNow(writing),

    async remove(zone, text, actor) {
      requireZone(actor, zone)
      const { hostname } = look.find(zone, text)
      requireUnsuspendedFor(actor, [zone], writing.published)
      return await changes.run(hostname, async () => {
        const domain = look.find(zone, hostname)
        await remove(domain, actor)
        return domain
      })
    },
  }
}

function createReplacing(domainsByHost: DomainsByHost, writing: Writing) {
  const { store, feed, now } = writing
  return { replace, remove }

  /** Puts it in the place of a claim, where there is one; answers the zone's own claim where there is no proof. */
  async function replace(
    domain: DomainRecord,
    proof: DomainProof,
    actor: Actor,
  ): Promise<DomainRecord> {
    const { zone, hostname, isProven } = domain
    const current = domainsByHost.get(hostname)
    if (current !== undefined && (current.isProven || !isProven)) {
      if (current.zone === zone && !current.isProven) return current
      throw taken(current, proof, actor)
    }
    if (current?.zone !== zone) await takeRoom(zone, actor, writing)
    if (current !== undefined) await remove(current, actor)
    const notice = noticeOf(domain, { action: 'domain.add', actor })
    const entry = await orUnavailable(store.add(domain, notice))
    if (!entry) throw taken(undefined, proof, actor)
    domainsByHost.set(hostname, domain)
    feed.announce([entry])
    return domain
  }

  async function remove(domain: DomainRecord, actor: Actor): Promise<void> {
    const { zone, hostname } = domain
    const notice = noticeOfRemoval(domain, { actor, at: now() })
    const entry = await orUnavailable(store.remove(zone, hostname, notice))
    domainsByHost.delete(hostname)
    if (entry) feed.announce([entry])
  }
}

const hasProof = async (
  zone: ZoneRecord,
  hostname: HostName,
  { resolver }: Pick<Dependencies, 'resolver'>,
): Promise<boolean> => (await checkProof(proofOf(zone, hostname), resolver)).isProven

function refuseOwnHosts({ hostname, askedAt }: WantedDomain, ownHosts: OwnHosts): void {
  if (ownHosts.has(hostname) || (!ownHosts.isKnown && askedAt?.toLowerCase() === hostname))
    throw hostnameTaken(`"${hostname}" is the service's own`)
}

/** What a narrowed actor is held to; whoever has all zones may go on. */
async function takeRoom(
  zone: string,
  { zones }: Actor,
  { look, maxPerZone, additionsTo }: Pick<Writing, 'look' | 'maxPerZone' | 'additionsTo'>,
): Promise<void> {
  if (zones === undefined) return
  const count = look.listOf(zone).length
  const limit = maxPerZone(zone)
  if (count >= limit) throw tooMany('Hostname', `The zone has ${count} host names`, limit)
  await additionsTo(zone).take()
}

function taken(current: DomainRecord | undefined, proof: DomainProof, { zones }: Actor) {
  if (current === undefined || current.isProven || zones === undefined)
    return hostnameTaken('The host name belongs to a zone already')
  return hostnameTaken(
    `Another zone claims the host name and has not proven it: set the record "${proof.name} TXT ${proof.value}" and ask again`,
  )
}

const hostnameTaken = (message: string) =>
  new ServiceError('HostnameTaken', message, { target: 'Hostname' })
