import { expect, test } from 'bun:test'

import { contentDigest } from '../../lib/bytes/checksums.ts'
import type { Variant, VariantStore } from './variant-store.ts'

export const contractVariantLimits = { maxBytes: 10_000, maxPerSource: 4 } as const

/** A variant of so many bytes; the same for the same number. */
export function variantSample(number: number, sizeBytes: number, source = 1): Variant {
  const bytes = new Uint8Array(sizeBytes).fill(number)
  return {
    key: String(number).padStart(64, 'a'),
    sourceSha256: String(source).padStart(64, 'b'),
    contentType: 'image/webp',
    bytes,
    digest: contentDigest(bytes),
    notes: number % 2 === 0 ? [] : ['focus-face', 'too-large-for-avif'],
  }
}

/** What every VariantStore must do. `open` makes one with {@link contractVariantLimits}. */
export function variantStoreContract(name: string, open: () => Promise<VariantStore>): void {
  test(`${name}: what is put is answered as it was`, async () => {
    await using store = await open()
    for (const number of [1, 2]) await store.put(variantSample(number, 100))

    for (const number of [1, 2]) {
      const { bytes, ...rest } = variantSample(number, 100)
      const found = await store.get(rest.key)
      expect(found).toMatchObject(rest)
      expect(Buffer.from(found?.bytes ?? []).equals(bytes)).toBe(true)
    }
    expect(await store.get('c'.repeat(64))).toBeUndefined()
    expect(store.sizeBytes).toBe(200)
  })

  test(`${name}: putting under the same key replaces`, async () => {
    await using store = await open()
    await store.put(variantSample(1, 100))
    const other = { ...variantSample(2, 50), key: variantSample(1, 1).key }
    await store.put(other)

    expect(await store.get(other.key)).toMatchObject({ digest: other.digest, notes: [] })
    expect(store.sizeBytes).toBe(50)
  })

  test(`${name}: together they never weigh more than the limit; what was used longest ago goes`, async () => {
    await using store = await open()
    for (const number of [1, 2, 3]) await store.put(variantSample(number, 3000, number))
    await store.get(variantSample(1, 1).key)
    await store.put(variantSample(4, 3000, 4))

    expect(await keysOf(store, [1, 2, 3, 4])).toEqual([1, 3, 4])
    expect(store.sizeBytes).toBeLessThanOrEqual(contractVariantLimits.maxBytes)
  })

  test(`${name}: one source has no more variants than its limit, and others keep theirs`, async () => {
    await using store = await open()
    await store.put(variantSample(99, 10, 2))
    for (const number of [1, 2, 3, 4]) await store.put(variantSample(number, 10))
    await store.get(variantSample(1, 1).key)
    await store.put(variantSample(5, 10))

    expect(await keysOf(store, [1, 2, 3, 4, 5, 99])).toEqual([1, 3, 4, 5, 99])
  })

  test(`${name}: one that is larger than all may be is not kept`, async () => {
    await using store = await open()
    await store.put(variantSample(1, 100))
    await store.put(variantSample(2, 20_000))

    expect(await keysOf(store, [1, 2])).toEqual([1])
  })

  test(`${name}: the variants of a source can be forgotten`, async () => {
    await using store = await open()
    for (const number of [1, 2]) await store.put(variantSample(number, 10))
    await store.put(variantSample(3, 10, 2))
    const sources = [variantSample(1, 1), variantSample(3, 1, 2)].map((each) => each.sourceSha256)
    expect([...store.sources()].toSorted()).toEqual(sources.toSorted())
    await store.removeSource(variantSample(1, 1).sourceSha256)

    expect([...store.sources()]).toEqual(sources.slice(1))
    expect(await keysOf(store, [1, 2, 3])).toEqual([3])
    expect(store.sizeBytes).toBe(10)
  })

  test(`${name}: a variant is forgotten with what was laid over it`, async () => {
    await using store = await open()
    const [logo = '', badge = ''] = ['1', '2'].map((digit) => digit.repeat(64))
    await store.put({ ...variantSample(1, 10), overlaySha256s: [logo] })
    await store.put({ ...variantSample(2, 10, 2), overlaySha256s: [badge, logo] })
    await store.put({ ...variantSample(3, 10, 3), overlaySha256s: [badge] })
    await store.removeSource(logo)

    expect(await keysOf(store, [1, 2, 3])).toEqual([3])
    expect(store.sizeBytes).toBe(10)
  })

  test(`${name}: a local file, where there is one, holds exactly the bytes`, async () => {
    await using store = await open()
    const variant = variantSample(1, 100)
    await store.put(variant)
    const path = await store.path(variant.key)
    if (path !== undefined)
      expect(Buffer.from(await Bun.file(path).bytes()).equals(variant.bytes)).toBe(true)

    expect(await store.path('c'.repeat(64))).toBeUndefined()
  })

  test(`${name}: many puts and gets at once leave it in order`, async () => {
    await using store = await open()
    const numbers = Array.from({ length: 40 }, (_, index) => index)
    await Promise.all(
      numbers.map(async (number) => {
        await store.put(variantSample(number, 900, number % 20))
        await store.get(variantSample((number * 7) % 40, 1).key)
        if (number % 9 === 0)
          await store.removeSource(variantSample(1, 1, number % 20).sourceSha256)
      }),
    )

    expect(store.sizeBytes).toBeLessThanOrEqual(contractVariantLimits.maxBytes)
    let sizeBytes = 0
    for (const number of numbers)
      sizeBytes += (await store.get(variantSample(number, 1).key))?.bytes.length ?? 0
    expect(sizeBytes).toBe(store.sizeBytes)
  })
}

async function keysOf(store: VariantStore, numbers: readonly number[]): Promise<number[]> {
  const kept: number[] = []
  for (const number of numbers) if (await store.get(variantSample(number, 1).key)) kept.push(number)
  return kept
}
