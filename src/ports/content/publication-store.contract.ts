import { expect, test } from 'bun:test'

import fc from 'fast-check'

import type { AuditLog } from './audit-log.ts'
import type { DomainRecord } from '../records/domain.ts'
import type { DomainStore } from '../domains/domain-store.ts'
import type { AssetMetadata } from '../records/asset-metadata.ts'
import type { AssetRecord } from '../records/asset.ts'
import type { AuditRecord } from '../records/audit.ts'
import type { NewFeedEntry } from '../records/feed.ts'
import type { Publication, PublicationStore } from './publication-store.ts'
import type { RuleFileRecord, ZoneRecord } from '../records/zone.ts'
import type { PastAssets } from './past-assets.ts'
import type { QuotaStore } from '../access/quota-store.ts'

/** Stores that share one database, as those of a process do. */
export interface MetadataStores extends AsyncDisposable {
  readonly publications: PublicationStore
  readonly domains: DomainStore
  readonly audit: AuditLog
  readonly past: PastAssets
  readonly quotas: QuotaStore
}

/** What every PublicationStore must do. The test of each adapter calls this once. */
export function publicationStoreContract(name: string, open: () => Promise<MetadataStores>): void {
  test(`${name}: an empty store stands at no commit and at number 0`, async () => {
    await using stores = await open()

    expect(await stores.publications.position()).toEqual({ commitId: undefined, seq: 0 })
    expect(await stateOf(stores)).toEqual({ assets: [], zones: [], ruleFiles: [] })
    expect(await stores.publications.feedAfter(0, 10)).toEqual([])
  })

  test(`${name}: old entries of the feed are forgotten, but for the newest, and numbers go on`, async () => {
    await using stores = await open()
    const store = stores.publications
    const told = async (path: string, hour: number) =>
      await store.publish([{ feed: [{ ...entry(path), at: at(hour) }] }])
    for (const [path, hour] of [
      ['acme/v1/a', 1],
      ['acme/v1/b', 2],
      ['acme/v1/c', 3],
      ['acme/v1/d', 4],
    ] as const)
      await told(path, hour)
    const known = async (after = 0) => (await store.feedAfter(after, 10)).map(({ seq }) => seq)

    expect(await store.forgetFeedBefore(at(3), 3)).toBe(1)
    expect(await known()).toEqual([2, 3, 4])
    expect(await store.forgetFeedBefore(at(3), 0)).toBe(1)
    expect(await store.forgetFeedBefore(at(3), 0)).toBe(0)
    expect(await known()).toEqual([3, 4])
    expect(await known(3)).toEqual([4])
    expect(await store.forgetFeedBefore(at(9), 0)).toBe(2)
    expect(await store.forgetFeedBefore(at(9), 0)).toBe(0)
    expect((await store.position()).seq).toBe(4)
    await told('acme/v1/e', 10)
    expect(await known()).toEqual([5])
  })

  test(`${name}: the last expiry that was announced of a path is known, until it is taken back`, async () => {
    await using stores = await open()
    const store = stores.publications
    const [soon, later] = [new Date(1), new Date(2 ** 42)]
    await store.publish([
      { expiries: [{ path: 'acme/v1/a', expiresAt: soon }], feed: [] },
      {
        expiries: [
          { path: 'acme/v1/a', expiresAt: later },
          { path: 'acme/v1/b', expiresAt: soon },
        ],
        feed: [],
      },
    ])
    await store.forgetProjections()
    expect(
      (await store.expiries()).toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    ).toEqual([
      { path: 'acme/v1/a', expiresAt: later },
      { path: 'acme/v1/b', expiresAt: soon },
    ])
    await store.publish([{ expiries: [{ path: 'acme/v1/a', expiresAt: undefined }], feed: [] }])
    expect(await store.expiries()).toEqual([{ path: 'acme/v1/b', expiresAt: soon }])
  })

  test(`${name}: what is published comes back as it was given, down to the millisecond`, async () => {
    await using stores = await open()
    const asset = assetAt('acme/v1/logos/ü 🌿.svg', {
      sizeBytes: 2 ** 40,
      createdAt: new Date(1),
      metadata: everyMember,
    })
    const zone = {
      ...zoneOf('acme'),
      enabled: false,
      suspended: true,
      commitId: 'c1',
      fields: '{}\n',
      transforms: 'card w=400\n',
      transformMode: 'named-only' as const,
      headers: '/*\n  X: y\n',
      redirects: '/a /b\n',
      cacheSeconds: 0,
      metadataPolicy: 'none' as const,
      vision: 'apply' as const,
      moderation: 'hold' as const,
      languages: ['de', 'pt-BR'],
    }
    const ruleFile = { name: '_headers', content: '/*\n  X: y\n', changedAt: at(7) } as const
    await stores.publications.publish([
      { commitId: 'c1', zones: [zone], assets: [asset], ruleFiles: [ruleFile], feed: [] },
    ])

    expect(await stateOf(stores)).toEqual({ assets: [asset], zones: [zone], ruleFiles: [ruleFile] })
  })

  test(`${name}: publishing again replaces what a key held`, async () => {
    await using stores = await open()
    const [before, after] = [assetAt('acme/v1/a'), assetAt('acme/v1/a', { sha256: 'f'.repeat(64) })]
    await stores.publications.publish([{ assets: [before], feed: [] }])
    await stores.publications.publish([{ assets: [after], feed: [] }])

    expect(await Array.fromAsync(stores.publications.assets())).toEqual([after])
  })

  test(`${name}: feed entries are numbered by one from 1, are answered, and come back alike`, async () => {
    await using stores = await open()
    const first = await stores.publications.publish([{ feed: [entry('a'), entry('b')] }])
    const second = await stores.publications.publish([{ feed: [] }, { feed: [entry('c')] }])

    expect([...first, ...second].map(({ seq, path }) => [seq, path])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ])
    expect(await stores.publications.feedAfter(0, 10)).toEqual([...first, ...second])
    expect((await stores.publications.position()).seq).toBe(3)
  })

  test(`${name}: the feed is read after a number, oldest first, up to a limit`, async () => {
    await using stores = await open()
    await stores.publications.publish([{ feed: ['a', 'b', 'c', 'd'].map(entry) }])
    const paths = async (seq: number, limit: number) =>
      (await stores.publications.feedAfter(seq, limit)).map(({ path }) => path)

    expect(await paths(1, 2)).toEqual(['b', 'c'])
    expect(await paths(3, 100)).toEqual(['d'])
    expect(await paths(4, 100)).toEqual([])
    expect(await paths(99, 100)).toEqual([])
  })

  test(`${name}: the newest entry of a commit is found by it`, async () => {
    await using stores = await open()
    const of = (path: string, commitId: string) => ({ ...entry(path), commitId })
    await stores.publications.publish([{ feed: [of('a', 'c1'), of('b', 'c1'), of('c', 'c2')] }])

    expect((await stores.publications.lastOfCommit('c1'))?.seq).toBe(2)
    expect((await stores.publications.lastOfCommit('c2'))?.path).toBe('c')
    expect(await stores.publications.lastOfCommit('c3')).toBeUndefined()
  })

  test(`${name}: the position is the newest commit named, and stays where none is named`, async () => {
    await using stores = await open()
    await stores.publications.publish([
      { commitId: 'c1', feed: [] },
      { commitId: 'c2', feed: [entry('a')] },
    ])
    await stores.publications.publish([{ feed: [entry('b')] }])

    expect(await stores.publications.position()).toEqual({ commitId: 'c2', seq: 2 })
  })

  test(`${name}: a publication that fails in the middle applies nothing, not even its neighbours`, async () => {
    await using stores = await open()
    await stores.publications.publish([
      { commitId: 'c1', zones: [zoneOf('acme')], feed: [entry('a')] },
    ])
    const before = await everythingIn(stores)
    const impossible: Record<string, unknown> = {}
    impossible['itself'] = impossible

    const failure = await failureOf(
      stores.publications.publish([
        { commitId: 'c2', removedZones: ['acme'], assets: [assetAt('b/v1/x')], feed: [entry('b')] },
        { commitId: 'c3', audit: [auditOf({ meta: impossible })], feed: [entry('c')] },
      ]),
    )

    expect(failure).toBeInstanceOf(TypeError)
    expect(await everythingIn(stores)).toEqual(before)
    const [next] = await stores.publications.publish([{ feed: [entry('d')] }])
    expect(next?.seq).toBe(2)
  })

  test(`${name}: publications at the same time get numbers in the order of asking`, async () => {
    await using stores = await open()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        stores.publications.publish([
          {
            commitId: `c${place}`,
            assets: [assetAt(`acme/v1/${place}`)],
            feed: [entry(`${place}`)],
          },
        ]),
      ),
    )

    expect(answers.flat().map(({ seq }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, place) => place + 1),
    )
    expect((await stores.publications.position()).commitId).toBe('c19')
  })

  test(`${name}: a removed zone takes its assets and domains with it and touches no other zone`, async () => {
    await using stores = await open()
    const names = ['acme', 'acme-2', 'acm', 'acme0', 'b']
    await stores.publications.publish([
      {
        zones: names.map(zoneOf),
        assets: names.flatMap((zone) => [assetAt(`${zone}/v1/a`), assetAt(`${zone}/v1/z/ü`)]),
        feed: [],
      },
    ])
    for (const zone of names) await addDomain(stores, zone)
    await stores.publications.publish([{ removedZones: ['acme'], feed: [] }])

    const left = names.filter((each) => each !== 'acme').toSorted()
    expect((await stores.publications.zones()).map((zone) => zone.name)).toEqual(left)
    const zonesOfAssets = (await Array.fromAsync(stores.publications.assets())).map(
      ({ zone }) => zone,
    )
    expect(zonesOfAssets.toSorted()).toEqual(left.flatMap((zone) => [zone, zone]))
    expect((await stores.domains.list()).map(({ zone }) => zone).toSorted()).toEqual(left)
  })

  test(`${name}: a zone removed and made again in one step has only what came after`, async () => {
    await using stores = await open()
    await stores.publications.publish([
      { zones: [zoneOf('acme')], assets: [assetAt('acme/v1/old')], feed: [] },
    ])
    await stores.publications.publish([
      { assets: [assetAt('acme/v1/older')], feed: [] },
      { removedZones: ['acme'], feed: [] },
      { zones: [zoneOf('acme')], assets: [assetAt('acme/v1/new')], feed: [] },
    ])

    expect((await stateOf(stores)).assets.map(({ path }) => path)).toEqual(['acme/v1/new'])
    expect(await stores.publications.zones()).toEqual([zoneOf('acme')])
  })

  test(`${name}: assets come in byte order of the path`, async () => {
    await using stores = await open()
    // In UTF-16 order the emoji would come before the full-width tilde, in any language's order é near e.
    const paths = [
      'z/v1/Z',
      'z/v1/a',
      'z/v1/a.b',
      'z/v1/a/b',
      'z/v1/e',
      'z/v1/z',
      'z/v1/é',
      'z/v1/～',
      'z/v1/🌿',
    ]
    await stores.publications.publish([
      { assets: paths.toReversed().map((path) => assetAt(path)), feed: [] },
    ])

    const found = await Array.fromAsync(stores.publications.assets())
    expect(found.map(({ path }) => path)).toEqual(paths)
  })

  for (const count of [999, 1000, 1001, 2500])
    test(`${name}: ${count} assets in one publication all come back, once and in order`, async () => {
      await using stores = await open()
      const assets = Array.from({ length: count }, (_, place) =>
        assetAt(`acme/v1/icons/${String(place).padStart(6, '0')}.svg`, { sizeBytes: place }),
      )
      await stores.publications.publish([{ assets, feed: assets.map(({ path }) => entry(path)) }])

      expect(await Array.fromAsync(stores.publications.assets())).toEqual(assets)
      expect((await stores.publications.feedAfter(0, count + 1)).map(({ path }) => path)).toEqual(
        assets.map(({ path }) => path),
      )
      await stores.publications.publish([
        { removedAssets: assets.slice(1).map(({ path }) => path), feed: [] },
      ])
      expect(await Array.fromAsync(stores.publications.assets())).toEqual(assets.slice(0, 1))
    })

  test(`${name}: assets are found by path, those that are there, once, however many are asked for`, async () => {
    await using stores = await open()
    const assets = Array.from({ length: 2100 }, (_, place) => assetAt(`acme/v1/ü ${place}`))
    await stores.publications.publish([{ assets, feed: [] }])
    const paths = assets.map(({ path }) => path)
    const sorted = async (asked: readonly string[]) =>
      (await stores.publications.assetsAt(asked)).toSorted(
        (a, b) => paths.indexOf(a.path) - paths.indexOf(b.path),
      )

    expect(await sorted([])).toEqual([])
    expect(await sorted(['acme/v1/none', 'acme/v1/ü 7', 'acme/v1/ü 7'])).toEqual(assets.slice(7, 8))
    expect(await sorted(paths)).toEqual(assets)
  })

  test(`${name}: forgotten projections are gone, the feed, audit records and domains are not`, async () => {
    await using stores = await open()
    await stores.publications.publish([
      {
        commitId: 'c1',
        zones: [zoneOf('acme')],
        assets: [assetAt('acme/v1/a')],
        ruleFiles: [{ name: '_redirects', content: '', changedAt: at(0) }],
        audit: [auditOf({})],
        feed: [entry('a')],
      },
    ])
    await addDomain(stores, 'acme')
    await stores.publications.forgetProjections()

    expect(await stores.publications.position()).toEqual({ commitId: undefined, seq: 2 })
    expect(await stateOf(stores)).toEqual({ assets: [], zones: [], ruleFiles: [] })
    expect(await stores.publications.feedAfter(0, 10)).toHaveLength(2)
    expect(await stores.domains.list()).toHaveLength(1)
    expect(await stores.audit.query({ since: at(0), limit: 10 })).toHaveLength(1)
    const [next] = await stores.publications.publish([{ feed: [entry('b')] }])
    expect(next?.seq).toBe(3)
  })

  test(`${name}: any publications, however grouped, end as one after another would`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyPublication, { maxLength: 5 }), { maxLength: 5 }),
        async (groups) => {
          await using stores = await open()
          const model = createModel()
          for (const group of groups) {
            await stores.publications.publish(group)
            for (const publication of group) model.apply(publication)
          }
          expect(await stateOf(stores)).toEqual(model.state())
          expect((await stores.publications.position()).commitId).toBe(model.commitId())
        },
      ),
      { numRuns: 60 },
    )
  })
}

