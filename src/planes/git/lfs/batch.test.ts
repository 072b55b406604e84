import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../../adapters/memory/content/memory-blob-store.ts'
import { createStoredObjects } from '../../../domain/content/stored-objects.ts'
import { collectBlobs } from '../../../domain/publishing/blob-gc.ts'
import { batchResponse } from './batch.ts'
import { createObjectGrants } from './object-grants.ts'

const dayMs = 86_400_000
const everybody = { zones: undefined }

/** A store with one object that nothing names. */
async function setUp() {
  const clock = { ms: Date.UTC(2026, 10, 20) }
  const now = () => new Date(clock.ms)
  const blobs = new MemoryBlobStore({ now })
  await using incoming = await blobs.receive(new TextEncoder().encode('bytes'))
  const { sha256: oid, sizeBytes: size } = await incoming.keep()
  const objects = createStoredObjects({ blobs, bytes: blobs, assetsOf: () => [], maxBytes: 1e6 })
  const grants = createObjectGrants({ key: new Uint8Array(32), now })
  return {
    clock,
    blobs,
    wanted: { oid, size },
    batch: async (operation: 'upload' | 'download', ...given: { oid: string; size: number }[]) => {
      const answering = { objects, grants, maxBytes: 1e6, caller: everybody, base: 'http://a' }
      const response = await batchResponse({ operation, objects: given }, answering)
      return response.objects
    },
    collect: () =>
      collectBlobs({
        blobs,
        isInUse: () => false,
        onRemoved: async () => {},
        now,
        graceMs: 7 * dayMs,
      }),
  }
}

test('what is stored need not be sent again, and stays until it can be named', async () => {
  const { clock, batch, wanted, collect, blobs } = await setUp()
  clock.ms += 6 * dayMs
  expect(await batch('upload', wanted, wanted)).toEqual([wanted, wanted])
  clock.ms += 6 * dayMs
  expect(await collect()).toBe(0)
  expect(await blobs.stat(wanted.oid)).toBeDefined()
})

test('a download keeps nothing, and neither does an object of another size', async () => {
  for (const isUpload of [false, true]) {
    const { clock, batch, wanted, collect } = await setUp()
    clock.ms += 6 * dayMs
    if (isUpload) await batch('upload', { ...wanted, size: 7 })
    else await batch('download', wanted)
    clock.ms += 2 * dayMs
    expect(await collect()).toBe(1)
  }
})

test('what is collected just then has to be sent', async () => {
  const { batch, wanted, blobs } = await setUp()
  const renew = blobs.renew.bind(blobs)
  blobs.renew = async (sha256) => {
    await blobs.remove(sha256)
    return await renew(sha256)
  }
  const [object] = await batch('upload', wanted)
  expect(object).toMatchObject({ ...wanted, actions: { upload: {}, verify: {} } })
})
