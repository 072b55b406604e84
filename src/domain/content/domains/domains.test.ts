import { expect, test } from 'bun:test'

import { MemoryDatabase } from '../../../adapters/memory/content/memory-database.ts'
import { MemoryDomainStore } from '../../../adapters/memory/domains/memory-domain-store.ts'
import { MemoryNameResolver } from '../../../adapters/memory/domains/memory-name-resolver.ts'
import { MemoryPublicationStore } from '../../../adapters/memory/content/memory-publication-store.ts'
import { MemoryQuotaStore } from '../../../adapters/memory/access/memory-quota-store.ts'
import { zoneOf } from '../../../ports/content/publication-store.contract.ts'
import type { Actor } from '../../access/actor.ts'
import { createQuota } from '../../access/quotas/quota.ts'
import { createFeed } from '../../feed.ts'
import { openDomains } from './domains.ts'
import { createOwnHosts } from './own-hosts.ts'

const operator: Actor = {
  credentialId: 'account-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: undefined,
  requestId: 'r',
}
const tenant = (zone: string): Actor => ({
  ...operator,
  credentialId: `token:${zone}`,
  zones: new Set([zone]),
})
const hostname = 'www.victim.example'

async function setUp({ baseUrl = 'https://cdn.example', maxPerZone = 50, aDay = 50 } = {}) {
  const database = new MemoryDatabase()
  const quotas = new MemoryQuotaStore(database)
  const now = () => new Date('2026-11-22T12:00:00Z')
  const resolver = new MemoryNameResolver()
  const ownHosts = createOwnHosts({ baseUrl: baseUrl || undefined, cnameTarget: 'edge.example' })
  const feed = createFeed({
    store: new MemoryPublicationStore(database),
    onSubscriberFault: (fault) => {
      throw fault
    },
  })
  const domains = await openDomains({
    store: new MemoryDomainStore(database),
    published: { zone: (name) => ({ ...zoneOf(name), commitId: `commit of ${name}` }) },
    feed,
    resolver,
    ownHosts,
    maxPerZone: () => maxPerZone,
    additionsTo: (zone) =>
      createQuota({ store: quotas, name: zone, limit: aDay, window: 'day', now }),
    now,
  })
  const setRecord = (zone: string) => {
    const { name, value } = domains.proofOf({ zone, hostname })
    resolver.textsByName.set(name, ['v=spf1 -all', value])
  }
  return { domains, database, resolver, ownHosts, setRecord }
}

test('what a tenant claims is not served until the record of its zone is found', async () => {
  const { domains, setRecord } = await setUp()
  const claim = await domains.add('a', { hostname }, tenant('a'))

  expect(claim.isProven).toBe(false)
  expect(domains.zoneOfHost(hostname)).toBeUndefined()
  expect(domains.ofHost(hostname)).toBeUndefined()
  expect(domains.servedOf('a')).toEqual([])
  expect(domains.listOf('a')).toEqual([claim])

  setRecord('b')
  expect(await domains.prove(claim)).toMatchObject({ unproven: { isAbsent: true } })
  setRecord('a')
  expect(await domains.prove(claim)).toMatchObject({ domain: { isProven: true } })
  expect(domains.zoneOfHost(hostname)).toBe('a')
})

test('a name whose record is there already is served at once, and a claim is proven by adding it again', async () => {
  const { domains, setRecord } = await setUp()
  expect((await domains.add('a', { hostname }, tenant('a'))).isProven).toBe(false)
  setRecord('a')
  expect((await domains.add('a', { hostname }, tenant('a'))).isProven).toBe(true)
  expect(domains.zoneOfHost(hostname)).toBe('a')
})

test('the audit log says how a domain was set, and how it is', async () => {
  const { domains, database } = await setUp()
  await domains.add('a', { hostname }, operator)
  await domains.configure('a', { hostname, redirectsToHttps: false }, operator)

  expect(database.audit.at(-1)).toMatchObject({
    action: 'domain.update',
    meta: { before: { redirectsToHttps: true }, after: { redirectsToHttps: false } },
  })
})

test('a claim gives way to proof and to the operator, and nothing else does', async () => {
  const { domains, database, setRecord } = await setUp()
  await domains.add('a', { hostname }, tenant('a'))
  const { value } = domains.proofOf({ zone: 'b', hostname })
  await expect(domains.add('b', { hostname }, tenant('b'))).rejects.toThrow(value)

  setRecord('b')
  expect(await domains.add('b', { hostname }, tenant('b'))).toMatchObject({ zone: 'b' })
  expect(domains.listOf('a')).toEqual([])
  expect(database.audit.map(({ action }) => action)).toEqual([
    'domain.add',
    'domain.remove',
    'domain.add',
  ])
  setRecord('a')
  await expect(domains.add('a', { hostname }, tenant('a'))).rejects.toThrow('belongs to a zone')
  await expect(domains.add('a', { hostname }, operator)).rejects.toThrow('belongs to a zone')

  await domains.add('a', { hostname: 'other.example' }, tenant('a'))
  await domains.add('b', { hostname: 'other.example' }, operator)
  expect(domains.zoneOfHost('other.example')).toBe('b')
})

test('while name servers do not answer a claim stays one', async () => {
  const { domains, resolver } = await setUp()
  resolver.outage = 'the name servers did not answer in time'
  const claim = await domains.add('a', { hostname }, tenant('a'))

  expect(await domains.prove(claim)).toMatchObject({ unproven: { isAbsent: false } })
})

test('a tenant has so many names in its zone, and the operator as many as wanted', async () => {
  const { domains } = await setUp({ maxPerZone: 2 })
  const add = (name: string, actor: Actor) => domains.add('a', { hostname: name }, actor)
  await add('1.example.net', tenant('a'))
  await add('2.example.net', tenant('a'))

  await expect(add('3.example.net', tenant('a'))).rejects.toMatchObject({ code: 'LimitExceeded' })
  expect((await add('3.example.net', operator)).isProven).toBe(true)
  await expect(add('4.example.net', tenant('a'))).rejects.toMatchObject({ code: 'LimitExceeded' })
})

test('a tenant that removes names to add others adds no more of them in a day', async () => {
  const { domains } = await setUp({ aDay: 2 })
  for (const name of ['1.example.net', '2.example.net']) {
    await domains.add('a', { hostname: name }, tenant('a'))
    await domains.remove('a', name, tenant('a'))
  }
  const third = { hostname: '3.example.net' }

  await expect(domains.add('a', third, tenant('a'))).rejects.toMatchObject({
    code: 'limit_reached',
  })
  expect(await domains.add('b', third, tenant('b'))).toMatchObject({ zone: 'b' })
  expect(await domains.add('a', { hostname: '4.example.net' }, operator)).toBeDefined()
})

test('nobody is given a name that the service itself is used under', async () => {
  const { domains, ownHosts } = await setUp({ baseUrl: '' })
  ownHosts.note('Cdn.Operator.example')
  for (const [name, askedAt] of [
    ['cdn.operator.example', undefined],
    ['edge.example', undefined],
    ['other.operator.example', 'other.operator.example'],
  ] as const)
    await expect(domains.add('a', { hostname: name, askedAt }, operator)).rejects.toMatchObject({
      code: 'HostnameTaken',
    })
  expect(await domains.add('a', { hostname, askedAt: 'cdn.example' }, operator)).toMatchObject({
    zone: 'a',
  })
})