export const at = (millisecond: number): Date => new Date(1_790_000_000_000 + millisecond)

export const zoneOf = (name: string): ZoneRecord => ({
  name,
  createdAt: at(1),
  enabled: true,
  suspended: false,
})

export function assetAt(path: string, given: Partial<AssetRecord> = {}): AssetRecord {
  return {
    path,
    zone: path.slice(0, path.indexOf('/')),
    category: 'icons',
    name: path.slice(path.lastIndexOf('/') + 1),
    format: 'svg',
    sizeBytes: 42,
    sha256: 'a'.repeat(64),
    contentType: 'image/svg+xml',
    createdAt: at(2),
    changedAt: at(3),
    commitId: 'c'.repeat(40),
    ...given,
  }
}

/** Of every member something. */
export const everyMember: AssetMetadata = {
  title: 'A «title» \u{1f33f}',
  alt: { de: 'Ein Bild', 'zh-Hant': '圖' },
  description: 'One line\nand another',
  tags: ['green', 'leaf'],
  copyright: '© Acme',
  licence: 'CC-BY-4.0',
  expiresAt: at(9),
  custom: { campaign: 'spring', nested: { list: [1, null, true] } },
  focalPoint: { x: 0.25, y: 1 },
  object: {
    sha256: 'e'.repeat(64),
    user: { author: 'Zoë', mtime: '1700000000.5' },
    tags: { Stage: 'draft' },
    headers: { 'cache-control': 'max-age=60', expires: 'Thu, 01 Dec 1994 16:00:00 GMT' },
    etag: `${'d'.repeat(32)}-3`,
    parts: [
      { sizeBytes: 5_242_880, count: 2 },
      { sizeBytes: 7, count: 1 },
    ],
    checksum: { algorithm: 'CRC32C', type: 'COMPOSITE', value: 'yZRlqg==-3' },
  },
  sources: { copyright: 'iptc' },
}

