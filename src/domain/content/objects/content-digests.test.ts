import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import { MemoryBlobStore } from '../../../adapters/memory/content/memory-blob-store.ts'
import { MemoryContentDigestStore } from '../../../adapters/memory/content/memory-content-digest-store.ts'
import { createContentDigests } from './content-digests.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const md5Of = (text: string) => createHash('md5').update(text).digest('hex')

/** Over memory; what is to happen later happens when `pass` is called. */
async function setUp() {
  const blobs = new MemoryBlobStore()
  const store = new MemoryContentDigestStore()
  const warnings: string[] = []
  const later: (() => void)[] = []
  let opened = 0
  const bytes = {
    open: (sha256: string) => {
      opened += 1
      return blobs.open(sha256)
    },
  }
  const after = (_ms: number, run: () => void) => {
    later.push(run)
    return () => void later.splice(later.indexOf(run), 1)
  }
  const log = { warn: (message: string) => void warnings.push(message) }
  return {
    store,
    warnings,
    later,
    opened: () => opened,
    open: () => createContentDigests({ store, bytes, after, log }),
    keep: async (text: string) => {
      await using incoming = await blobs.receive(bytesOf(text))
      return (await incoming.keep()).sha256
    },
  }
}

test('what came by is known at once, and kept soon', async () => {
  const { open, store, later, keep } = await setUp()
  const digests = open()
  const sha256 = await keep('a')
  digests.note({ sha256, md5: md5Of('a') })

  expect(digests.known(sha256)).toEqual({ sha256, md5: md5Of('a') })
  expect(await store.find([sha256])).toEqual([])
  later[0]?.()
  await digests[Symbol.asyncDispose]()
  expect(await store.find([sha256])).toEqual([{ sha256, md5: md5Of('a') }])
})

test('what nobody has hashed is hashed once, and known after another start', async () => {
  const { open, keep, opened } = await setUp()
  const digests = open()
  const [a, b] = [await keep('a'), await keep('b')]

  const [first, second] = await Promise.all([digests.of([a, b, a]), digests.of([b])])
  expect([...first].map(([sha256, { md5 }]) => [sha256, md5])).toEqual([
    [a, md5Of('a')],
    [b, md5Of('b')],
  ])
  expect(second.get(b)?.md5).toBe(md5Of('b'))
  await digests[Symbol.asyncDispose]()

  const before = opened()
  expect((await open().of([a])).get(a)?.md5).toBe(md5Of('a'))
  expect(opened()).toBe(before)
})

test('a checksum that was shown stays when the bytes come again without one', async () => {
  const { open, keep } = await setUp()
  const digests = open()
  const sha256 = await keep('a')
  const checksum = { algorithm: 'CRC32', value: '6Le+Qw==' } as const
  digests.note({ sha256, md5: md5Of('a'), checksum })
  digests.note({ sha256, md5: md5Of('a') })
  expect(digests.known(sha256)?.checksum).toEqual(checksum)
})

test('bytes that cannot be read are a passing fault, and digests that cannot be kept none at all', async () => {
  const { open, store, warnings, keep } = await setUp()
  const digests = open()
  expect(digests.of(['f'.repeat(64)])).rejects.toMatchObject({ code: 'Unavailable' })

  store.save = () => Promise.reject(new Error('disk full'))
  const sha256 = await keep('a')
  expect((await digests.of([sha256])).get(sha256)?.md5).toBe(md5Of('a'))
  await digests[Symbol.asyncDispose]()
  expect(warnings).toHaveLength(1)
})

test('what is forgotten is looked for anew', async () => {
  const { open, keep, opened } = await setUp()
  const digests = open()
  const sha256 = await keep('a')
  await digests.of([sha256])
  await digests[Symbol.asyncDispose]()
  await digests.forget(sha256)
  expect(digests.known(sha256)).toBeUndefined()
  await digests.of([sha256])
  expect(opened()).toBe(2)
})
