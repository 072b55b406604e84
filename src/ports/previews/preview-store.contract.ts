import { expect, test } from 'bun:test'

import type { PreviewRecord } from '../records/preview.ts'
import type { PreviewNotice, PreviewStore } from './preview-store.ts'
import {
  at,
  auditOf,
  entry,
  type MetadataStores,
  zoneOf,
} from '../content/publication-store.contract.ts'

export interface PreviewStores extends MetadataStores {
  readonly previews: PreviewStore
}

/** What every PreviewStore must do. The test of each adapter calls this once. */
export function previewStoreContract(name: string, open: () => Promise<PreviewStores>): void {
  const openWith = async (...zones: readonly string[]) => {
    const stores = await open()
    await stores.publications.publish([{ zones: zones.map((each) => zoneOf(each)), feed: [] }])
    return stores
  }

  test(`${name}: an added preview is listed as it was given, by zone and name`, async () => {
    await using stores = await openWith('acme', 'acme-b', 'bolt')
    const own = previewAt('acme', 'own', { hasOwnExpiry: true, isSigned: true })
    const others = ['b', 'a-b', 'a'].map((each) => previewAt('acme', each))
    for (const preview of [previewAt('acme-b', 'x'), own, ...others])
      await stores.previews.add(preview, notice('add'))

    const listed = await stores.previews.list()
    expect(listed.map((each) => [each.zone, each.name])).toEqual([
      ['acme', 'a'],
      ['acme', 'a-b'],
      ['acme', 'b'],
      ['acme', 'own'],
      ['acme-b', 'x'],
    ])
    expect(listed).toContainEqual(own)
    expect(await stores.previews.ofZones(['acme-b', 'bolt'])).toEqual([previewAt('acme-b', 'x')])
    expect(await stores.previews.ofZones([])).toEqual([])
  })

  test(`${name}: a name of a zone is the first one's that asks, also of many at once`, async () => {
    await using stores = await openWith('acme', 'bolt')
    const answers = await Promise.all(
      ['acme', 'bolt', 'acme'].map((zone, place) =>
        stores.previews.add(previewAt(zone, 'x', { createdBy: `${place}` }), notice(zone)),
      ),
    )

    expect(answers.map((answer) => answer?.path)).toEqual(['acme', 'bolt', undefined])
    expect(await actions(stores)).toEqual(['acme', 'bolt'])
  })

  test(`${name}: a zone that is not there has none`, async () => {
    await using stores = await openWith()

    expect(await stores.previews.add(previewAt('acme', 'x'), notice('add'))).toBeUndefined()
    expect(await stores.previews.list()).toEqual([])
  })

  test(`${name}: each change is answered with its feed entry and leaves its audit records`, async () => {
    await using stores = await openWith('acme')
    const preview = previewAt('acme', 'x')
    const changed = { ...preview, headCommitId: 'c2', changedAt: at(5), expiresAt: at(50) }
    const entries = [
      await stores.previews.add(preview, notice('add')),
      await stores.previews.replace({ ...changed, createdBy: 'other' }, notice('replace')),
    ]
    expect(await stores.previews.list()).toEqual([changed])
    entries.push(await stores.previews.remove(changed, notice('remove')))

    expect(entries.map((each) => each?.seq)).toEqual([1, 2, 3])
    expect(await stores.publications.feedAfter(0, 10)).toEqual(entries.filter((each) => !!each))
    expect(await actions(stores)).toEqual(['add', 'replace', 'remove'])
    expect(await stores.previews.list()).toEqual([])
  })

  test(`${name}: where its packs are is kept until something else is said`, async () => {
    await using stores = await openWith('acme')
    const preview = previewAt('acme', 'x')
    const packs = [{ sha256: 'a'.repeat(64), sizeBytes: 7 }]
    await stores.previews.add(preview, notice('add'))
    expect(await stores.previews.packs()).toEqual([
      { zone: 'acme', name: 'x', headCommitId: 'c1', packs: [] },
    ])
    const moved = { ...preview, headCommitId: 'c2' }
    await stores.previews.replace(moved, { ...notice('replace'), packs })
    await stores.previews.replace({ ...moved, isSigned: true }, notice('replace'))

    expect(await stores.previews.packs()).toEqual([
      { zone: 'acme', name: 'x', headCommitId: 'c2', packs },
    ])
  })

  test(`${name}: a later preview of the same name is another one`, async () => {
    await using stores = await openWith('acme')
    const former = previewAt('acme', 'x')
    const later = previewAt('acme', 'x', { createdAt: at(9) })
    await stores.previews.add(later, notice('add'))

    expect(await stores.previews.replace(former, notice('replace'))).toBeUndefined()
    expect(await stores.previews.remove(former, notice('remove'))).toBeUndefined()
    expect(await stores.previews.list()).toEqual([later])
    expect((await stores.publications.position()).seq).toBe(1)
  })

  test(`${name}: a removed zone takes its previews with it`, async () => {
    await using stores = await openWith('acme', 'acme-b')
    for (const zone of ['acme', 'acme-b'])
      await stores.previews.add(previewAt(zone, 'x'), notice('add'))
    await stores.publications.publish([{ removedZones: ['acme'], feed: [] }])

    expect(await stores.previews.list()).toEqual([previewAt('acme-b', 'x')])
  })
}

export const previewAt = (
  zone: string,
  name: string,
  given: Partial<PreviewRecord> = {},
): PreviewRecord => ({
  zone,
  name,
  baseCommitId: 'c1',
  headCommitId: 'c1',
  createdAt: at(1),
  changedAt: at(1),
  expiresAt: at(40),
  hasOwnExpiry: false,
  isSigned: false,
  createdBy: 'account-key',
  ...given,
})

const notice = (action: string): PreviewNotice => ({
  audit: [auditOf({ action })],
  feed: { ...entry(action), event: 'preview.updated', commitId: undefined },
})

const actions = async (stores: MetadataStores) =>
  (await stores.audit.query({ since: at(0), limit: 100 })).map(({ action }) => action).toReversed()
