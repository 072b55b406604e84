import { patient } from '../../../test/fixtures/patience.ts'
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  decode,
  distance,
  green,
  painted,
  sampleImageDirectory,
  quarters,
  red,
  yellow,
} from '../../../test/fixtures/sample-images.ts'
import { openDiskBlobStore } from '../../adapters/disk/disk-blob-store.ts'
import { openDiskVariantStore } from '../../adapters/disk/disk-variant-store.ts'
import { MemoryMediaFactsStore } from '../../adapters/memory/media/memory-media-facts-store.ts'
import { openSharpRenderer } from '../../adapters/sharp/sharp-renderer.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { createCostModel } from './render/costs/cost-model.ts'
import { createImageService, type ImageResponse, type TransformRequest } from './image-service.ts'
import { createKnownMedia } from './facts/known-media.ts'
import { createRenderQueue } from './render/render-queue.ts'
import { createSmallerCopies } from './render/smaller-copies.ts'
import { createVariants } from './render/variants.ts'

const now = () => performance.now()

/** The service with its real renderer, its real caches, and its real blobs. */
async function setUp(bytesByPath: Readonly<Record<string, Uint8Array>>) {
  const disk = await sampleImageDirectory()
  const blobs = await openDiskBlobStore({ directory: join(disk.directory, 'blobs') })
  const assets = new Map<string, AssetRecord>()
  for (const [path, bytes] of Object.entries(bytesByPath)) {
    await using incoming = await blobs.receive(bytes)
    assets.set(path, assetOf(path, await incoming.keep()))
  }
  const renderer = await openSharpRenderer({ slots: 1, ...patient })
  const queue = createRenderQueue({ renderer, costs: createCostModel(), now, maxWaitMs: 60_000 })
  const limits = { maxBytes: 1e8, maxPerSource: 10 }
  const open = (name: string) =>
    openDiskVariantStore({ directory: join(disk.directory, name), ...limits, now })
  const copies = createSmallerCopies(await open('mips'))
  const facts = new MemoryMediaFactsStore()
  const media = createKnownMedia({ store: facts, queue, blobs, files: blobs, copies, now })
  const charged: string[] = []
  const quota = {
    admit: () => {},
    async take() {
      charged.push('take')
      return { refund: async () => void charged.push('refund') }
    },
  }
  const manifest = { asset: (path: string) => assets.get(path) }
  const log = { warn: () => {} }
  const start = async () => {
    const store = await open('variants')
    const variants = createVariants({
      store,
      queue,
      quota,
      isErased: () => false,
      log,
      now,
      memoryBytes: 1e7,
    })
    return createImageService({
      modeOf: () => 'open',
      manifest,
      blobs,
      files: blobs,
      media,
      copies,
      variants,
    })
  }
  return {
    media,
    start,
    charged,
    assetAt: (path: string) => assets.get(path) ?? assetOf(path, { sha256: '', sizeBytes: 0 }),
    async [Symbol.asyncDispose]() {
      await renderer[Symbol.asyncDispose]()
      await disk[Symbol.asyncDispose]()
    },
  }
}

const assetOf = (
  path: string,
  blob: { readonly sha256: string; readonly sizeBytes: number },
): AssetRecord => ({
  ...blob,
  path,
  zone: 'acme',
  category: 'logos',
  name: path,
  format: 'png',
  contentType: 'image/png',
  createdAt: new Date(0),
  changedAt: new Date(0),
  commitId: '',
})

const request = (asset: AssetRecord, query: string): TransformRequest => ({
  asset,
  query: new URLSearchParams(query),
  accept: '*/*',
  savesData: false,
})

const bytesOf = async ({ body }: Pick<ImageResponse, 'body'>) =>
  body instanceof Uint8Array ? body : await body.bytes()

test('a transform from bytes to bytes: cropped, encoded, cached, and there after a restart', async () => {
  const shape = { width: 400, height: 200 }
  const path = 'acme/v1/logos/a.png'
  await using house = await setUp({
    [path]: await painted(shape, quarters(shape)).png().toBuffer(),
  })
  const images = await house.start()
  const wish = request(house.assetAt(path), 'w=50&h=50&gravity=east&format=png')
  const first = await images.transform(wish)
  const decoded = await decode(await bytesOf(first))

  expect(first).toMatchObject({ contentType: 'image/png', cacheStatus: { fwd: 'miss' } })
  expect([decoded.width, decoded.height]).toEqual([50, 50])
  expect(distance(decoded.at(45, 5), green)).toBeLessThan(3)
  expect(distance(decoded.at(45, 45), yellow)).toBeLessThan(3)

  const restarted = await (await house.start()).transform(wish)
  expect(restarted).toMatchObject({ etag: first.etag, cacheStatus: { hit: true, detail: 'store' } })
  expect(house.charged).toEqual(['take'])
})

test('what is made from a smaller copy looks like what is made from the original', async () => {
  const shape = { width: 1400, height: 700 }
  const path = 'acme/v1/logos/a.png'
  await using house = await setUp({
    [path]: await painted(shape, quarters(shape)).png().toBuffer(),
  })
  const images = await house.start()
  const asset = house.assetAt(path)
  const original = await images.transform(request(asset, 'w=200&format=png'))
  const { analysis } = await house.media.analysed(asset, { priority: 'background' })
  const copy = await images.transform(request(asset, 'w=201&format=png'))
  const [before, after] = [await decode(await bytesOf(original)), await decode(await bytesOf(copy))]

  expect(analysis?.mips.map(({ width }) => width)).toEqual([512])
  for (const [x, y] of [
    [10, 10],
    [190, 10],
    [10, 90],
    [190, 90],
  ] as const)
    expect(distance(after.at(x, y), before.at(x, y))).toBeLessThan(4)
})

test('what is no picture, or a broken one, is refused and not charged', async () => {
  const shape = { width: 100, height: 100 }
  const png = await painted(shape, () => red)
    .png()
    .toBuffer()
  await using house = await setUp({ text: Buffer.from('hello'), cut: png.subarray(0, 60) })
  const images = await house.start()

  for (const path of ['text', 'cut']) {
    const failure = await images
      .transform(request(house.assetAt(path), 'w=9'))
      .then(undefined, String)
    expect(failure).toMatch(/The image (?:is of a kind|must be whole)/u)
    expect(failure).not.toMatch(/vips|\/tmp|sharp/iu)
  }
  expect(house.charged.filter((each) => each === 'take').length).toBe(
    house.charged.filter((each) => each === 'refund').length,
  )
})
