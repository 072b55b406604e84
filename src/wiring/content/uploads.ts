import { MemoryStagedBytes } from '../../adapters/memory/content/memory-staged-bytes.ts'
import { MemoryStagedUploadStore } from '../../adapters/memory/content/memory-staged-upload-store.ts'
import type { Files } from '../../domain/content/files/files.ts'
import { createUploads } from '../../domain/uploads/staged-uploads.ts'
import type { Uploads } from '../../domain/uploads/uploads.ts'
import type { World } from '../world.ts'
import type { Publishing } from './publishing.ts'
import type { Stores } from './stores.ts'

interface Parts {
  readonly stores: Pick<Stores, 'blobs' | 'content'>
  readonly publishing: Pick<Publishing, 'catalog'>
  readonly files: Pick<Files, 'put'>
}

const maxFileBytes = 5120 * 2 ** 20
const uploadTtlSeconds = 24 * 3600

/** What both upload protocols stand on. */
export function openUploads(
  { now, newId }: Pick<World, 'now' | 'newId'>,
  { stores: { blobs, content }, publishing: { catalog }, files }: Parts,
): { uploads: Uploads; maxFileBytes: number; uploadTtlSeconds: number } {
  const uploads = createUploads({
    files,
    staged: new MemoryStagedBytes(blobs),
    store: new MemoryStagedUploadStore(),
    blobs,
    content,
    published: catalog,
    settings: {
      ttlMs: uploadTtlSeconds * 1000,
      maxFileBytes,
      maxStagedBytes: 100 * 2 ** 30,
      maxOpenPerZone: 10_000,
      maxOpenPerNetwork: 1_000,
    },
    now,
    newId,
    after(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  return { uploads, maxFileBytes, uploadTtlSeconds }
}
