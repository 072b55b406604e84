import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { patternOf } from '../../../ports/content/blob-store.contract.ts'
import { StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'
import { openDiskBlobStore } from '../disk-blob-store.ts'
import { FlushFault } from './blob-files.ts'
import { threadedBlobFiles } from './threaded-blob-files.ts'

const keptAt = new Date('2026-01-01T00:00:00Z')

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-blob-files-'))
  const incoming = join(directory, 'incoming')
  await mkdir(incoming)
  const files = threadedBlobFiles(incoming)
  return {
    directory,
    incoming,
    files,
    file: (name: string) => ({ path: join(directory, name), bytes: patternOf(9), keptAt }),
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

test('files are made in directories that are made for them, with their times, and can be flushed', async () => {
  await using house = await setUp()
  const { directory } = house
  const outcomes = await house.files.write([house.file('a'), house.file('new/deep/b')])
  expect(outcomes).toEqual([{ firstMade: undefined }, { firstMade: join(directory, 'new') }])
  expect(await readFile(join(directory, 'new/deep/b'))).toEqual(Buffer.from(patternOf(9)))
  expect((await stat(join(directory, 'a'))).mtime).toEqual(keptAt)
  await house.files.flush({
    files: [join(directory, 'a'), join(directory, 'is-gone')],
    directories: [directory],
  })
  expect(await readdir(house.incoming)).toEqual([])
})

test('of files that cannot be made each says so, and the others are', async () => {
  await using house = await setUp()
  const [good, bad] = await house.files.write([house.file('a'), house.file('a/below-a-file')])
  expect(good).toEqual({ firstMade: undefined })
  const fault = bad !== undefined && 'fault' in bad ? bad.fault : undefined
  expect(fault).toBeInstanceOf(StoreUnavailableError)
  expect(fault).toMatchObject({ final: false })
  expect(await readdir(house.incoming)).toEqual([])
})

test('a flush that fails is told as one', async () => {
  await using house = await setUp()
  // What cannot be flushed at all.
  const places = { files: ['/dev/null'], directories: [] }
  const failure: unknown = await house.files.flush(places).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(FlushFault)
  expect(failure).toMatchObject({ cause: { cause: { code: 'EINVAL' } } })
})

test('what a thread cannot write at a checkpoint stays in memory, and is written at the next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-blob-files-'))
  await using store = await openDiskBlobStore({ directory, isThreaded: true })
  await using incoming = await store.receive(patternOf(1_000))
  const { sha256 } = await incoming.keepLazily()
  await rm(join(directory, 'incoming'), { recursive: true })

  const failure: unknown = await store.checkpoint('1').catch((error: unknown) => error)
  expect(failure).toMatchObject({ final: false, cause: { code: 'ENOENT' } })
  expect(await store.read(sha256)).toEqual(patternOf(1_000))
  expect(store.awaitsCheckpoint()).toBe(true)

  await mkdir(join(directory, 'incoming'))
  await store.checkpoint('2')
  expect(store.awaitsCheckpoint()).toBe(false)
  expect(await Bun.file((await store.path(sha256)) ?? '').bytes()).toEqual(patternOf(1_000))
  await rm(directory, { recursive: true })
})
