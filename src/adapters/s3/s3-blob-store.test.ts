import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../../test/support/until.ts'
import { have, s3Server } from '../../../test/support/needs.ts'
import { type HttpFault, openFaultyHttp } from '../../../test/support/faulty-http.ts'
import type { BlobServer } from '../../../test/support/s3-server.ts'
import { openBlobServer } from '../../../test/support/shared-servers.ts'
import type { S3Location } from '../../lib/net/s3-location.ts'
import { blobStoreContract, patternOf, streamOf } from '../../ports/content/blob-store.contract.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'
import { openS3BlobStore, S3BlobStore } from './s3-blob-store.ts'
import type { S3Limits } from './s3-client.ts'

let server: BlobServer

interface Opening {
  readonly location: S3Location
  readonly limits?: Partial<S3Limits>
  readonly maxCopyBytes?: number
  readonly now?: () => Date
}

/** A store whose local copies are nobody else's. */
async function openStore({
  location,
  limits = {},
  maxCopyBytes = 1e9,
  now = () => new Date(),
}: Opening) {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-s3-copies-'))
  const store = await openS3BlobStore({
    location,
    credentials: server.credentials,
    directory,
    maxCopyBytes,
    now,
    random: Math.random,
    limits: { firstDelayMs: 1, ...limits },
  })
  const dispose = store[Symbol.asyncDispose].bind(store)
  return Object.assign(store, {
    directory,
    async [Symbol.asyncDispose]() {
      await dispose()
      await rm(directory, { recursive: true })
    },
  })
}

const keep = async (store: Awaited<ReturnType<typeof openStore>>, bytes: Uint8Array) => {
  await using incoming = await store.receive(streamOf(bytes, 100_000))
  return await incoming.keep()
}

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )

