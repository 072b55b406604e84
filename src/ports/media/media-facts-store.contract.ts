import { expect, test } from 'bun:test'

import type { AnalysedFacts, MediaFactsStore } from './media-facts-store.ts'
import type { ImageHeader } from './renderer.ts'

export const headerSample: ImageHeader = {
  format: 'png',
  width: 40,
  height: 30,
  frames: 1,
  hasAlpha: false,
  isProgressive: false,
  isSrgb: true,
}
export const analysisSample: AnalysedFacts = {
  isGraphic: true,
  thumbHash: 'AAAA',
  colors: [{ hex: '#ff0000', name: 'vivid red', share: 0.75 }],
  faces: [{ left: 0.1, top: 0.2, width: 0.3, height: 0.4, score: 0.9 }],
  saliency: { point: { x: 0.25, y: 0.75 }, box: { left: 0, top: 0.5, width: 0.5, height: 0.5 } },
  mips: [{ width: 20, height: 15, key: 'b'.repeat(64), channels: 4 }],
}
const sha256 = 'a'.repeat(64)
const plain = { sha256, header: headerSample, analysis: undefined }

/** What every MediaFactsStore must do. The test of each adapter calls this once. */
export function mediaFactsStoreContract(
  name: string,
  open: () => Promise<MediaFactsStore & Partial<AsyncDisposable>>,
): void {
  const withStore = (what: string, check: (store: MediaFactsStore) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const store = await open()
      await check(store)
      await store[Symbol.asyncDispose]?.()
    })

  withStore('what is not known is absent', async (store) => {
    expect(await store.find(sha256)).toBeUndefined()
  })

  withStore('many are found at once, and those that are not known are left out', async (store) => {
    const others = ['b', 'c'].map((digit) => digit.repeat(64))
    await store.save(plain)
    await store.save({ sha256: others[0] ?? '', header: headerSample, analysis: analysisSample })
    const found = await store.findAll([sha256, ...others])

    expect([...found.keys()].toSorted()).toEqual([sha256, others[0] ?? ''])
    for (const [known, facts] of found) expect(facts).toEqual((await store.find(known)) as never)
    expect((await store.findAll([])).size).toBe(0)
  })

  withStore('what is saved is found as it was, and saving again replaces it', async (store) => {
    await store.save(plain)
    expect(await store.find(sha256)).toEqual({ ...plain, text: undefined })

    await store.save({ sha256, header: headerSample, analysis: analysisSample })
    expect(await store.find(sha256)).toEqual({
      sha256,
      header: headerSample,
      analysis: analysisSample,
      text: undefined,
    })
  })

  withStore('what is written in a picture stays when it is looked at again', async (store) => {
    expect(await store.setText(sha256, 'Summer')).toBe(false)
    await store.save(plain)
    for (const text of ['Summer “Sale” ☀', '']) {
      expect(await store.setText(sha256, text)).toBe(true)
      await store.save({ sha256, header: headerSample, analysis: analysisSample })
      expect((await store.find(sha256))?.text).toBe(text)
    }
  })

  withStore('what stands for an image stays when all of it is looked at', async (store) => {
    const { thumbHash, colors } = analysisSample
    const summary = { thumbHash, colors }
    expect(await store.setSummary(sha256, summary)).toBe(false)
    expect(await store.find(sha256)).toBeUndefined()

    await store.save(plain)
    expect(await store.setSummary(sha256, summary)).toBe(true)
    expect(await store.find(sha256)).toEqual({ ...plain, summary, text: undefined })
    await store.save({ sha256, header: headerSample, analysis: analysisSample })
    const whole = {
      sha256,
      header: headerSample,
      summary,
      analysis: analysisSample,
      text: undefined,
    }
    expect(await store.find(sha256)).toEqual(whole)
    expect((await store.findAll([sha256])).get(sha256)).toEqual(whole)
  })

  withStore('what can be found again can be forgotten, and the rest stays', async (store) => {
    await store.save({ sha256, header: headerSample, analysis: analysisSample })
    await store.setText(sha256, 'Summer')
    await store.setSummary(sha256, { thumbHash: 'AAAA', colors: [] })
    await store.forgetFound()

    expect(await store.find(sha256)).toEqual({ ...plain, text: undefined })
  })

  withStore('what is removed is gone, its text too', async (store) => {
    await store.save(plain)
    await store.setText(sha256, 'Summer')
    await store.remove(sha256)
    expect(await store.find(sha256)).toBeUndefined()

    await store.save(plain)
    expect((await store.find(sha256))?.text).toBeUndefined()
    await store.remove('f'.repeat(64))
  })

  withStore('with a file all stills of it are forgotten, and those of no other', async (store) => {
    const other = `${'b'.repeat(64)}-p2`
    for (const each of [sha256, `${sha256}-p2`, `${sha256}-t1.5`, other])
      await store.save({ ...plain, sha256: each })
    await store.remove(sha256)

    for (const each of [sha256, `${sha256}-p2`, `${sha256}-t1.5`])
      expect(await store.find(each)).toBeUndefined()
    expect(await store.find(other)).toBeDefined()
  })

  withStore('what images look like is found of several at once', async (store) => {
    const [other, unknown] = ['f'.repeat(64), '0'.repeat(64)]
    const likeness = '0123456789abcdef'.repeat(2)
    expect(await store.likenesses([])).toEqual(new Map())
    await store.save({ sha256, header: headerSample, analysis: { ...analysisSample, likeness } })
    await store.save({
      sha256: other,
      header: headerSample,
      analysis: { ...analysisSample, likeness: '' },
    })
    const all = [sha256, other, unknown]
    expect(await store.likenesses(all)).toEqual(
      new Map([
        [sha256, likeness],
        [other, ''],
      ]),
    )

    await store.remove(other)
    expect(await store.likenesses(all)).toEqual(new Map([[sha256, likeness]]))
    await store.forgetFound()
    expect(await store.likenesses(all)).toEqual(new Map())
    await store.save({ sha256, header: headerSample, analysis: { ...analysisSample, likeness } })
    await store.removeAll()
    expect(await store.likenesses(all)).toEqual(new Map())
  })

  withStore('all can be forgotten at once', async (store) => {
    const other = 'f'.repeat(64)
    await store.save(plain)
    await store.save({ ...plain, sha256: other })
    await store.removeAll()
    expect([await store.find(sha256), await store.find(other)]).toEqual([undefined, undefined])
  })
}
