import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { blobStoreContract, patternOf } from '../../ports/content/blob-store.contract.ts'
import { placeOf } from './blob-layout.ts'
import { DiskBlobStore, type DiskBlobStoreOptions, openDiskBlobStore } from './disk-blob-store.ts'
import { type FileSystem, nodeFileSystem } from './file-system.ts'

class TemporaryBlobStore extends DiskBlobStore {
  readonly directory: string

  constructor(options: DiskBlobStoreOptions) {
    super(options)
    this.directory = options.directory
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]()
    await rm(this.directory, { recursive: true })
  }
}

async function openTemporary(options: Omit<DiskBlobStoreOptions, 'directory'> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-blobs-'))
  await openDiskBlobStore({ directory })
  return new TemporaryBlobStore({ ...options, directory })
}

blobStoreContract('disk', openTemporary)
blobStoreContract('disk, files by a thread', (options) =>
  openTemporary({ ...options, isThreaded: true }),
)

test('a blob lies under its SHA-256, fanned out by its first four digits', async () => {
  await using store = await openTemporary()
  const { sha256 } = await keep(store, patternOf(3))

  const path = `sha256/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256.slice(4)}`
  expect(await Bun.file(join(store.directory, path)).bytes()).toEqual(patternOf(3))
})

test('a store opened again has every kept blob and nothing of what was still coming in', async () => {
  await using store = await openTemporary()
  const { sha256 } = await keep(store, patternOf(100_000))
  await using _cutOff = await store.receive(patternOf(100_001))
  expect(await temporaries(store)).toHaveLength(1)

  await using again = await openDiskBlobStore({ directory: store.directory })

  expect(await again.isIntact(sha256)).toBe(true)
  expect(await temporaries(store)).toEqual([])
})

test('looking at a store leaves alone what another process is taking in', async () => {
  await using store = await openTemporary()
  await using incoming = await store.receive(patternOf(100_000))

  await using beside = new DiskBlobStore({ directory: store.directory })

  expect(await Array.fromAsync(beside.list())).toEqual([])
  await incoming.keep()
  expect(await beside.isIntact(incoming.sha256)).toBe(true)
})

test('no temporary file stays, whether the bytes are kept, are there already, or are not kept', async () => {
  await using store = await openTemporary()
  await keep(store, patternOf(100_000))
  await keep(store, patternOf(100_000))
  await (await store.receive(patternOf(200_000)))[Symbol.asyncDispose]()

  expect(await temporaries(store)).toEqual([])
})

test('equal bytes are not written again, and a file cut short is replaced', async () => {
  let renames = 0
  const rename: FileSystem['rename'] = async (from, to) => {
    await nodeFileSystem.rename(from, to)
    renames += 1
  }
  await using store = await openTemporary({ files: { ...nodeFileSystem, rename } })
  const { sha256 } = await keep(store, patternOf(1000))
  await keep(store, patternOf(1000))
  expect(renames).toBe(1)

  await truncate(pathIn(store, sha256), 999)
  expect(await store.isIntact(sha256)).toBe(false)
  await keep(store, patternOf(1000))

  expect(renames).toBe(2)
  expect(await store.isIntact(sha256)).toBe(true)
})

test('one changed bit makes a blob not intact', async () => {
  await using store = await openTemporary()
  const { sha256 } = await keep(store, patternOf(100_000))
  const bytes = patternOf(100_000)
  bytes[70_000] = (bytes[70_000] ?? 0) ^ 1
  await Bun.write(pathIn(store, sha256), bytes)

  expect(await store.isIntact(sha256)).toBe(false)
})

test('files that are no blobs are not listed', async () => {
  await using store = await openTemporary()
  const { sha256 } = await keep(store, patternOf(10))
  for (const stray of ['lost+found', 'ab/cd', 'ab/README', 'aa/cd/x'])
    await Bun.write(join(store.directory, 'sha256', stray), 'stray')

  const all = await Array.fromAsync(store.list())
  expect(all.map((blob) => blob.sha256)).toEqual([sha256])
})

test('a source is read no faster than its bytes are written', async () => {
  const chunkBytes = 100_000
  let written = 0
  let pulled = 0
  let furthestAhead = 0
  const open: FileSystem['open'] = async (...given) => {
    const handle = await nodeFileSystem.open(...given)
    const write = handle.write.bind(handle) as unknown as (
      ...all: unknown[]
    ) => Promise<{ bytesWritten: number }>
    const counting = async (...all: unknown[]) => {
      const answer = await write(...all)
      written += answer.bytesWritten
      return answer
    }
    return Object.assign(handle, { write: counting })
  }
  await using store = await openTemporary({ files: { ...nodeFileSystem, open } })
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulled === 200 * chunkBytes) return controller.close()
      controller.enqueue(new Uint8Array(chunkBytes))
      pulled += chunkBytes
      furthestAhead = Math.max(furthestAhead, pulled - written)
    },
  })

  await using incoming = await store.receive(source)

  expect(incoming.sizeBytes).toBe(200 * chunkBytes)
  expect(furthestAhead).toBeLessThanOrEqual(4 * chunkBytes)
})

async function keep(store: DiskBlobStore, bytes: Uint8Array) {
  await using incoming = await store.receive(bytes)
  return await incoming.keep()
}

const temporaries = (store: TemporaryBlobStore) => readdir(join(store.directory, 'incoming'))

const pathIn = (store: TemporaryBlobStore, sha256: string) =>
  placeOf(store.directory, sha256)?.path ?? ''
