import { expect, test } from 'bun:test'

import { at, auditOf, type MetadataStores, zoneOf } from '../content/publication-store.contract.ts'
import type { UploadGrantRecord, UploadGrantStore } from './upload-grant-store.ts'

export interface UploadGrantStores extends MetadataStores {
  readonly uploadGrants: UploadGrantStore
}

/** What every UploadGrantStore must do. The test of each adapter calls this once. */
export function uploadGrantStoreContract(
  name: string,
  open: () => Promise<UploadGrantStores>,
): void {
  test(`${name}: upload grants come back as they were given`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    const plain = grantOf('plain')
    const full = grantOf('full', {
      path: 'acme/v1/logos/ü "x"/',
      maxBytes: 2 ** 43,
      types: ['image/*'],
      origins: ['https://a.example'],
      metadata: { Title: 'ü' },
      times: 10_000,
      overwrites: true,
      grantorMark: 'mark',
    })
    for (const grant of [plain, full])
      expect(await uploadGrants.add(grant, 10, auditOf({}))).toBe('added')

    expect(await uploadGrants.find('plain')).toEqual(plain)
    expect(await uploadGrants.find('full')).toEqual(full)
    expect(await uploadGrants.find('none')).toBeUndefined()
  })

  test(`${name}: each change of a grant leaves its audit record`, async () => {
    await using stores = await openWithZones(open)
    await stores.uploadGrants.add(grantOf('a'), 10, auditOf({ action: 'add' }))
    await stores.uploadGrants.remove('a', auditOf({ action: 'remove' }))
    expect(await stores.uploadGrants.remove('a', auditOf({ action: 'again' }))).toBe(false)

    expect(await actions(stores)).toEqual(['add', 'remove'])
    expect(await stores.uploadGrants.find('a')).toBeUndefined()
  })

  test(`${name}: no grant is added to a zone that is not there, nor recorded`, async () => {
    await using stores = await openWithZones(open)
    const grant = grantOf('a', { zone: 'nowhere', path: 'nowhere/v1/a.png' })

    expect(await stores.uploadGrants.add(grant, 10, auditOf({}))).toBe('no such zone')
    expect(await stores.uploadGrants.find('a')).toBeUndefined()
    expect(await actions(stores)).toEqual([])
  })

  test(`${name}: of many grants added at once a zone has no more than it may, expired ones apart`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    await uploadGrants.add(grantOf('old', { expiresAt: at(1) }), 3, auditOf({}))
    await uploadGrants.add(grantOf('other', { zone: 'b', path: 'b/v1/a' }), 3, auditOf({}))
    const added = await Promise.all(
      ['c', 'd', 'e', 'f', 'g'].map((id) =>
        uploadGrants.add(grantOf(id, { createdAt: at(1) }), 3, auditOf({})),
      ),
    )

    expect(added.filter((each) => each === 'added')).toHaveLength(3)
    expect(added.filter((each) => each === 'too many')).toHaveLength(2)
  })

  test(`${name}: grants that are still good are listed page by page, the newest first`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    for (const grant of [
      grantOf('b', { createdAt: at(2), times: 3 }),
      grantOf('a', { createdAt: at(2) }),
      grantOf('first', { createdAt: at(1) }),
      grantOf('over', { expiresAt: at(5) }),
      grantOf('elsewhere', { zone: 'b', path: 'b/v1/a' }),
    ])
      await uploadGrants.add(grant, 10, auditOf({}))
    await uploadGrants.takeUse('b', 'upload-1')
    await uploadGrants.takeUse('b', 'upload-2')
    await uploadGrants.noteStored('upload-2')
    const query = { zones: ['acme'], goodAt: at(5), offset: 0, limit: 2 }
    const { grants, count } = await uploadGrants.list(query)

    expect(grants.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(grants.map(({ openCount, storedCount }) => [openCount, storedCount])).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect(count).toBe(3)
    const idsOf = async (more: object) =>
      (await uploadGrants.list({ ...query, ...more })).grants.map(({ id }) => id)
    expect(await idsOf({ offset: 2 })).toEqual(['first'])
    expect(await idsOf({ zones: undefined, limit: 10 })).toEqual(['a', 'b', 'first', 'elsewhere'])
    expect(await idsOf({ zones: [] })).toEqual([])
  })

  test(`${name}: of many uploads that begin at once no more than the grant allows are granted`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    await uploadGrants.add(grantOf('a', { times: 5 }), 10, auditOf({}))
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, place) => uploadGrants.takeUse('a', `upload-${place}`)),
    )

    expect(taken.filter(Boolean)).toHaveLength(5)
    expect(await uploadGrants.openUses()).toHaveLength(5)
  })

  test(`${name}: one upload is one use, of one grant`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    await uploadGrants.add(grantOf('a'), 10, auditOf({}))
    await uploadGrants.add(grantOf('b'), 10, auditOf({}))

    expect(await uploadGrants.takeUse('a', 'upload')).toBe(true)
    expect(await uploadGrants.takeUse('a', 'upload')).toBe(true)
    expect(await uploadGrants.takeUse('b', 'upload')).toBe(false)
    expect(await uploadGrants.takeUse('none', 'other')).toBe(false)
    expect(await uploadGrants.use('upload')).toEqual({
      uploadId: 'upload',
      grantId: 'a',
      isStored: false,
    })
  })

  test(`${name}: what is given back can be taken again`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    await uploadGrants.add(grantOf('a'), 10, auditOf({}))
    await uploadGrants.takeUse('a', 'first')
    expect(await uploadGrants.takeUse('a', 'second')).toBe(false)
    await uploadGrants.giveBack('first')

    expect(await uploadGrants.takeUse('a', 'second')).toBe(true)
    expect(await uploadGrants.use('first')).toBeUndefined()
  })

  test(`${name}: a use whose file is stored is open no more`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    await uploadGrants.add(grantOf('a', { times: 2 }), 10, auditOf({}))
    await uploadGrants.add(grantOf('b'), 10, auditOf({}))
    await uploadGrants.takeUse('a', 'first')
    await uploadGrants.takeUse('a', 'second')
    await uploadGrants.takeUse('b', 'third')
    await uploadGrants.noteStored('first')
    const openOf = async (grantId?: string) =>
      (await uploadGrants.openUses(grantId)).map(({ uploadId }) => uploadId).toSorted()

    expect(await openOf('a')).toEqual(['second'])
    expect(await openOf()).toEqual(['second', 'third'])
    expect(await uploadGrants.takeUse('a', 'fourth')).toBe(false)
  })

  test(`${name}: a removed zone takes its grants and their uses with it`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    await uploadGrants.add(grantOf('a'), 10, auditOf({}))
    await uploadGrants.add(grantOf('b', { zone: 'b', path: 'b/v1/a' }), 10, auditOf({}))
    await uploadGrants.takeUse('a', 'upload')
    await uploadGrants.takeUse('b', 'other')
    await stores.publications.publish([{ removedZones: ['acme'], feed: [] }])
    // Made again, the zone is another's: no grant of the old one opens it.
    await stores.publications.publish([{ zones: [zoneOf('acme')], feed: [] }])

    expect(await uploadGrants.find('a')).toBeUndefined()
    expect((await uploadGrants.openUses()).map(({ uploadId }) => uploadId)).toEqual(['other'])
  })

  test(`${name}: grants stay where projections are made anew`, async () => {
    await using stores = await openWithZones(open)
    await stores.uploadGrants.add(grantOf('a'), 10, auditOf({}))
    await stores.publications.forgetProjections()

    expect(await stores.uploadGrants.find('a')).toEqual(grantOf('a'))
  })

  test(`${name}: expired grants are forgotten with their uses`, async () => {
    await using stores = await openWithZones(open)
    const { uploadGrants } = stores
    await uploadGrants.add(grantOf('old', { expiresAt: at(4) }), 10, auditOf({}))
    await uploadGrants.add(grantOf('good', { expiresAt: at(5) }), 10, auditOf({}))
    await uploadGrants.takeUse('old', 'upload')

    expect(await uploadGrants.forgetExpired(at(5))).toBe(1)
    expect(await uploadGrants.find('old')).toBeUndefined()
    expect(await uploadGrants.use('upload')).toBeUndefined()
    expect(await uploadGrants.find('good')).toBeDefined()
  })
}

const grantOf = (id: string, given: Partial<UploadGrantRecord> = {}): UploadGrantRecord => ({
  id,
  zone: 'acme',
  path: 'acme/v1/logos/a.png',
  maxBytes: undefined,
  types: undefined,
  origins: undefined,
  metadata: undefined,
  times: 1,
  overwrites: false,
  createdBy: 'access-key',
  grantorMark: undefined,
  createdAt: at(0),
  expiresAt: at(1_000_000),
  ...given,
})

async function openWithZones(open: () => Promise<UploadGrantStores>): Promise<UploadGrantStores> {
  const stores = await open()
  await stores.publications.publish([{ zones: ['acme', 'b'].map(zoneOf), feed: [] }])
  return stores
}

const actions = async ({ audit }: MetadataStores) =>
  (await audit.query({ since: at(0), limit: 100 })).map(({ action }) => action).toReversed()