if (have('blobs in S3', s3Server)) {
  beforeAll(async () => void (server = await openBlobServer()), 60_000)
  afterAll(async () => await server[Symbol.asyncDispose]())

  blobStoreContract(
    's3',
    async () => openStore({ location: (await server.createBucket()).location() }),
    { hasOwnClock: true },
  )

  test('of a large blob only the slices that are read are fetched, and several processes share them', async () => {
    const bucket = await server.createBucket()
    const bytes = patternOf(26 * 2 ** 20 + 5)
    await using store = await openStore({ location: bucket.location() })
    const { sha256 } = await keep(store, bytes)
    const copies = async () => {
      const names = await Array.fromAsync(new Bun.Glob('??/*').scan(store.directory))
      return names.length
    }
    const within = { start: 20 * 2 ** 20 - 5, end: 20 * 2 ** 20 + 5 }
    expect(await copies()).toBe(0)

    const opened = await store.open(sha256)
    expect(opened?.size).toBe(bytes.length)
    expect(await store.path(sha256)).toBeUndefined()
    expect(await copies()).toBe(0)
    expect(await (await store.open(sha256, within))?.bytes()).toEqual(
      bytes.slice(within.start, within.end),
    )
    await until(async () => (await copies()) === 2)
    expect(store.touch(sha256)).toBe(true)
    expect(await store.isIntact(sha256)).toBe(true)
    const whole = await store.open(sha256)
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const piece of whole?.stream() ?? []) hasher.update(piece)
    expect(hasher.digest('hex')).toBe(sha256)
    expect(await copies()).toBe(27)

    const other = new S3BlobStore({
      location: { ...bucket.location(), endpoint: 'http://127.0.0.1:9' },
      credentials: server.credentials,
      directory: store.directory,
      maxCopyBytes: 1e9,
      now: () => new Date(),
      random: Math.random,
      limits: { attempts: 1 },
    })
    expect(await (await other.open(sha256, within))?.bytes()).toEqual(
      bytes.slice(within.start, within.end),
    )
    expect(await store.remove(sha256)).toBe(true)
    expect(await copies()).toBe(0)
    expect(await store.open(sha256)).toBeUndefined()
    const late = await other.open(sha256)
    expect(await failureOf(late?.bytes() ?? Promise.resolve())).toBeInstanceOf(
      StoreUnavailableError,
    )
  })

  for (const sizeBytes of [8 * 2 ** 20, 8 * 2 ** 20 + 1, 20_000_000])
    test(`${sizeBytes} bytes go up and come down as they were, in parts where they are many`, async () => {
      const location = (await server.createBucket()).location()
      const bytes = patternOf(sizeBytes)
      await using writer = await openStore({ location })
      const { sha256 } = await keep(writer, bytes)
      await using reader = await openStore({ location })

      expect(Buffer.compare((await reader.read(sha256)) ?? new Uint8Array(), bytes)).toBe(0)
      expect(await reader.isIntact(sha256)).toBe(true)
      expect(await Array.fromAsync(reader.list(), (blob) => blob.sizeBytes)).toEqual([sizeBytes])
    })

  test('a large blob is renewed within the store', async () => {
    const bucket = await server.createBucket()
    await using store = await openStore({ location: bucket.location() })
    const { sha256 } = await keep(store, patternOf(20_000_000))
    const keptAt = async () => (await Array.fromAsync(store.list()))[0]?.keptAt.getTime() ?? NaN
    const before = await keptAt()
    await Bun.sleep(1_100)
    expect(await store.renew(sha256)).toEqual({ sha256, sizeBytes: 20_000_000 })

    expect(await keptAt()).toBeGreaterThan(before)
    expect(await store.isIntact(sha256)).toBe(true)
  })

  test('more than a page of blobs is listed whole', async () => {
    const location = (await server.createBucket()).location()
    await using store = await openStore({ location })
    const objects = join(server.files, location.bucket, 'sedge', 'blobs')
    const { sha256 } = await keep(store, patternOf(1))
    const names = Array.from({ length: 1_200 }, (_, index) => index.toString(16).padStart(64, '0'))
    for (const name of names) await writeFile(join(objects, name), '')
    const listed = await Array.fromAsync(store.list(), (blob) => blob.sha256)

    expect(listed.toSorted()).toEqual([sha256, ...names].toSorted())
  })

  test('what the store has but is damaged is not given out, and keeping the bytes again mends it', async () => {
    const location = (await server.createBucket()).location()
    await using writer = await openStore({ location })
    const bytes = patternOf(1000)
    const { sha256 } = await keep(writer, bytes)
    await writeFile(
      join(server.files, location.bucket, 'sedge', 'blobs', sha256),
      patternOf(1000).fill(7, 500),
    )
    await using reader = await openStore({ location })

    expect(await failureOf(reader.open(sha256))).toMatchObject({
      name: 'StoreUnavailableError',
      store: 'blobs',
    })
    expect(await reader.isIntact(sha256)).toBe(false)
    await keep(reader, bytes)
    expect(await reader.isIntact(sha256)).toBe(true)
  })

  test('a local copy that is damaged, or gone, is fetched again', async () => {
    const location = (await server.createBucket()).location()
    await using writer = await openStore({ location })
    const { sha256 } = await keep(writer, patternOf(1000))
    const path = join(writer.directory, sha256.slice(0, 2), sha256)
    await rm(path)
    expect((await writer.read(sha256))?.length).toBe(1000)
    await using later = await openStore({ location })
    await later.read(sha256)
    await writeFile(join(later.directory, sha256.slice(0, 2), sha256), 'torn')
    const { credentials } = server
    const options = { location, credentials, directory: later.directory, maxCopyBytes: 1e9 }
    await using restarted = new S3BlobStore({
      ...options,
      now: () => new Date(),
      random: Math.random,
    })

    expect((await restarted.read(sha256))?.length).toBe(1000)
  })

  test('local copies weigh no more than they may, once they are minutes old', async () => {
    let ahead = 0
    const now = () => new Date(Date.now() + ahead)
    const location = (await server.createBucket()).location()
    await using store = await openStore({ location, maxCopyBytes: 300_000, now })
    const blobs: string[] = []
    for (let index = 0; index < 10; index += 1) {
      blobs.push((await keep(store, patternOf(100_000 + index))).sha256)
      ahead += 181_000
    }
    const files = await readdir(store.directory, { recursive: true })
    const copied = blobs.filter((sha256) => files.includes(join(sha256.slice(0, 2), sha256)))

    expect(copied.length).toBeGreaterThan(0)
    expect(copied.length).toBeLessThanOrEqual(3)
    expect(copied).toContain(blobs.at(-1) ?? '')
    for (const sha256 of blobs) expect(store.touch(sha256)).toBe(copied.includes(sha256))
    for (const sha256 of blobs) expect(await store.open(sha256)).toBeDefined()
  })

  const once: readonly HttpFault[] = ['status 503', 'reset', 'truncate', 'damage']
  for (const fault of once)
    test(`a response that is once a ${fault} is asked for again, and nobody notices`, async () => {
      const bucket = await server.createBucket()
      await using way = await openFaultyHttp(server.port)
      const location = bucket.location(way.port)
      await using writer = await openStore({ location })
      const bytes = patternOf(300_000)
      way.failNext(1, fault)
      const { sha256 } = await keep(writer, bytes)
      await using reader = await openStore({ location })
      way.failNext(1, fault)

      expect(Buffer.compare((await reader.read(sha256)) ?? new Uint8Array(), bytes)).toBe(0)
    })

  const always: readonly HttpFault[] = ['status 503', 'reset', 'truncate', 'black hole']
  for (const fault of always)
    test(`a store that is always a ${fault} is given up in time, and left when it is over`, async () => {
      const bucket = await server.createBucket()
      await using way = await openFaultyHttp(server.port)
      const limits = { attemptMs: 200, totalMs: 500 }
      await using store = await openStore({ location: bucket.location(way.port), limits })
      await using reader = await openStore({ location: bucket.location(way.port), limits })
      const { sha256 } = await keep(store, patternOf(1000))
      way.failNext(Number.POSITIVE_INFINITY, fault)
      const failures = [
        await failureOf(keep(store, patternOf(2000))),
        await failureOf(reader.open(sha256)),
      ]

      for (const failure of failures)
        expect(failure).toMatchObject({
          name: 'StoreUnavailableError',
          store: 'blobs',
          final: false,
        })
      expect(await store.open(sha256)).toBeDefined()
      way.failNext(0, fault)
      expect(await reader.open(sha256)).toBeDefined()
    })

  test('a store that is down is not asked ever more often', async () => {
    const bucket = await server.createBucket()
    await using way = await openFaultyHttp(server.port)
    await using store = await openStore({ location: bucket.location(way.port) })
    way.failNext(Number.POSITIVE_INFINITY, 'status 503')
    const before = way.requests
    for (let index = 0; index < 50; index += 1) await failureOf(store.stat('a'.repeat(64)))

    expect(way.requests - before).toBeLessThan(50 + 25)
  })

  test('a clock that is hours off does no harm', async () => {
    const location = (await server.createBucket()).location()
    for (const hours of [-30, 30]) {
      const now = () => new Date(Date.now() + hours * 3_600_000)
      await using store = await openStore({ location, now })
      const { sha256 } = await keep(store, patternOf(100))
      expect(await store.isIntact(sha256)).toBe(true)
    }
  })

  test('wrong credentials and a bucket that is not there are told at the start', async () => {
    const location = (await server.createBucket()).location()
    const options = {
      location,
      credentials: server.credentials,
      directory: tmpdir(),
      maxCopyBytes: 1,
      now: () => new Date(),
      random: Math.random,
    }
    const wrong = { ...server.credentials, secretAccessKey: 'wrong' }

    expect(await failureOf(openS3BlobStore({ ...options, credentials: wrong }))).toMatchObject({
      cause: { message: expect.stringContaining('SignatureDoesNotMatch') },
    })
    const nowhere = { ...location, bucket: 'nowhere' }
    expect(await failureOf(openS3BlobStore({ ...options, location: nowhere }))).toMatchObject({
      cause: { message: expect.stringContaining('NoSuchBucket') },
    })
  })
}