export const entry = (path: string): NewFeedEntry => ({
  at: at(4),
  event: 'asset.created',
  zone: 'acme',
  path,
  commitId: 'c1',
  data: { Path: path, Size: 42, Nested: { list: [1, null, 'ü\u0000"'] } },
})

export const auditOf = (given: Partial<AuditRecord>): AuditRecord => ({
  at: at(5),
  action: 'file.put',
  actor: 'access-key',
  target: 'acme/v1/a',
  ip: '192.0.2.1',
  userAgent: undefined,
  requestId: 'r1',
  meta: { size: 42 },
  ...given,
})

export const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const addDomain = (stores: MetadataStores, zone: string) =>
  stores.domains.add(domainAt(`${zone}.example`, { zone, sslStatus: 'active' }), {
    feed: { ...entry(''), event: 'domain.updated' },
  })

const stateOf = async ({ publications }: MetadataStores) => ({
  assets: await Array.fromAsync(publications.assets()),
  zones: await publications.zones(),
  ruleFiles: await publications.ruleFiles(),
})

const everythingIn = async (stores: MetadataStores) => ({
  ...(await stateOf(stores)),
  position: await stores.publications.position(),
  feed: await stores.publications.feedAfter(0, 1000),
  audit: await stores.audit.query({ since: new Date(0), limit: 1000 }),
})

