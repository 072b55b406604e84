import { expect, test } from 'bun:test'

import type { VectorStore } from './vector-store.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

/** What every VectorStore must do. The test of each adapter calls this once. */
export function vectorStoreContract(
  name: string,
  open: () => Promise<VectorStore & Partial<AsyncDisposable>>,
): void {
  const withStore = (what: string, check: (store: VectorStore) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const store = await open()
      await check(store)
      await store[Symbol.asyncDispose]?.()
    })

  withStore('what is saved is found as it was, and what is not is absent', async (store) => {
    await store.save('one', new Map([['a', bytes(1, 0, 255)]]))
    expect([...(await store.find('one', ['a', 'b']))]).toEqual([['a', bytes(1, 0, 255)]])
    expect((await store.find('two', ['a'])).size).toBe(0)
    expect((await store.find('one', [])).size).toBe(0)
  })

  withStore('saving again replaces, and spaces are apart', async (store) => {
    await store.save('one', new Map([['a', bytes(1)]]))
    await store.save('two', new Map([['a', bytes(2)]]))
    await store.save('one', new Map([['a', bytes(3)]]))
    expect((await store.find('one', ['a'])).get('a')).toEqual(bytes(3))
    expect((await store.find('two', ['a'])).get('a')).toEqual(bytes(2))
  })

  withStore('a store that is empty has no spaces', async (store) => {
    expect(await store.spaces()).toEqual([])
  })

  withStore('any number is saved and asked for', async (store) => {
    const keys = Array.from({ length: 2_500 }, (_, place) => `key-${place}`)
    await store.save('one', new Map(keys.map((key, place) => [key, bytes(place % 256)])))
    const found = await store.find('one', keys)
    expect(found.size).toBe(2_500)
    expect(found.get('key-300')).toEqual(bytes(44))
  })

  withStore('other spaces can be forgotten', async (store) => {
    await store.save('one', new Map([['a', bytes(1)]]))
    await store.save('two', new Map([['a', bytes(2)]]))
    expect((await store.spaces()).toSorted()).toEqual(['one', 'two'])
    await store.forgetOthers('two')
    expect(await store.spaces()).toEqual(['two'])
    expect((await store.find('one', ['a'])).size).toBe(0)
    expect((await store.find('two', ['a'])).size).toBe(1)
  })
}
