import { expect, test } from 'bun:test'

import type { SightingStore } from './sighting-store.ts'
import type { Safety } from '../records/vision/sighting.ts'

type OpenStore = SightingStore & AsyncDisposable

const sha256 = (digit: string): string => digit.repeat(64)
const seenAt = new Date('2026-03-01T12:00:00Z')
const kept = (safety: Safety) => ({
  seenAt,
  sighting: { alt: { en: 'A leaf – “green”' }, tags: ['leaf'], text: 'SALE', safety },
})

/** What every SightingStore must do. The test of each adapter calls this once. */
export function sightingStoreContract(name: string, open: () => Promise<OpenStore>): void {
  test(`${name}: what was seen is kept by its bytes, and so is that nothing came of it`, async () => {
    await using store = await open()
    await store.save(sha256('a'), { seenAt, sighting: undefined })
    await store.save(sha256('a'), kept('safe'))
    await store.save(sha256('b'), { seenAt, sighting: undefined })

    expect(await store.find(sha256('a'))).toEqual(kept('safe'))
    expect(await store.find(sha256('b'))).toEqual({ seenAt, sighting: undefined })
    expect(await store.find(sha256('c'))).toBeUndefined()
  })

  test(`${name}: it is counted from a moment on, that moment too`, async () => {
    await using store = await open()
    await store.save(sha256('a'), { ...kept('safe'), seenAt: new Date(seenAt.getTime() - 1) })
    await store.save(sha256('b'), kept('safe'))

    expect(await store.countSince(seenAt)).toBe(1)
    expect(await store.countSince(new Date(0))).toBe(2)
  })

  test(`${name}: what is not safe is found without its bytes`, async () => {
    await using store = await open()
    await store.save(sha256('a'), kept('safe'))
    await store.save(sha256('b'), kept('borderline'))
    await store.save(sha256('c'), kept('unsafe'))
    await store.save(sha256('d'), { seenAt, sighting: undefined })

    expect(await store.flagged()).toEqual(
      new Map([
        [sha256('b'), 'borderline'],
        [sha256('c'), 'unsafe'],
      ]),
    )
  })

  test(`${name}: what is settled holds for a path with its bytes, until they are forgotten`, async () => {
    await using store = await open()
    const path = 'acme/v1/a.png'
    await store.settle({ path, sha256: sha256('a'), members: ['alt'] })
    await store.settle({ path, sha256: sha256('a'), members: ['alt', 'tags'] })
    await store.save(sha256('a'), kept('unsafe'))

    expect(await store.settled(path, sha256('a'))).toEqual(['alt', 'tags'])
    expect(await store.settled(path, sha256('b'))).toEqual([])
    expect(await store.settled('acme/v1/b.png', sha256('a'))).toEqual([])
    await store.remove(sha256('a'))
    await store.remove(sha256('a'))
    expect(await store.settled(path, sha256('a'))).toEqual([])
    expect(await store.find(sha256('a'))).toBeUndefined()
    expect(await store.flagged()).toEqual(new Map())
  })
}
