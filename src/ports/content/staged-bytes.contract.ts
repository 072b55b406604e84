import { expect, test } from 'bun:test'

import { patternOf } from './blob-store.contract.ts'
import type { BlobStore } from './blob-store.ts'
import type { StagedBytes } from './staged-bytes.ts'

export interface OpenedStagedBytes extends AsyncDisposable {
  readonly staged: StagedBytes
  readonly blobs: BlobStore
  /** The same bytes as a process finds them that starts after this one was killed. */
  reopen(): Promise<StagedBytes>
}

/** What every StagedBytes must do. The test of each adapter calls this once. */
export function stagedBytesContract(name: string, open: () => Promise<OpenedStagedBytes>): void {
  for (const pieces of [[1], [10, 1, 300_000], [262_144, 262_144], [3_000_000, 5]])
    test(`${name}: pieces of ${pieces.join(', ')} bytes become one blob, hashed`, async () => {
      await using opened = await open()
      const { staged, blobs } = opened
      const all = patternOf(pieces.reduce((sum, each) => sum + each))
      let offset = 0
      for (const sizeBytes of pieces) {
        const source = inChunks(all.subarray(offset, offset + sizeBytes), 70_000)
        const length = await staged.append('a', { offset, source })
        expect(length).toBe(offset + sizeBytes)
        offset = length
        expect(await staged.size('a')).toBe(offset)
      }
      expect(Buffer.compare(await staged.first('a', 5), all.subarray(0, 5))).toBe(0)
      await using incoming = await staged.finish('a')

      expect(incoming).toMatchObject({ sha256: sha256Of(all), sizeBytes: all.length })
      await incoming?.keep()
      expect(await blobs.isIntact(sha256Of(all))).toBe(true)
      expect(await staged.size('a')).toBe(0)
      expect(await staged.finish('a')).toBeUndefined()
    })

  test(`${name}: what was acknowledged outlives the process, and goes on there`, async () => {
    await using opened = await open()
    const all = patternOf(400_000)
    await put(opened.staged, all.subarray(0, 300_000))
    const staged = await opened.reopen()
    expect(await staged.size('a')).toBe(300_000)
    await staged.append('a', { offset: 300_000, source: inChunks(all.subarray(300_000), 1000) })
    await using incoming = await staged.finish('a')

    expect(incoming?.sha256).toBe(sha256Of(all))
    await incoming?.keep()
    expect(await opened.blobs.isIntact(sha256Of(all))).toBe(true)
  })

  test(`${name}: what came before a source failed stays, and the failure is the source's own`, async () => {
    await using opened = await open()
    const broken = new Error('the line went dead')
    const all = patternOf(1_000_000)
    const source = failing(inChunks(all.subarray(0, 700_000), 50_000), broken)
    expect(await failureOf(opened.staged.append('a', { offset: 0, source }))).toBe(broken)

    expect(await opened.staged.size('a')).toBe(700_000)
    await opened.staged.append('a', { offset: 700_000, source: inChunks(all.subarray(700_000), 9) })
    await using incoming = await opened.staged.finish('a')
    expect(incoming?.sha256).toBe(sha256Of(all))
  })

  test(`${name}: nothing of a piece stays that is not accepted, or breaks off before it could be`, async () => {
    await using opened = await open()
    const { staged } = opened
    const all = patternOf(600_000)
    await put(staged, all.subarray(0, 100))
    const more = { offset: 100, source: inChunks(all.subarray(100), 80_000) }
    expect(await staged.append('a', { ...more, accept: () => false })).toBe(100)
    const source = failing(inChunks(all.subarray(100), 80_000), new Error('broken'))
    await failureOf(staged.append('a', { offset: 100, source, accept: () => true }))
    expect(await staged.size('a')).toBe(100)
    expect(await (await opened.reopen()).size('a')).toBe(100)

    const again = { offset: 100, source: inChunks(all.subarray(100), 80_000) }
    expect(await staged.append('a', { ...again, accept: () => true })).toBe(600_000)
    await using incoming = await staged.finish('a')
    expect(incoming?.sha256).toBe(sha256Of(all))
  })

  test(`${name}: a piece that does not begin where the bytes end is an error`, async () => {
    await using opened = await open()
    await put(opened.staged, patternOf(10))

    for (const offset of [0, 9, 11])
      expect(
        await failureOf(opened.staged.append('a', { offset, source: inChunks(patternOf(5), 5) })),
      ).toBeInstanceOf(Error)
    expect(await opened.staged.size('a')).toBe(10)
  })

  test(`${name}: a source may use its array again`, async () => {
    await using opened = await open()
    const one = new Uint8Array(1000)
    async function* source() {
      for (let value = 0; value < 300; value += 1) yield one.fill(value)
    }
    await opened.staged.append('a', { offset: 0, source: source() })
    await using incoming = await opened.staged.finish('a')

    const wanted = Uint8Array.from({ length: 300_000 }, (_, place) => Math.floor(place / 1000))
    expect(incoming?.sha256).toBe(sha256Of(wanted))
  })

  test(`${name}: what is finished and not kept stays, and can be finished again`, async () => {
    await using opened = await open()
    await put(opened.staged, patternOf(1000))
    await (await opened.staged.finish('a'))?.[Symbol.asyncDispose]()

    expect(await opened.staged.size('a')).toBe(1000)
    await using incoming = await opened.staged.finish('a')
    expect(incoming?.sha256).toBe(sha256Of(patternOf(1000)))
  })

  test(`${name}: bytes that the blob store has already are its own once more, and staged no longer`, async () => {
    await using opened = await open()
    for (let time = 0; time < 2; time += 1) {
      await put(opened.staged, patternOf(1000))
      await using incoming = await opened.staged.finish('a')
      await incoming?.keepLazily()
    }

    expect(await opened.staged.size('a')).toBe(0)
    expect(await opened.blobs.isIntact(sha256Of(patternOf(1000)))).toBe(true)
  })

  for (const sizes of [[5], [1000, 1], [300_000, 9_000_000, 262_144, 7]])
    test(`${name}: ${sizes.join(', ')} bytes of several ids are joined in the order that is asked for`, async () => {
      await using opened = await open()
      const { staged, blobs } = opened
      const all = patternOf(sizes.reduce((sum, each) => sum + each))
      const ids = sizes.map((_, index) => `part-${index}`)
      let offset = all.length
      for (const [index, size] of [...sizes.entries()].toReversed()) {
        offset -= size
        const source = inChunks(all.subarray(offset, offset + size), 70_000)
        const piece = { offset: 0, source, isLaterPart: index > 0 }
        await staged.append(`part-${index}`, piece)
      }
      await using alone = await staged.finish(`part-${sizes.length - 1}`)
      expect(alone?.sha256).toBe(sha256Of(all.subarray(all.length - (sizes.at(-1) ?? 0))))
      await (await staged.join(ids))?.[Symbol.asyncDispose]()
      expect(await Promise.all(ids.map((id) => staged.size(id)))).toEqual(sizes)
      const reopened = await opened.reopen()
      await using incoming = await reopened.join(ids)

      expect(incoming).toMatchObject({ sha256: sha256Of(all), sizeBytes: all.length })
      await incoming?.keep()
      expect(await blobs.isIntact(sha256Of(all))).toBe(true)
      for (const id of ids) await reopened.drop(id)
      expect(await Array.fromAsync(reopened.list())).toEqual([])
    })

  test(`${name}: what is joined in another order is another whole, and nothing is joined with nothing`, async () => {
    await using opened = await open()
    const { staged } = opened
    for (const [id, text] of [
      ['a', 'first'],
      ['b', 'second'],
    ] as const)
      await staged.append(id, { offset: 0, source: inChunks(Buffer.from(text), 3) })
    expect(await staged.join(['a', 'nothing'])).toBeUndefined()
    await (await staged.join(['a', 'b']))?.[Symbol.asyncDispose]()
    await using incoming = await staged.join(['b', 'a'])
    expect(incoming?.sha256).toBe(sha256Of(Buffer.from('secondfirst')))
    await incoming?.keep()
    expect(await opened.blobs.isIntact(sha256Of(Buffer.from('secondfirst')))).toBe(true)
  })

  test(`${name}: later parts alone are joined as well, and stay as they were until that is kept`, async () => {
    await using opened = await open()
    const texts = ['second', 'third', 'fourth']
    for (const text of texts) {
      const source = inChunks(Buffer.from(text), 4)
      await opened.staged.append(text, { offset: 0, source, isLaterPart: true })
    }
    await (await opened.staged.join(texts))?.[Symbol.asyncDispose]()
    const staged = await opened.reopen()
    expect(await Promise.all(texts.map((id) => staged.size(id)))).toEqual([6, 5, 6])
    await using incoming = await staged.join(texts.slice(0, 2))
    expect(incoming?.sha256).toBe(sha256Of(Buffer.from('secondthird')))
    await incoming?.keep()
    for (const id of texts) await staged.drop(id)
    expect(await Array.fromAsync(staged.list())).toEqual([])
  })

  test(`${name}: each id has its own bytes, all are listed, and what is dropped is gone`, async () => {
    await using opened = await open()
    const { staged } = opened
    for (const [id, count] of [
      ['a', 10],
      ['b-2', 20],
      ['c', 30],
    ] as const)
      await staged.append(id, { offset: 0, source: inChunks(patternOf(count), 7) })
    await staged.drop('a')
    await staged.drop('nobody')

    const listed = await Array.fromAsync((await opened.reopen()).list())
    expect(listed.toSorted((a, b) => a.sizeBytes - b.sizeBytes)).toEqual([
      { id: 'b-2', sizeBytes: 20 },
      { id: 'c', sizeBytes: 30 },
    ])
    expect(await staged.size('a')).toBe(0)
    expect(await staged.finish('nobody')).toBeUndefined()
  })
}

const put = (staged: StagedBytes, bytes: Uint8Array) =>
  staged.append('a', { offset: 0, source: inChunks(bytes, 100_000) })

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let place = 0; place < bytes.length; place += size) yield bytes.subarray(place, place + size)
}

async function* failing(source: AsyncIterable<Uint8Array>, failure: Error) {
  yield* source
  throw failure
}

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const sha256Of = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
