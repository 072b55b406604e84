import { createHash } from 'node:crypto'
import { basename, extname, join } from 'node:path'

import { MemoryDatabase } from '../../src/adapters/memory/content/memory-database.ts'
import { MemoryMediaFactsStore } from '../../src/adapters/memory/media/memory-media-facts-store.ts'
import { MemoryQuotaStore } from '../../src/adapters/memory/access/memory-quota-store.ts'
import { openDiskVariantStore } from '../../src/adapters/disk/disk-variant-store.ts'
import { openSharpRenderer } from '../../src/adapters/sharp/sharp-renderer.ts'
import { createEncodeQuota } from '../../src/domain/access/quotas/encode-quota.ts'
import { createQuota } from '../../src/domain/access/quotas/quota.ts'
import { createCostModel } from '../../src/domain/media/render/costs/cost-model.ts'
import { createImageService } from '../../src/domain/media/image-service.ts'
import { createKnownMedia } from '../../src/domain/media/facts/known-media.ts'
import { createRenderQueue } from '../../src/domain/media/render/render-queue.ts'
import { createSmallerCopies } from '../../src/domain/media/render/smaller-copies.ts'
import { createVariants } from '../../src/domain/media/render/variants.ts'
import type { AssetRecord } from '../../src/ports/records/asset.ts'
import type { Renderer } from '../../src/ports/media/renderer.ts'

const now = () => performance.now()

/** The whole of the image service over files of a directory, its caches in `directory`. */
export async function openHouse(directory: string, paths: readonly string[]) {
  const renderer = await openSharpRenderer()
  let cpuMs = 0
  let renders = 0
  const counted: Renderer = {
    slotsByLane: renderer.slotsByLane,
    maxMsByLane: renderer.maxMsByLane,
    async run(job) {
      const rendered = await renderer.run(job)
      cpuMs += rendered.cpuMs
      if (job.kind === 'transform') renders += 1
      return rendered
    },
    [Symbol.asyncDispose]: () => renderer[Symbol.asyncDispose](),
  }
  const assets = new Map<string, AssetRecord>()
  const pathBySha256 = new Map<string, string>()
  for (const path of paths) {
    const asset = await assetOf(path)
    assets.set(path, asset)
    pathBySha256.set(asset.sha256, path)
  }
  const pathOf = (sha256: string) => pathBySha256.get(sha256)
  const blobs = {
    open: async (sha256: string) => {
      const path = pathOf(sha256)
      return path === undefined ? undefined : Bun.file(path)
    },
  }
  const files = { path: async (sha256: string) => pathOf(sha256) }
  const queue = createRenderQueue({
    renderer: counted,
    costs: createCostModel(),
    now,
    maxWaitMs: 60_000,
  })
  const limits = { maxBytes: 2 ** 30, maxPerSource: 500 }
  const mips = await openDiskVariantStore({ directory: join(directory, 'mips'), ...limits, now })
  const store = await openDiskVariantStore({
    directory: join(directory, 'variants'),
    ...limits,
    now,
  })
  const copies = createSmallerCopies(mips)
  const media = createKnownMedia({
    store: new MemoryMediaFactsStore(),
    queue,
    blobs,
    files,
    copies,
    now,
  })
  const quotas = new MemoryQuotaStore(new MemoryDatabase())
  const quotaCalled = (name: string) =>
    createQuota({ store: quotas, name, limit: 50_000, window: 'month', now: () => new Date() })
  const quota = createEncodeQuota({
    all: quotaCalled('transform'),
    ofZone: (zone) => quotaCalled(`transform ${zone}`),
    chargeNetwork() {},
  })
  const log = { warn: console.warn }
  const variants = createVariants({
    store,
    queue,
    quota,
    isErased: () => false,
    log,
    now,
    memoryBytes: 64 * 2 ** 20,
  })
  const manifest = { asset: (path: string) => assets.get(path) }
  const images = createImageService({
    modeOf: () => 'open',
    manifest,
    blobs,
    files,
    media,
    copies,
    variants,
  })
  return {
    images,
    media,
    copies,
    renderer,
    queue,
    assets,
    /** What the children have used, and how often. */
    used: () => ({ cpuMs, renders }),
    [Symbol.asyncDispose]: () => renderer[Symbol.asyncDispose](),
  }
}

async function assetOf(path: string): Promise<AssetRecord> {
  const bytes = await Bun.file(path).bytes()
  const name = basename(path)
  const at = new Date(0)
  return {
    path,
    zone: 'bench',
    category: 'banners',
    name,
    format: extname(name).slice(1),
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    contentType: 'application/octet-stream',
    createdAt: at,
    changedAt: at,
    commitId: '',
  }
}
