import { expect, test } from 'bun:test'
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { patternOf } from '../../../ports/content/blob-store.contract.ts'
import { stagedBytesContract } from '../../../ports/content/staged-bytes.contract.ts'
import { isUnavailable } from '../../../ports/store-unavailable-error.ts'
import { openDiskBlobStore } from '../disk-blob-store.ts'
import { type FileSystem, nodeFileSystem } from '../file-system.ts'
import { openDiskStagedBytes } from './disk-staged-bytes.ts'

async function open(files: FileSystem = nodeFileSystem) {
  const root = await mkdtemp(join(tmpdir(), 'sedge-staged-'))
  const blobs = await openDiskBlobStore({ directory: root })
  const directory = join(root, 'staged')
  const fatal: unknown[] = []
  const onFatal = (failure: unknown) => void fatal.push(failure)
  const reopen = () => openDiskStagedBytes({ directory, blobs, files, onFatal })
  return {
    staged: await reopen(),
    blobs,
    reopen,
    directory,
    fatal,
    async [Symbol.asyncDispose]() {
      await blobs[Symbol.asyncDispose]()
      await rm(root, { recursive: true })
    },
  }
}

stagedBytesContract('disk', () => open())

test('what a kill left behind the acknowledged bytes is no part of the upload', async () => {
  await using opened = await open()
  await opened.staged.append('a', { offset: 0, source: whole(patternOf(1000)) })
  await appendFile(join(opened.directory, 'a.bytes'), 'torn')
  const staged = await opened.reopen()
  expect(await staged.size('a')).toBe(1000)
  await staged.append('a', { offset: 1000, source: whole(patternOf(2)) })
  await appendFile(join(opened.directory, 'a.bytes'), 'torn again')
  await using incoming = await staged.finish('a')
  await incoming?.keep()

  const { sha256 = '', sizeBytes } = incoming ?? {}
  expect(sizeBytes).toBe(1002)
  expect(await opened.blobs.isIntact(sha256)).toBe(true)
})

test('what is whole becomes a blob without a byte being copied, and leaves nothing behind', async () => {
  await using opened = await open()
  await opened.staged.append('a', { offset: 0, source: whole(patternOf(1_000_000)) })
  const before = await stat(join(opened.directory, 'a.bytes'))
  await using incoming = await opened.staged.finish('a')
  await incoming?.keep()
  const after = await stat((await opened.blobs.path(incoming?.sha256 ?? '')) ?? '')

  expect(after.ino).toBe(before.ino)
  expect(await readdir(opened.directory)).toEqual([])
})

test('a full disk keeps what was acknowledged, refuses the rest, and passes', async () => {
  let left = 200_000
  await using opened = await open(fullAfter(() => left))
  const all = patternOf(1_000_000)
  await opened.staged.append('a', { offset: 0, source: whole(all.subarray(0, 1000)) })
  const refused = await opened.staged
    .append('a', { offset: 1000, source: whole(all.subarray(1000)) })
    .catch((error: unknown) => error)
  expect(isUnavailable(refused, 'blobs') && !refused.final).toBe(true)
  expect(opened.fatal).toEqual([])
  const offset = await opened.staged.size('a')
  expect(offset).toBeGreaterThanOrEqual(1000)

  left = 1e9
  await opened.staged.append('a', { offset, source: whole(all.subarray(offset)) })
  await using incoming = await opened.staged.finish('a')
  expect(incoming?.sha256).toBe(new Bun.CryptoHasher('sha256').update(all).digest('hex'))
})

test('a flush that fails is final: what it was to flush is not acknowledged', async () => {
  let fails = false
  await using opened = await open(faulty('datasync', () => fails && 'EIO'))
  await opened.staged.append('a', { offset: 0, source: whole(patternOf(1000)) })
  fails = true
  const more = () => opened.staged.append('a', { offset: 1000, source: whole(patternOf(10)) })
  expect(isUnavailable(await more().catch((error: unknown) => error), 'blobs')).toBe(true)

  fails = false
  expect(opened.fatal).toHaveLength(1)
  expect(isUnavailable(await more().catch((error: unknown) => error), 'blobs')).toBe(true)
  expect(await (await opened.reopen()).size('a')).toBe(1000)
})

test('a later part is flushed once, its name too, and leaves no file beside it', async () => {
  let flushes = 0
  await using opened = await open(faulty('datasync', () => ((flushes += 1), false)))
  const piece = { offset: 0, source: whole(patternOf(1000)), isLaterPart: true }
  expect(await opened.staged.append('later', piece)).toBe(1000)
  expect(flushes).toBe(1)
  expect(await readdir(opened.directory)).toEqual(['later.part'])

  const staged = await opened.reopen()
  expect(await staged.size('later')).toBe(1000)
  await staged.drop('later')
  expect(await readdir(opened.directory)).toEqual([])
})

test('a later part whose flush fails is not acknowledged, and nothing is taken in any more', async () => {
  await using opened = await open(faulty('datasync', () => 'EIO'))
  const piece = { offset: 0, source: whole(patternOf(1000)), isLaterPart: true }
  const refused = await opened.staged.append('later', piece).catch((error: unknown) => error)
  expect(isUnavailable(refused, 'blobs')).toBe(true)
  expect(opened.fatal).toHaveLength(1)
})

async function* whole(bytes: Uint8Array) {
  yield bytes
}

type Write = (bytes: Uint8Array, ...rest: unknown[]) => Promise<unknown>

/** A file system whose files take so many bytes more. */
const fullAfter = (left: () => number): FileSystem => ({
  ...nodeFileSystem,
  open: async (...given) => {
    const handle = await nodeFileSystem.open(...given)
    const write = handle.write.bind(handle) as Write
    const guarded: Write = async (bytes, ...rest) => {
      if (bytes.length > left()) throw fault('ENOSPC', 'write')
      return await write(bytes, ...rest)
    }
    return Object.assign(handle, { write: guarded })
  },
})

const faulty = (call: 'datasync', code: () => string | false): FileSystem => ({
  ...nodeFileSystem,
  open: async (...given) => {
    const handle = await nodeFileSystem.open(...given)
    const real = handle[call].bind(handle)
    const guarded = async () => {
      const chosen = code()
      if (chosen !== false) throw fault(chosen, call)
      await real()
    }
    return Object.assign(handle, { [call]: guarded })
  },
})

const fault = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })
