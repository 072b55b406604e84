import { expect, test } from 'bun:test'

import { MemoryCertificateAuthority } from '../../adapters/memory/domains/memory-certificate-authority.ts'
import { MemoryCertificateStore } from '../../adapters/memory/domains/memory-certificate-store.ts'
import { MemoryAuditLog } from '../../adapters/memory/content/memory-audit-log.ts'
import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryDomainStore } from '../../adapters/memory/domains/memory-domain-store.ts'
import { MemoryNameResolver } from '../../adapters/memory/domains/memory-name-resolver.ts'
import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import { AuthorityError } from '../../ports/domains/certificate-authority.ts'
import { zoneOf } from '../../ports/content/publication-store.contract.ts'
import type { Actor } from '../access/actor.ts'
import { openDomains } from '../content/domains/domains.ts'
import { createOwnHosts } from '../content/domains/own-hosts.ts'
import { createFeed } from '../feed.ts'
import { createChallengeBoard } from './challenge-board.ts'
import { openCertificateManager } from './certificate-manager.ts'

const target = 'edge.cdn.example'
const dayMs = 86_400_000
const actor: Actor = {
  credentialId: 'account-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: undefined,
  requestId: 'r',
}

async function setUp(given: { readonly withoutAuthority?: boolean } = {}) {
  let atMs = Date.UTC(2026, 0, 1)
  const now = () => new Date(atMs)
  const database = new MemoryDatabase()
  const publications = new MemoryPublicationStore(database)
  const feed = createFeed({
    store: publications,
    onSubscriberFault: (fault) => {
      throw fault
    },
  })
  const events: Readonly<Record<string, unknown>>[] = []
  feed.subscribe((entries) => events.push(...entries.map(({ data }) => data)))
  const published = { zone: (name: string) => zoneOf(name) }
  const domainStore = new MemoryDomainStore(database)
  const resolver = new MemoryNameResolver()
  const authority = new MemoryCertificateAuthority({ now, lifetimeMs: 90 * dayMs })
  const store = new MemoryCertificateStore()
  const challenges = createChallengeBoard()
  const shown: string[][] = []
  const warnings: string[] = []
  async function open() {
    const domains = await openDomains({
      store: domainStore,
      published,
      feed,
      resolver,
      ownHosts: createOwnHosts({ baseUrl: undefined, cnameTarget: undefined }),
      maxPerZone: () => 50,
      additionsTo: () => ({ take: async () => ({ limit: 99, remaining: 99 }) }),
      now,
    })
    const manager = await openCertificateManager({
      domains,
      feed,
      store,
      authority: given.withoutAuthority === true ? undefined : authority,
      resolver,
      cnameTarget: target,
      challenges,
      show: async (certificates) => void shown.push(certificates.map(({ chain }) => chain)),
      now,
      random: () => 0,
      log: { warn: (message) => void warnings.push(message) },
    })
    return { domains, manager }
  }
  let opened = await open()
  return {
    authority,
    challenges,
    database,
    events,
    resolver,
    shown,
    store,
    warnings,
    get domains() {
      return opened.domains
    },
    get manager() {
      return opened.manager
    },
    point: (hostname: string) => resolver.aliasByName.set(hostname, target),
    add: async (hostname: string, zone = 'acme') =>
      await opened.domains.add(zone, { hostname }, actor),
    async removeZone(zone: string) {
      const entry = { zone, event: 'zone.deleted', at: now(), data: {} } as const
      const rest = { path: undefined, commitId: undefined }
      const removal = { removedZones: [zone], feed: [{ ...entry, ...rest }] }
      feed.announce(await publications.publish([removal]))
    },
    /** Moves the clock, and does what is due then. */
    async after(milliseconds: number) {
      atMs += milliseconds
      opened.manager.tick()
      await opened.manager.idle()
      // What was taken back by then is revoked with the next look.
      opened.manager.tick()
      await opened.manager.idle()
    },
    ofHost(hostname: string) {
      const domain = opened.domains.ofHost(hostname)
      if (domain === undefined) throw new Error(`there is no ${hostname}`)
      return domain
    },
    async restart() {
      await opened.manager[Symbol.asyncDispose]()
      opened = await open()
    },
  }
}

test('a domain fails with what to set, and goes active within a minute of its being set', async () => {
  const world = await setUp()
  await world.add('a.example')
  expect(world.ofHost('a.example').sslStatus).toBe('provisioning')
  await world.after(0)
  expect(world.ofHost('a.example').sslStatus).toBe('failed')
  expect(world.ofHost('a.example').sslError).toContain('"a.example CNAME edge.cdn.example"')

  for (const ageMs of [10 * dayMs, 60_000]) {
    await world.after(ageMs)
    if (ageMs === 10 * dayMs) world.point('a.example')
  }
  const domain = world.ofHost('a.example')
  expect(domain.sslStatus).toBe('active')
  expect(domain.sslError).toBeUndefined()
  expect(domain.certificateExpiresAt).toEqual(new Date(Date.UTC(2026, 0, 1) + 100 * dayMs + 60_000))
  expect(domain.history.map(({ sslStatus }) => sslStatus)).toEqual([
    'provisioning',
    'failed',
    'provisioning',
  ])
  expect(world.shown).toEqual([['chain 1']])
  expect((await world.store.list()).map(({ hostname }) => hostname)).toEqual(['a.example'])
})

test('every change is told and audited once, and looking again at the same fault is not', async () => {
  const world = await setUp()
  await world.add('a.example')
  for (let time = 0; time < 5; time += 1) await world.after(60_000)
  world.point('a.example')
  await world.after(60_000)

  expect(world.events.map(({ sslStatus }) => sslStatus)).toEqual([
    'provisioning',
    'failed',
    'provisioning',
    'active',
  ])
  const audit = new MemoryAuditLog(world.database)
  const records = await audit.query({ since: new Date(0), limit: 10 })
  expect(records.map(({ action, actor: who }) => `${action} ${who}`).toReversed()).toEqual([
    'domain.add account-key',
    ...Array.from({ length: 3 }, () => 'domain.ssl certificates'),
  ])
})

test('the response to the challenge is shown while the authority may ask, and no longer', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example')
  const { promise, resolve } = Promise.withResolvers<void>()
  world.authority.examination = promise
  world.manager.tick()
  while (world.authority.orders.length === 0) await Promise.resolve()
  const path = '/.well-known/acme-challenge/token-a.example'
  expect(world.challenges.keyAuthorizationOf(path)).toBe('answer')
  resolve()
  await world.manager.idle()

  expect(world.challenges.keyAuthorizationOf(path)).toBeNull()
  expect(world.challenges.keyAuthorizationOf('/acme/v1/a.txt')).toBeUndefined()
})

test('with a third of its life left a certificate is renewed, and the former one replaced', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example')
  await world.after(0)
  await world.after(56 * dayMs)
  expect(world.authority.orders).toHaveLength(1)
  await world.after(4 * dayMs)

  expect(world.authority.orders).toHaveLength(2)
  expect(world.authority.orders[1]?.replaces?.chain).toBe('chain 1')
  expect(world.ofHost('a.example').sslStatus).toBe('active')
  expect(world.shown.at(-1)).toEqual(['chain 2'])
})

test('an authority that wants a certificate renewed at once is heard within a day', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example')
  await world.after(0)
  world.authority.window = { start: new Date(0), end: new Date(1) }
  await world.after(dayMs)

  expect(world.authority.orders.length).toBeGreaterThan(1)
})

test('while an authority is down a domain stays what it is, and is tried less and less often', async () => {
  const world = await setUp()
  world.point('a.example')
  world.authority.fault = new AuthorityError('unavailable', 'The authority does not answer')
  await world.add('a.example')
  for (let second = 0; second < 100; second += 1) await world.after(1_000)
  expect(world.ofHost('a.example')).toMatchObject({
    sslStatus: 'provisioning',
    sslError: 'The authority does not answer',
  })
  expect(world.authority.orders.length).toBe(5)

  world.authority.fault = undefined
  await world.after(dayMs)
  expect(world.ofHost('a.example')).toMatchObject({ sslStatus: 'active', failures: 0 })
})

test('an authority that asks to wait is left alone for so long', async () => {
  const world = await setUp()
  world.point('a.example')
  world.authority.fault = new AuthorityError('rate-limited', 'too many', {
    retryAfterMs: 3_600_000,
  })
  await world.add('a.example')
  await world.after(0)
  world.authority.fault = undefined
  await world.after(3_599_000)
  expect(world.authority.orders).toHaveLength(1)
  await world.after(1_000)

  expect(world.ofHost('a.example').sslStatus).toBe('active')
})

test('a refusal fails the domain with the authority’s reason, and is not repeated in a hurry', async () => {
  const world = await setUp()
  world.point('a.example')
  world.authority.fault = new AuthorityError('refused', 'CAA forbids it')
  await world.add('a.example')
  for (let minute = 0; minute < 60; minute += 1) await world.after(60_000)

  expect(world.ofHost('a.example')).toMatchObject({
    sslStatus: 'failed',
    sslError: 'CAA forbids it',
  })
  expect(world.authority.orders.length).toBeLessThan(12)
})

test('a certificate that cannot be renewed serves to its end, then the domain is expired', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example')
  await world.after(0)
  world.authority.fault = new AuthorityError('unavailable', 'The authority does not answer')
  await world.after(61 * dayMs)
  expect(world.ofHost('a.example').sslStatus).toBe('renewing')
  await world.after(30 * dayMs)
  expect(world.ofHost('a.example').sslStatus).toBe('expired')

  world.authority.fault = undefined
  await world.after(dayMs)
  expect(world.ofHost('a.example').sslStatus).toBe('active')
})

