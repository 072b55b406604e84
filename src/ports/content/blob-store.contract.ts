import { expect, test } from 'bun:test'

import type { BlobStore } from './blob-store.ts'

interface Options {
  readonly now?: () => Date
}

interface Traits {
  /** Whether a server says when bytes were kept, to the second, whatever `now` says. */
  readonly hasOwnClock?: boolean
}

/** What every BlobStore must do. The test of each adapter calls this once. */
export function blobStoreContract(
  name: string,
  open: (options?: Options) => Promise<BlobStore>,
  { hasOwnClock = false }: Traits = {},
): void {
  for (const sizeBytes of [0, 1, 65_535, 65_536, 65_537, 1_000_000])
    test(`${name}: ${sizeBytes} bytes are counted, hashed and given back, streamed or not`, async () => {
      await using store = await open()
      const bytes = patternOf(sizeBytes)
      for (const source of [bytes, streamOf(bytes, 1000), streamOf(bytes, 100_000)]) {
        await using incoming = await store.receive(source)
        expect(incoming).toMatchObject({ sha256: sha256Of(bytes), sizeBytes })
        expect(await incoming.keep()).toEqual({ sha256: sha256Of(bytes), sizeBytes })
      }

      expect(await store.stat(sha256Of(bytes))).toEqual({ sha256: sha256Of(bytes), sizeBytes })
      expect(Buffer.compare((await store.read(sha256Of(bytes))) ?? bytes, bytes)).toBe(0)
      expect((await store.open(sha256Of(bytes)))?.size).toBe(sizeBytes)
    })

  test(`${name}: what is read at once is all the bytes of a blob of that size, or nothing`, async () => {
    await using store = await open()
    const bytes = patternOf(10_000)
    const readOf = (sizeBytes: number) => {
      const into = new Uint8Array(sizeBytes)
      return store.readAtOnce?.(sha256Of(bytes), into) === true ? into : undefined
    }
    expect(readOf(10_000)).toBeUndefined()
    await using incoming = await store.receive(bytes)
    expect(readOf(10_000)).toBeUndefined()
    await incoming.keepLazily()
    expect(readOf(10_000) ?? bytes).toEqual(bytes)
    await store.flush(sha256Of(bytes))
    await store.read(sha256Of(bytes))
    expect(readOf(10_000) ?? bytes).toEqual(bytes)
    expect([readOf(9_999), readOf(10_001)]).toEqual([undefined, undefined])
    expect(store.readAtOnce?.('../hi', new Uint8Array(1)) ?? false).toBeFalse()
    await store.remove(sha256Of(bytes))
    expect(readOf(10_000)).toBeUndefined()
  })

  test(`${name}: nobody finds bytes before they are kept`, async () => {
    await using store = await open()
    await using incoming = await store.receive(text('hi'))

    expect(await store.stat(incoming.sha256)).toBeUndefined()
    expect(await listed(store)).toEqual([])
  })

  test(`${name}: what is not kept is gone once it is disposed, and cannot be kept any more`, async () => {
    await using store = await open()
    const incoming = await store.receive(text('hi'))
    await incoming[Symbol.asyncDispose]()

    expect(await failureOf(incoming.keep())).toMatchObject({
      message: expect.stringContaining('disposed'),
    })
    expect(await store.stat(incoming.sha256)).toBeUndefined()
  })

  test(`${name}: what is kept outlives the disposal, and keeping twice is as keeping once`, async () => {
    await using store = await open()
    const incoming = await store.receive(text('hi'))
    await Promise.all([incoming.keep(), incoming.keep()])
    await incoming[Symbol.asyncDispose]()

    expect(await contentOf(store, incoming.sha256)).toBe('hi')
  })

  for (const sizeBytes of [0, 10, 300_000])
    test(`${name}: ${sizeBytes} bytes kept lazily are there at once, and stay so when they are kept again`, async () => {
      await using store = await open()
      const bytes = patternOf(sizeBytes)
      {
        await using incoming = await store.receive(bytes)
        expect(await incoming.keepLazily()).toEqual({ sha256: sha256Of(bytes), sizeBytes })
        expect(await store.isIntact(incoming.sha256)).toBe(true)
        await Promise.all([incoming.keepLazily(), incoming.keep()])
      }
      await using again = await store.receive(bytes)
      await again.keepLazily()
      await store.checkpoint('first')

      expect(await store.isIntact(sha256Of(bytes))).toBe(true)
    })

  test(`${name}: what was kept lazily can be flushed by itself, and what is not there is said to be not there`, async () => {
    await using store = await open()
    await using incoming = await store.receive(text('hi'))
    expect(await store.flush(incoming.sha256)).toBeUndefined()
    const { sha256, sizeBytes } = await incoming.keepLazily()

    expect(await store.flush(sha256)).toEqual({ sha256, sizeBytes })
    expect(await store.flush(sha256)).toEqual({ sha256, sizeBytes })
    expect(await contentOf(store, sha256)).toBe('hi')
    await store.remove(sha256)
    expect(await store.flush(sha256)).toBeUndefined()
    expect(await store.flush('../../etc/passwd')).toBeUndefined()
  })

  test(`${name}: what is disposed cannot be kept lazily any more`, async () => {
    await using store = await open()
    const incoming = await store.receive(text('hi'))
    await incoming[Symbol.asyncDispose]()

    expect(await failureOf(incoming.keepLazily())).toMatchObject({
      message: expect.stringContaining('disposed'),
    })
  })

  test(`${name}: the mark of the last checkpoint is remembered, whatever was removed meanwhile`, async () => {
    await using store = await open()
    expect(await store.lastCheckpoint()).toBeUndefined()
    await using incoming = await store.receive(text('hi'))
    await incoming.keepLazily()
    await store.remove(incoming.sha256)
    await Promise.all([store.checkpoint('first'), store.checkpoint('second')])

    expect(await store.lastCheckpoint()).toBe('second')
  })

  test(`${name}: after a checkpoint nothing waits for one`, async () => {
    await using store = await open()
    await using incoming = await store.receive(text('hi'))
    await incoming.keepLazily()
    await store.checkpoint('first')

    expect(store.awaitsCheckpoint?.() ?? false).toBe(false)
  })

  for (const sizeBytes of [10, 300_000])
    test(`${name}: a source that fails after ${sizeBytes} bytes fails the receiver with its own error`, async () => {
      await using store = await open()
      const broken = new Error('the line went dead')
      const source = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent === sizeBytes) controller.error(broken)
          else controller.enqueue(patternOf(sizeBytes / 10))
          sent += sizeBytes / 10
        },
      })
      let sent = 0

      expect(await failureOf(store.receive(source))).toBe(broken)
      expect(await listed(store)).toEqual([])
    })

  test(`${name}: equal bytes that come in at once are kept once and found by all`, async () => {
    await using store = await open()
    const bytes = patternOf(200_000)
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        await using incoming = await store.receive(streamOf(bytes, 50_000))
        await incoming.keep()
        expect(await store.isIntact(incoming.sha256)).toBe(true)
      }),
    )

    expect(await listed(store)).toEqual([sha256Of(bytes)])
  })

  test(`${name}: keeping equal bytes again renews the time they were kept`, async () => {
    let now = new Date('2026-01-01T00:00:00Z')
    await using store = await open({ now: () => now })
    const keptAt = async () => (await Array.fromAsync(store.list())).map((blob) => blob.keptAt)
    const { sha256 } = await kept(store, 'hi')
    const [before] = await keptAt()
    now = new Date('2026-02-01T00:00:00Z')
    if (hasOwnClock) await Bun.sleep(1_100)
    await kept(store, 'hi')

    const [after] = await keptAt()
    if (!hasOwnClock) expect([before, after]).toEqual([new Date('2026-01-01T00:00:00Z'), now])
    expect(after?.getTime()).toBeGreaterThan(before?.getTime() ?? Number.NaN)
    expect(await listed(store)).toEqual([sha256])
  })

  test(`${name}: the time bytes were kept is renewed without them, where they are there`, async () => {
    let now = new Date('2026-01-01T00:00:00Z')
    await using store = await open({ now: () => now })
    const keptAt = async () => (await Array.fromAsync(store.list())).map((blob) => blob.keptAt)
    const blob = await kept(store, 'hi')
    const [before] = await keptAt()
    now = new Date('2026-02-01T00:00:00Z')
    if (hasOwnClock) await Bun.sleep(1_100)
    expect(await store.renew(blob.sha256)).toEqual(blob)

    const [after] = await keptAt()
    if (!hasOwnClock) expect(after).toEqual(now)
    expect(after?.getTime()).toBeGreaterThan(before?.getTime() ?? Number.NaN)
    expect(await contentOf(store, blob.sha256)).toBe('hi')
    expect(await store.renew(sha256Of(text('nobody')))).toBeUndefined()
    expect(await store.renew('../hi')).toBeUndefined()
    expect(await listed(store)).toEqual([blob.sha256])
  })

  test(`${name}: bytes received are the store's own, whatever the giver does with its array`, async () => {
    await using store = await open()
    const bytes = text('hi')
    await using incoming = await store.receive(bytes)
    bytes.fill(0)
    const { sha256 } = await incoming.keep()

    expect(await contentOf(store, sha256)).toBe('hi')
    expect(await store.isIntact(sha256)).toBe(true)
  })

  test(`${name}: a range is opened from its first byte up to, not including, its last`, async () => {
    await using store = await open()
    const { sha256 } = await kept(store, 'abcdef')
    const range = async (start: number, end: number) =>
      await (await store.open(sha256, { start, end }))?.text()

    expect(await range(0, 3)).toBe('abc')
    expect(await range(2, 3)).toBe('c')
    expect(await range(4, 100)).toBe('ef')
    expect(await range(3, 3)).toBe('')
    expect(await range(6, 9)).toBe('')
  })

  test(`${name}: an opened blob is read whole, in part, and as a stream`, async () => {
    await using store = await open()
    const { sha256 } = await kept(store, 'abcdef')

    const whole = await store.open(sha256)
    const part = await store.open(sha256, { start: 1, end: 3 })
    expect([whole?.size, part?.size]).toEqual([6, 2])
    expect(await new Response(whole?.stream()).text()).toBe('abcdef')
    expect(await new Response(part?.stream()).text()).toBe('bc')
    expect(await part?.slice(1, 9).text()).toBe('c')
  })

  test(`${name}: a file of a blob, where the store has files, has exactly its bytes`, async () => {
    await using store = await open()
    if (store.path === undefined) return
    const bytes = patternOf(300_000)
    await using incoming = await store.receive(bytes)
    expect(await store.path(incoming.sha256)).toBeUndefined()
    const { sha256 } = await incoming.keep()
    const [path = '', again = ''] = await Promise.all([store.path(sha256), store.path(sha256)])

    expect(again).toBe(path)
    expect(Buffer.compare(await Bun.file(path).bytes(), bytes)).toBe(0)
    expect(await store.path(sha256Of(text('nobody')))).toBeUndefined()
    expect(await store.path('../../etc/passwd')).toBeUndefined()
    await store.remove(sha256)
    expect(await store.path(sha256)).toBeUndefined()
  })

  test(`${name}: a copy of this machine, where the store has one, is dropped where it is damaged`, async () => {
    await using store = await open()
    if (store.path === undefined || store.dropDamagedCopy === undefined) return
    const { sha256 } = await kept(store, 'hello')
    expect(await store.dropDamagedCopy(sha256)).toBe(false)
    await Bun.write((await store.path(sha256)) ?? '', 'jello')

    expect(await store.dropDamagedCopy(sha256)).toBe(true)
    expect(await store.dropDamagedCopy(sha256Of(text('nobody')))).toBe(false)
    expect(await Bun.file((await store.path(sha256)) ?? '').text()).toBe('hello')
  })

  test(`${name}: a missing blob is undefined, is not intact, and can be removed`, async () => {
    await using store = await open()
    const sha256 = sha256Of(text('nobody'))

    expect(await store.stat(sha256)).toBeUndefined()
    expect(await store.read(sha256)).toBeUndefined()
    expect(await store.open(sha256)).toBeUndefined()
    expect(await store.isIntact(sha256)).toBe(false)
    expect(await store.remove(sha256)).toBe(false)
  })

  test(`${name}: a blob that was kept since is not removed`, async () => {
    await using store = await open()
    const { sha256 } = await kept(store, 'hi')
    const [hourAgo, inAnHour] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000))

    expect(await store.remove(sha256, hourAgo)).toBe(false)
    expect(await contentOf(store, sha256)).toBe('hi')
    expect(await store.remove(sha256, inAnHour)).toBe(true)
    expect(await store.stat(sha256)).toBeUndefined()
  })

  test(`${name}: what is not a lower-case hex SHA-256 names no blob`, async () => {
    await using store = await open()
    const { sha256 } = await kept(store, 'hi')

    for (const wrong of ['', '..', '../../etc/passwd', sha256.toUpperCase(), `${sha256}\0`]) {
      expect(await store.stat(wrong)).toBeUndefined()
      expect(await store.read(wrong)).toBeUndefined()
      await store.remove(wrong)
    }
    expect(await contentOf(store, sha256)).toBe('hi')
  })

  test(`${name}: every kept blob is listed, and a removed one is gone`, async () => {
    await using store = await open()
    const [a, b] = [await kept(store, 'a'), await kept(store, 'b')]
    await store.remove(a.sha256)

    expect(await listed(store)).toEqual([b.sha256])
    expect(await store.read(a.sha256)).toBeUndefined()
    await kept(store, 'a')
    expect(await contentOf(store, a.sha256)).toBe('a')
  })
}

/** Bytes that differ from place to place, so that a lost or doubled piece shows. */
export const patternOf = (sizeBytes: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: sizeBytes }, (_, place) => (place * 31 + (place >> 8)) & 0xff)

export const streamOf = (bytes: Uint8Array, chunkBytes: number): ReadableStream<Uint8Array> => {
  let start = 0
  return new ReadableStream({
    pull(controller) {
      if (start >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(start, start + chunkBytes))
      start += chunkBytes
    },
  })
}

const text = (content: string) => new TextEncoder().encode(content)
const sha256Of = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

async function kept(store: BlobStore, content: string) {
  await using incoming = await store.receive(text(content))
  return await incoming.keep()
}

const contentOf = async (store: BlobStore, sha256: string) =>
  new TextDecoder().decode(await store.read(sha256))

const listed = async (store: BlobStore) =>
  (await Array.fromAsync(store.list())).map(({ sha256 }) => sha256)

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
