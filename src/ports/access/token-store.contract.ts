import { expect, test } from 'bun:test'

import { at, auditOf, type MetadataStores, zoneOf } from '../content/publication-store.contract.ts'
import type { TokenRecord, TokenStore } from './token-store.ts'

export interface TokenStores extends MetadataStores {
  readonly tokens: TokenStore
}

/** What every TokenStore must do. The test of each adapter calls this once. */
export function tokenStoreContract(name: string, open: () => Promise<TokenStores>): void {
  test(`${name}: tokens come back as they were given, by time of creation and then by id`, async () => {
    await using stores = await openWithZones(open)
    const tokens = [
      tokenOf('c', { createdAt: at(1), zones: ['acme', 'b'], scopes: ['zones:read', 'logs:read'] }),
      tokenOf('a', { createdAt: at(2) }),
      tokenOf('b', { createdAt: at(2), lastUsedAt: at(9), isForS3: true }),
    ]
    for (const token of tokens.toReversed())
      expect(await stores.tokens.add(token, auditOf({}))).toBe(true)

    expect(await stores.tokens.list()).toEqual(tokens)
  })

  test(`${name}: each change leaves its audit record`, async () => {
    await using stores = await openWithZones(open)
    await stores.tokens.add(tokenOf('a'), auditOf({ action: 'add' }))
    await stores.tokens.remove('a', auditOf({ action: 'remove' }))

    expect(await actions(stores)).toEqual(['add', 'remove'])
    expect(await stores.tokens.list()).toEqual([])
  })

  test(`${name}: a token for a zone that does not exist is not added, nor recorded`, async () => {
    await using stores = await openWithZones(open)
    const version = await stores.tokens.version()
    const token = tokenOf('a', { zones: ['acme', 'nowhere'] })

    expect(await stores.tokens.add(token, auditOf({}))).toBe(false)
    expect(await stores.tokens.list()).toEqual([])
    expect(await actions(stores)).toEqual([])
    expect(await stores.tokens.version()).toBe(version)
  })

  test(`${name}: of two removals of a token one succeeds and is recorded`, async () => {
    await using stores = await openWithZones(open)
    await stores.tokens.add(tokenOf('a'), auditOf({ action: 'add' }))
    const removals = await Promise.all([
      stores.tokens.remove('a', auditOf({ action: 'remove' })),
      stores.tokens.remove('a', auditOf({ action: 'remove' })),
      stores.tokens.remove('other', auditOf({ action: 'remove' })),
    ])

    expect(removals.filter(Boolean)).toHaveLength(1)
    expect(await actions(stores)).toEqual(['add', 'remove'])
  })

  test(`${name}: the version grows with what a token opens and not with its use`, async () => {
    await using stores = await openWithZones(open)
    const versions = [await stores.tokens.version()]
    const grown = async () => {
      versions.push(await stores.tokens.version())
      return (versions.at(-1) ?? 0) > (versions.at(-2) ?? 0)
    }
    await stores.tokens.add(tokenOf('a', { zones: ['acme'] }), auditOf({}))
    expect(await grown()).toBe(true)
    await stores.tokens.noteUse(new Map([['a', at(5)]]))
    expect(await grown()).toBe(false)
    await stores.publications.publish([{ removedZones: ['acme'], feed: [] }])
    expect(await grown()).toBe(true)
    await stores.tokens.add(tokenOf('b'), auditOf({}))
    expect(await grown()).toBe(true)
    await stores.tokens.remove('b', auditOf({}))
    expect(await grown()).toBe(true)
  })

  test(`${name}: a removed zone takes itself out of tokens, and those with it that reach no other`, async () => {
    await using stores = await openWithZones(open)
    for (const token of [
      tokenOf('all'),
      tokenOf('both', { zones: ['acme', 'b'] }),
      tokenOf('one', { zones: ['acme'] }),
      tokenOf('other', { zones: ['b'] }),
    ])
      await stores.tokens.add(token, auditOf({}))
    await stores.publications.publish([{ removedZones: ['acme'], feed: [] }])

    const reach = async () =>
      Object.fromEntries((await stores.tokens.list()).map(({ id, zones }) => [id, zones]))
    expect(await reach()).toEqual({ all: undefined, both: ['b'], other: ['b'] })

    // Made again, the zone is another's: no token reaches it for having reached the old one.
    await stores.publications.publish([
      { removedZones: ['b'], feed: [] },
      { zones: [zoneOf('acme'), zoneOf('b')], feed: [] },
    ])
    expect(await reach()).toEqual({ all: undefined })
  })

  test(`${name}: tokens stay where projections are made anew`, async () => {
    await using stores = await openWithZones(open)
    await stores.tokens.add(tokenOf('one', { zones: ['acme'] }), auditOf({}))
    await stores.publications.forgetProjections()

    expect((await stores.tokens.list()).map(({ zones }) => zones)).toEqual([['acme']])
  })

  test(`${name}: of several times of use the latest stays`, async () => {
    await using stores = await openWithZones(open)
    await stores.tokens.add(tokenOf('a'), auditOf({}))
    await stores.tokens.noteUse(new Map([['a', at(7)]]))
    await stores.tokens.noteUse(
      new Map([
        ['a', at(3)],
        ['gone', at(8)],
      ]),
    )

    expect((await stores.tokens.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([at(7)])
  })

  test(`${name}: a token that is rotated has another secret, and the former one until its time`, async () => {
    await using stores = await openWithZones(open)
    await stores.tokens.add(tokenOf('a', { zones: ['acme'] }), auditOf({ action: 'add' }))
    const version = await stores.tokens.version()
    const secret = {
      secretSha256: 'another',
      prefix: 'cdnsk_efgh',
      former: { sha256: 'hash-of-a', until: at(60) },
    }

    expect(await stores.tokens.rotate('a', secret, auditOf({ action: 'rotate' }))).toBe(true)
    expect(await stores.tokens.rotate('gone', secret, auditOf({ action: 'no' }))).toBe(false)
    expect(await stores.tokens.list()).toEqual([tokenOf('a', { zones: ['acme'], ...secret })])
    expect(await stores.tokens.version()).toBeGreaterThan(version)
    expect(await actions(stores)).toEqual(['add', 'rotate'])
  })
}

export const tokenOf = (id: string, given: Partial<TokenRecord> = {}): TokenRecord => ({
  id,
  name: `token ${id} "ü"`,
  secretSha256: `hash-of-${id}`,
  prefix: 'cdnsk_abcd',
  scopes: ['storage:read'],
  zones: undefined,
  createdBy: 'account-key',
  createdAt: at(0),
  expiresAt: at(1_000_000),
  lastUsedAt: undefined,
  isForS3: false,
  ...given,
})

async function openWithZones(open: () => Promise<TokenStores>): Promise<TokenStores> {
  const stores = await open()
  await stores.publications.publish([{ zones: ['acme', 'b'].map(zoneOf), feed: [] }])
  return stores
}

const actions = async ({ audit }: MetadataStores) =>
  (await audit.query({ since: at(0), limit: 100 })).map(({ action }) => action).toReversed()