test('a clock that jumps ahead and back costs a certificate at most', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example')
  await world.after(0)
  world.authority.fault = new AuthorityError('unavailable', 'The authority does not answer')
  await world.after(1_000 * dayMs)
  expect(world.ofHost('a.example').sslStatus).toBe('expired')
  await world.after(-1_000 * dayMs)
  world.authority.fault = undefined
  await world.restart()
  await world.after(1_001 * dayMs)

  expect(world.ofHost('a.example').sslStatus).toBe('active')
})

test('a removed domain’s certificate is revoked and forgotten, also by way of its zone', async () => {
  const world = await setUp()
  for (const [hostname, zone] of [['a.example', 'acme'] as const, ['b.example', 'blue'] as const]) {
    world.point(hostname)
    await world.add(hostname, zone)
    await world.after(0)
  }
  await world.domains.remove('acme', 'a.example', actor)
  await world.after(0)
  expect(world.authority.revoked).toEqual(['chain 1'])
  expect((await world.store.list()).map(({ hostname }) => hostname)).toEqual(['b.example'])
  expect(world.shown.at(-1)).toEqual(['chain 2'])

  await world.removeZone('blue')
  await world.after(0)
  expect(world.authority.revoked).toEqual(['chain 1', 'chain 2'])
  expect(await world.store.list()).toEqual([])
})

test('a revocation that fails is tried again, also after a restart', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example')
  await world.after(0)
  world.authority.fault = new AuthorityError('unavailable', 'The authority does not answer')
  await world.domains.remove('acme', 'a.example', actor)
  await world.after(0)
  expect(await world.store.list()).toHaveLength(1)
  await world.restart()
  world.authority.fault = undefined
  await world.after(0)

  expect(world.authority.revoked).toEqual(['chain 1'])
  expect(await world.store.list()).toEqual([])
})

test('a name that changes hands gets a certificate of its new zone’s own', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example', 'acme')
  await world.after(0)
  await world.domains.remove('acme', 'a.example', actor)
  await world.add('a.example', 'blue')
  await world.after(0)

  expect(world.ofHost('a.example')).toMatchObject({ zone: 'blue', sslStatus: 'active' })
  expect(world.authority.revoked).toEqual(['chain 1'])
  expect((await world.store.list()).map(({ chain }) => chain)).toEqual(['chain 2'])
})

test('a domain that is removed while its certificate is ordered leaves nothing behind', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example')
  const { promise, resolve } = Promise.withResolvers<void>()
  world.authority.examination = promise
  world.manager.tick()
  while (world.authority.orders.length === 0) await Promise.resolve()
  await world.domains.remove('acme', 'a.example', actor)
  resolve()
  await world.manager.idle()
  await world.after(0)

  expect(world.authority.revoked).toEqual(['chain 1'])
  expect(await world.store.list()).toEqual([])
})

test('a certificate that was kept before a crash is used, not ordered again', async () => {
  const world = await setUp()
  world.point('a.example')
  const { promise } = Promise.withResolvers<void>()
  const from = new Date(Date.UTC(2026, 0, 1))
  const until = new Date(from.getTime() + 90 * dayMs)
  const chain = 'kept'
  await world.store.put({
    hostname: 'a.example',
    chain,
    key: 'k',
    validFrom: from,
    validUntil: until,
  })
  world.authority.examination = promise
  await world.add('a.example')
  await world.restart()
  await world.after(0)

  expect(world.ofHost('a.example').sslStatus).toBe('active')
  expect(world.authority.orders).toEqual([])
})

test('a certificate that got lost is ordered anew at once', async () => {
  const world = await setUp()
  world.point('a.example')
  await world.add('a.example')
  await world.after(0)
  await world.store.remove('a.example')
  await world.restart()
  await world.after(0)

  expect(world.ofHost('a.example').sslStatus).toBe('active')
  expect(world.authority.orders).toHaveLength(2)
})

test('without an authority the domain says who does TLS, and still checks the name', async () => {
  const world = await setUp({ withoutAuthority: true })
  await world.add('a.example')
  await world.after(0)
  expect(world.ofHost('a.example').sslStatus).toBe('failed')
  world.point('a.example')
  await world.after(60_000)

  expect(world.ofHost('a.example').sslStatus).toBe('provisioning')
  expect(world.ofHost('a.example').sslError).toContain('in front of it does TLS')
})

test('a thousand domains are reconciled without two orders for one', async () => {
  const world = await setUp()
  for (let number = 0; number < 1_000; number += 1) {
    world.point(`d${number}.example`)
    await world.add(`d${number}.example`)
  }
  for (let time = 0; time < 12; time += 1) await world.after(0)

  expect(new Set([...world.domains.all()].map(({ sslStatus }) => sslStatus))).toEqual(
    new Set(['active']),
  )
  expect(world.authority.orders).toHaveLength(1_000)
})
