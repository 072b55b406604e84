import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { collectBlobs } from './blob-gc.ts'

const dayMs = 86_400_000

async function setUp() {
  let now = new Date('2026-11-20T00:00:00Z')
  const blobs = new MemoryBlobStore({ now: () => now })
  const keep = async (text: string) => {
    await using incoming = await blobs.receive(new TextEncoder().encode(text))
    return (await incoming.keep()).sha256
  }
  const pass = (days: number) => {
    now = new Date(now.getTime() + days * dayMs)
  }
  const told: string[] = []
  const sweep = (inUse: readonly string[]) =>
    collectBlobs({
      blobs,
      isInUse: (sha256) => inUse.includes(sha256),
      onRemoved: async (sha256) => void told.push(sha256),
      now: () => now,
      graceMs: 7 * dayMs,
    })
  return { blobs, keep, pass, sweep, told }
}

test('what nothing refers to is forgotten after its grace, and nothing else', async () => {
  const { blobs, keep, pass, sweep, told } = await setUp()
  const [used, unused] = [await keep('used'), await keep('unused')]
  pass(8)
  const young = await keep('young')

  expect(await sweep([used])).toBe(1)
  expect(told).toEqual([unused])
  expect(await blobs.stat(unused)).toBeUndefined()
  expect(await blobs.stat(used)).toBeDefined()
  expect(await blobs.stat(young)).toBeDefined()
})

test('equal bytes that come in again renew the grace', async () => {
  const { keep, pass, sweep } = await setUp()
  await keep('again')
  pass(8)
  await keep('again')

  expect(await sweep([])).toBe(0)
})

test('what comes in again after it was listed stays', async () => {
  const { blobs, keep, pass, sweep, told } = await setUp()
  const sha256 = await keep('again')
  pass(8)
  const listed = await Array.fromAsync(blobs.list())
  await keep('again')
  blobs.list = async function* list() {
    yield* listed
  }

  expect(await sweep([])).toBe(0)
  expect(told).toEqual([])
  expect(await blobs.stat(sha256)).toBeDefined()
})
