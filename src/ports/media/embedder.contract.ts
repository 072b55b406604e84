import { expect, test } from 'bun:test'

import { type Embedder, EmbedderUnavailableError } from './embedder.ts'

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * (b[place] ?? Number.NaN), 0)

/** What every Embedder must do. The test of each adapter calls this once. */
export function embedderContract(name: string, open: () => Promise<Embedder>): void {
  test(`${name}: a text has one vector of length 1, and another text another`, async () => {
    await using embedder = await open()
    const [first, second, other] = [
      await embedder.embed('settings cog', 'now'),
      await embedder.embed('settings cog', 'background'),
      await embedder.embed('sleeping giraffe', 'now'),
    ]
    expect(other.length).toBe(first.length)
    expect(dot(first, first)).toBeCloseTo(1, 4)
    expect(second).toEqual(first)
    expect(dot(first, other)).toBeLessThan(0.9)
    expect(embedder.isReady).toBe(true)
  })

  test(`${name}: it names its model and engine, and knows its own vectors`, async () => {
    await using embedder = await open()
    const space = await embedder.space()
    expect(space).not.toBe('')
    expect(await embedder.space()).toBe(space)
    expect(embedder.isLike(space)).toBe(true)
    expect(embedder.isLike('some other model')).toBe(false)
  })

  test(`${name}: any text has a vector`, async () => {
    await using embedder = await open()
    for (const text of [
      '',
      '\u0000\u0007\n',
      'word '.repeat(2_000),
      '齿轮 設定',
      '(a+)+$',
      '\ud800',
    ])
      expect(dot(await embedder.embed(text, 'now'), await embedder.embed(text, 'now'))).toBeCloseTo(
        1,
        4,
      )
  })

  test(`${name}: many texts at once each get their own vector`, async () => {
    await using embedder = await open()
    const texts = ['house', 'tree', 'river', 'cloud']
    const together = await Promise.all(texts.map((text) => embedder.embed(text, 'background')))
    for (const [place, text] of texts.entries())
      expect(together[place]).toEqual(await embedder.embed(text, 'now'))
  })

  test(`${name}: what is closed says that it is not available`, async () => {
    const embedder = await open()
    const waiting = embedder.embed('house', 'background').catch((error: unknown) => error)
    await embedder[Symbol.asyncDispose]()
    await waiting
    const after = await embedder.embed('tree', 'now').catch((error: unknown) => error)
    expect(after).toBeInstanceOf(EmbedderUnavailableError)
    expect(embedder.isReady).toBe(false)
    await embedder
      .space()
      .catch((error: unknown) => expect(error).toBeInstanceOf(EmbedderUnavailableError))
    embedder.warmUp()
  })
}
