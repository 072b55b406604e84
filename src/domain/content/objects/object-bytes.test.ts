import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../../adapters/memory/content/memory-blob-store.ts'
import type { ByteRange } from '../../../ports/content/blob-store.ts'
import { createObjectBytes } from './object-bytes.ts'

async function setUp(content: Uint8Array) {
  const blobs = new MemoryBlobStore()
  await using incoming = await blobs.receive(content)
  const blob = await incoming.keep()
  let opened = 0
  let ms = 0
  const open = (sha256: string, range?: ByteRange) => {
    opened += 1
    return blobs.open(sha256, range)
  }
  const bytes = createObjectBytes({ open }, () => ms)
  return { blob, bytes, opened: () => opened, pass: (more: number) => void (ms += more) }
}

test('a small object is read once, and its ranges are cut from what is kept', async () => {
  const { blob, bytes, opened } = await setUp(new TextEncoder().encode('hello'))
  expect(await (await bytes.open(blob)).text()).toBe('hello')
  expect(await (await bytes.open(blob, { start: 1, end: 3 })).text()).toBe('el')
  expect(opened()).toBe(1)
})

test('a large object is opened once in a while, and read where it is', async () => {
  const { blob, bytes, opened, pass } = await setUp(new Uint8Array(100_000).fill(7))
  expect((await bytes.open(blob, { start: 5, end: 15 })).size).toBe(10)
  expect((await bytes.open(blob)).size).toBe(100_000)
  expect(opened()).toBe(1)
  pass(30_001)
  expect((await bytes.open(blob)).size).toBe(100_000)
  expect(opened()).toBe(2)
  expect((await bytes.openFormer(blob, { start: 5, end: 15 })).size).toBe(10)
  expect(opened()).toBe(3)
})

test('what is forgotten is read again', async () => {
  for (const content of [new Uint8Array(10), new Uint8Array(100_000)]) {
    const { blob, bytes, opened } = await setUp(content)
    await bytes.open(blob)
    bytes.forget(blob.sha256)
    await bytes.open(blob)
    expect(opened()).toBe(2)
  }
})

test('what is lost is refused as unavailable, and asked for again', async () => {
  const { bytes, opened } = await setUp(new Uint8Array(1))
  const lost = { sha256: 'f'.repeat(64), sizeBytes: 1 }
  expect(bytes.open(lost)).rejects.toMatchObject({ code: 'Unavailable' })
  expect(bytes.open(lost)).rejects.toMatchObject({ code: 'Unavailable' })
  expect(opened()).toBe(2)
})