/** Few keys, so that publications meet. */
const anyZone = fc.constantFrom('a', 'a-b', 'b')
const anyPath = fc.tuple(anyZone, fc.constantFrom('v1/x', 'v1/y')).map((parts) => parts.join('/'))
const anyRuleFile = fc.constantFrom('_headers' as const, '_redirects' as const)
const anyPublication: fc.Arbitrary<Publication> = fc.record(
  {
    commitId: fc.string({ minLength: 1, maxLength: 3 }).map(encodeURIComponent),
    removedZones: fc.array(anyZone, { maxLength: 2 }),
    zones: fc.array(anyZone.map(zoneOf), { maxLength: 2 }),
    removedAssets: fc.array(anyPath, { maxLength: 2 }),
    assets: fc.array(
      fc.tuple(anyPath, fc.nat()).map(([path, sizeBytes]) => assetAt(path, { sizeBytes })),
      { maxLength: 3 },
    ),
    ruleFiles: fc.array(
      anyRuleFile.map((name) => ({ name, content: name, changedAt: at(0) })),
      { maxLength: 1 },
    ),
    removedRuleFiles: fc.array(anyRuleFile, { maxLength: 1 }),
    feed: fc.constant([]),
  },
  { requiredKeys: ['feed'] },
)

/** The port's sentences, taken literally. */
function createModel() {
  const assets = new Map<string, AssetRecord>()
  const zones = new Map<string, ZoneRecord>()
  const ruleFiles = new Map<string, RuleFileRecord>()
  let commitId: string | undefined
  const removeZone = (name: string) => {
    zones.delete(name)
    for (const path of assets.keys()) if (path.startsWith(`${name}/`)) assets.delete(path)
  }
  return {
    apply(publication: Publication) {
      publication.removedZones?.forEach(removeZone)
      publication.zones?.forEach((zone) => zones.set(zone.name, zone))
      publication.removedAssets?.forEach((path) => assets.delete(path))
      publication.assets?.forEach((asset) => assets.set(asset.path, asset))
      publication.ruleFiles?.forEach((file) => ruleFiles.set(file.name, file))
      publication.removedRuleFiles?.forEach((name) => ruleFiles.delete(name))
      commitId = publication.commitId ?? commitId
    },
    state: () => ({
      assets: sortedByKey(assets),
      zones: sortedByKey(zones),
      ruleFiles: sortedByKey(ruleFiles),
    }),
    commitId: () => commitId,
  }
}

const sortedByKey = <T>(map: ReadonlyMap<string, T>): T[] =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)

export const domainAt = (hostname: string, given: Partial<DomainRecord> = {}): DomainRecord => ({
  hostname,
  zone: 'acme',
  sslStatus: 'provisioning',
  sslError: undefined,
  redirectsToHttps: false,
  certificateExpiresAt: undefined,
  nextCheckAt: at(2),
  failures: 1,
  isProven: true,
  history: [],
  createdAt: at(0),
  updatedAt: at(1),
  ...given,
})
