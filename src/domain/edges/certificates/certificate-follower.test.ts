import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { MemoryCertificateStore } from '../../../adapters/memory/domains/memory-certificate-store.ts'
import { makeCertificate, openssl } from '../../../../test/support/certificates.ts'
import { have } from '../../../../test/support/needs.ts'
import { until } from '../../../../test/support/until.ts'
import { EdgeOriginError } from '../../../ports/edges/edge-origin.ts'
import type {
  CertificateStore,
  StoredCertificate,
} from '../../../ports/domains/certificate-store.ts'
import type { FeedEntry, FeedEvent } from '../../../ports/records/feed.ts'
import { createFeed } from '../../feed.ts'
import { openCertificateFollower } from './certificate-follower.ts'
import { readCertificate, writeCertificate, writeDigests } from './certificate-messages.ts'
import { ownCertificates } from './handed-out-certificates.ts'

const canRun = have('certificates at edges', openssl)
const directory = mkdtempSync(join(tmpdir(), 'sedge-certificates-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Real ones: what comes is checked. Each is from a later second than those before. */
let made = 0
function certificateFor(hostname: string): StoredCertificate {
  made += 1
  const files = makeCertificate(directory, `certificate-${made}`, hostname)
  const chain = readFileSync(files.certificateFile, 'utf8')
  const key = readFileSync(files.keyFile, 'utf8')
  return readCertificate(JSON.stringify({ Hostname: hostname, Chain: chain, Key: key }), hostname)
}

const entry = (event: FeedEvent, data: FeedEntry['data']): FeedEntry => ({
  seq: 1,
  at: new Date(0),
  event,
  zone: 'acme',
  path: undefined,
  commitId: undefined,
  data,
})

/** An origin whose certificates can be changed, and whose answers can be spoilt. */
function openOrigin() {
  const certificateByHost = new Map<string, StoredCertificate>()
  const hosts = new Set<string>()
  const asked: string[] = []
  const state = { isAway: false, spoil: (text: string) => text }
  const handedOut = ownCertificates({
    all: () => [...certificateByHost.values()],
    get: (hostname) => certificateByHost.get(hostname),
  })
  const feed = createFeed({
    store: { feedAfter: async () => [] },
    onSubscriberFault(fault) {
      throw fault
    },
  })
  function ask(what: string): void {
    asked.push(what)
    if (state.isAway) throw new EdgeOriginError('The origin does not answer')
  }
  return {
    asked,
    state,
    feed,
    set(certificate: StoredCertificate): void {
      hosts.add(certificate.hostname)
      certificateByHost.set(certificate.hostname, certificate)
    },
    remove(hostname: string): void {
      hosts.delete(hostname)
      certificateByHost.delete(hostname)
      feed.announce([entry('domain.updated', { hostname, removed: true })])
    },
    tell: (hostname: string) => feed.announce([entry('domain.updated', { hostname })]),
    compare: () => feed.announce([entry('purge.completed', { everything: true })]),
    origin: {
      async certificates() {
        ask('all')
        return JSON.stringify(writeDigests(await handedOut.digests()))
      },
      async certificate(hostname: string) {
        ask(hostname)
        const found = await handedOut.find(hostname)
        return found && state.spoil(JSON.stringify(writeCertificate(found)))
      },
    },
    published: {
      host: (hostname: string) =>
        hosts.has(hostname) ? { hostname, zone: 'acme', redirectsToHttps: true } : undefined,
    },
  }
}

async function openEdge(
  world: ReturnType<typeof openOrigin>,
  store: CertificateStore = new MemoryCertificateStore(),
) {
  const warnings: string[] = []
  const shown: string[][] = []
  const { origin, published, feed } = world
  const warn = (message: string, facts: Readonly<Record<string, unknown>>) =>
    warnings.push(`${message} ${Bun.inspect(facts)}`)
  const follower = await openCertificateFollower({
    origin,
    store,
    published,
    feed,
    log: { warn },
    firstPauseMs: 5,
  })
  follower.showWith(async (certificates) => {
    shown.push(certificates.map(({ hostname }) => hostname))
  })
  await follower.settled()
  return {
    follower,
    store,
    warnings,
    shown,
    chainOf: (hostname: string) => follower.get(hostname)?.chain,
    [Symbol.asyncDispose]: () => follower[Symbol.asyncDispose](),
  }
}

if (canRun) {
  const one = certificateFor('one.example')
  const two = certificateFor('two.example')
  const later = (certificate: StoredCertificate, seconds: number): StoredCertificate => ({
    ...certificate,
    validFrom: new Date(certificate.validFrom.getTime() + seconds * 1000),
  })

  test('an edge has all certificates after its start, and each that is renewed once it is told', async () => {
    const world = openOrigin()
    world.set(one)
    world.set(two)
    await using edge = await openEdge(world)

    expect(edge.follower.all().map(({ hostname }) => hostname)).toEqual([
      'one.example',
      'two.example',
    ])
    expect(await edge.store.list()).toEqual([one, two])
    world.asked.length = 0
    const renewed = certificateFor('one.example')
    world.set(renewed)
    world.tell('one.example')
    await until(() => edge.chainOf('one.example') === renewed.chain)
    expect(world.asked).toEqual(['one.example'])
    expect(await edge.store.list()).toEqual([renewed, two])
  })

  test('a domain that is gone takes its certificate along, also while the origin is away', async () => {
    const world = openOrigin()
    world.set(one)
    world.set(two)
    await using edge = await openEdge(world)
    world.state.isAway = true
    world.remove('one.example')
    await until(async () => (await edge.store.list()).length === 1)

    expect(edge.follower.all()).toEqual([two])
    expect(edge.shown.at(-1)).toEqual(['two.example'])
  })

  test('an edge starts with what it kept, and a comparison asks for what differs alone', async () => {
    const world = openOrigin()
    world.set(one)
    world.set(two)
    const store = new MemoryCertificateStore()
    await store.put(one)
    await store.put(two)
    world.state.isAway = true
    await using edge = await openEdge(world, store)
    expect(edge.follower.all()).toEqual([one, two])
    expect(edge.warnings.length).toBe(1)

    const renewed = certificateFor('two.example')
    world.set(renewed)
    world.state.isAway = false
    await until(() => edge.chainOf('two.example') === renewed.chain)
    expect(world.asked.filter((what) => what !== 'all')).toEqual(['two.example'])
    world.asked.length = 0
    world.compare()
    await edge.follower.settled()
    expect(world.asked).toEqual(['all'])
  })

  for (const [what, spoil] of [
    ['no JSON', () => '<html>'],
    ['nothing that is meant', () => 'null'],
    ['no certificate', (text: string) => text.replace('BEGIN CERT', 'BEGIN NONSENSE')],
    ['cut off', (text: string) => text.slice(0, -20)],
    ['a key that is none', (text: string) => text.replace(/"Key":".*"/u, '"Key":"x"')],
    ['the key of another', () => withKeyOf(two)],
    ['for another name', () => JSON.stringify(writeCertificate(two))],
    ['for another name, said to be this', () => renamed(two)],
  ] as const)
    test(`what comes as a certificate and is ${what} changes nothing, and no key is told`, async () => {
      const world = openOrigin()
      world.set(one)
      await using edge = await openEdge(world)
      world.state.spoil = spoil
      world.set(certificateFor('one.example'))
      world.tell('one.example')
      await until(() => edge.warnings.length > 0)

      expect(edge.follower.all()).toEqual([one])
      expect(await edge.store.list()).toEqual([one])
      expect(edge.warnings.join()).not.toContain('PRIVATE KEY')
      // It is not asked for over and over.
      await edge.follower.settled()
      expect(world.asked.filter((each) => each === 'one.example').length).toBe(2)
    })

  const withKeyOf = ({ key }: StoredCertificate) =>
    JSON.stringify({ ...writeCertificate(certificateFor('one.example')), Key: key })
  const renamed = (certificate: StoredCertificate) =>
    JSON.stringify({ ...writeCertificate(certificate), Hostname: 'one.example' })

  test('a response that is older than what is shown is not taken', async () => {
    const world = openOrigin()
    const store = new MemoryCertificateStore()
    await store.put(later(two, 60))
    world.set(certificateFor('two.example'))
    await using edge = await openEdge(world, store)

    expect(edge.chainOf('two.example')).toBe(two.chain)
    expect(edge.warnings.join()).toContain('is older than the one that is here')
  })

  test('where the disk is full a certificate is shown, and kept once there is room', async () => {
    const world = openOrigin()
    world.set(one)
    const store = new MemoryCertificateStore()
    const disk = { isFull: true }
    const put: CertificateStore['put'] = async (certificate) => {
      if (disk.isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      await store.put(certificate)
    }
    const full: CertificateStore = {
      put,
      list: () => store.list(),
      remove: (hostname) => store.remove(hostname),
      accountKey: () => store.accountKey(),
      keepAccountKey: (key) => store.keepAccountKey(key),
    }
    await using edge = await openEdge(world, full)

    expect(edge.follower.all()).toEqual([one])
    expect(edge.warnings.join()).toContain('could not be kept')
    disk.isFull = false
    world.compare()
    await until(async () => (await store.list()).length === 1)
  })

  test('a certificate of a domain that this edge does not know is not asked for', async () => {
    const world = openOrigin()
    world.set(one)
    const { published, ...rest } = world
    await using edge = await openEdge({
      ...rest,
      published: { host: (name) => (name === 'two.example' ? published.host(name) : undefined) },
    })

    expect(edge.follower.all()).toEqual([])
    expect(world.asked).toEqual(['all'])
  })
}
