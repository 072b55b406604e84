import { expect, test } from 'bun:test'

import type { ErasurePlace, ErasureRecord } from '../records/erasure.ts'
import type { ErasureStore } from './erasure-store.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds))

const placeOf = (name: string, state: ErasurePlace['state'] = 'waiting'): ErasurePlace => ({
  name,
  state,
  at: at(0),
  detail: '',
})

const erasureOf = (id: string, seconds = 0): ErasureRecord => ({
  id,
  path: 'acme/v1/portraits/ada.jpg',
  blobs: [
    { sha256: 'a'.repeat(64), sizeBytes: 7 },
    { sha256: 'b'.repeat(64), sizeBytes: 0 },
  ],
  reason: 'Asked for by the person shown',
  createdAt: at(seconds),
  doneAt: undefined,
  createdBy: 'account-key',
  paths: ['acme/v1/portraits/ada.jpg'],
  commits: undefined,
  feedSeq: undefined,
  places: [placeOf('blobs'), placeOf('repository')],
})

/** What every ErasureStore must do. The test of each adapter calls this once. */
export function erasureStoreContract(
  name: string,
  open: () => Promise<ErasureStore & Partial<AsyncDisposable>>,
): void {
  const contract = (what: string, run: (store: ErasureStore) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const store = await open()
      try {
        await run(store)
      } finally {
        await store[Symbol.asyncDispose]?.()
      }
    })

  contract('an erasure comes back as it was given', async (store) => {
    const bare = { ...erasureOf('2', 1), path: undefined, paths: [], places: [] }
    await store.add(erasureOf('1'))
    await store.add(bare)
    expect(await store.find('1')).toEqual(erasureOf('1'))
    expect(await store.find('2')).toEqual(bare)
    expect(await store.find('3')).toBeUndefined()
  })

  contract('erasures are listed newest first, a page at a time', async (store) => {
    for (const [place, id] of ['b', 'a', 'c'].entries()) await store.add(erasureOf(id, place))
    const idsOf = async (page: Parameters<ErasureStore['list']>[0]) =>
      (await store.list(page)).map(({ id }) => id)

    expect(await idsOf({ limit: 2 })).toEqual(['c', 'a'])
    expect(await idsOf({ limit: 2, before: 'a' })).toEqual(['b'])
    expect(await idsOf({ limit: 2, before: 'unknown' })).toEqual([])
  })

  contract('a place that is noted takes the stead of the one of its name', async (store) => {
    await store.add(erasureOf('1'))
    await store.note('1', [placeOf('blobs', 'confirmed'), placeOf('edge:fra')])
    await store.learn('1', { commits: 7 })
    await store.learn('1', { feedSeq: 3 })
    expect(await store.find('1')).toEqual({
      ...erasureOf('1'),
      commits: 7,
      feedSeq: 3,
      places: [placeOf('blobs', 'confirmed'), placeOf('repository'), placeOf('edge:fra')],
    })
  })

  contract('places that are noted at the same time are all kept', async (store) => {
    await store.add({ ...erasureOf('1'), places: [] })
    const names = Array.from({ length: 10 }, (_, place) => `edge:${place}`)
    await Promise.all(names.map((each) => store.note('1', [placeOf(each)])))
    const found = await store.find('1')
    expect(found?.places.map((place) => place.name).toSorted()).toEqual(names)
  })

  contract('what is reopened is open again', async (store) => {
    await store.add(erasureOf('1'))
    await store.note('1', [placeOf('blobs', 'confirmed'), placeOf('repository', 'confirmed')])
    await store.finish('1', at(9))
    await store.reopen('1', [placeOf('repository')])
    const expected = {
      ...erasureOf('1'),
      places: [placeOf('blobs', 'confirmed'), placeOf('repository')],
    }
    expect(await store.open()).toEqual([expected])
  })

  contract('what is not finished is open', async (store) => {
    await store.add(erasureOf('1'))
    await store.add(erasureOf('2', 1))
    await store.finish('1', at(9))
    expect((await store.open()).map(({ id }) => id)).toEqual(['2'])
    expect((await store.find('1'))?.doneAt).toEqual(at(9))
  })
}
