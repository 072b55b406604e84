import { expect, test } from 'bun:test'

import { MemoryMediaFactsStore } from '../../adapters/memory/media/memory-media-facts-store.ts'
import { type MemoryImage, MemoryRenderer } from '../../adapters/memory/media/memory-renderer.ts'
import { MemoryVariantStore } from '../../adapters/memory/media/memory-variant-store.ts'
import type { AssetMetadata } from '../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { ImageAnalysis, ImageHeader, TransformJob } from '../../ports/media/renderer.ts'
import { ServiceError } from '../errors.ts'
import { createCostModel } from './render/costs/cost-model.ts'
import { createReEncodedVariants } from './render/re-encoded-variants.ts'
import { createPreRenderedVariants } from './render/pre-rendered-variants.ts'
import { createImageService, type ImageResponse } from './image-service.ts'
import { createKnownMedia } from './facts/known-media.ts'
import { createRenderQueue } from './render/render-queue.ts'
import { createSmallerCopies } from './render/smaller-copies.ts'
import { createVariants } from './render/variants.ts'
import { headerSample } from '../../ports/media/media-facts-store.contract.ts'

const png: ImageHeader = { ...headerSample, width: 800, height: 400 }
const magic: Readonly<Record<string, string>> = {
  png: '\u0089PNG\r\n\u001a\n',
  jpg: '\u00ff\u00d8\u00ff',
  webp: 'RIFF----WEBP',
  gif: 'GIF89a',
  avif: '\0\0\0\u0018ftypavif\0\0\0\0avif',
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
}
const box = { left: 0, top: 0, width: 1, height: 1 }
const analysis: ImageAnalysis = {
  isGraphic: false,
  thumbHash: 'x',
  colors: [],
  faces: [{ left: 0.7, top: 0.2, width: 0.1, height: 0.2, score: 0.9 }],
  saliency: { point: { x: 0.1, y: 0.5 }, box },
  mips: [],
}
const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

/** A house with the given files; the SHA-256 of each is its path. */
function setUp(
  files: Readonly<Record<string, Partial<MemoryImage>>>,
  limit = 50_000,
  idle: { readonly preRenders?: boolean; readonly maxCostMs?: number } = {},
) {
  const pictures = new Map(
    Object.entries(files).map(([path, picture]) => [`/blobs/${path}`, { header: png, ...picture }]),
  )
  const assets = new Map(Object.keys(files).map((path) => [path, assetAt(path)]))
  const renderer = new MemoryRenderer(pictures, { slots: 1 })
  let at = 0
  const now = () => at
  const queue = createRenderQueue({ renderer, costs: createCostModel(), now })
  const used = { count: 0, shares: [] as (number | undefined)[] }
  const quota = {
    admit: () => {},
    async take(_zone: string, _payer: unknown, share?: number) {
      used.shares.push(share)
      if (used.count >= limit) throw new ServiceError('limit_reached', 'used up')
      used.count += 1
      return { refund: async () => void (used.count -= 1) }
    },
  }
  const log = { warn: () => {}, debug: () => {} }
  const store = new MemoryVariantStore({ maxBytes: 1e6, maxPerSource: 100 })
  const copies = createSmallerCopies(new MemoryVariantStore({ maxBytes: 1e6, maxPerSource: 4 }))
  const blobs = {
    open: async (sha256: string) => {
      const start = magic[sha256.slice(sha256.lastIndexOf('.') + 1)]
      return start === undefined ? undefined : new Blob([Buffer.from(start, 'latin1')])
    },
  }
  const sources = { path: async (sha256: string) => `/blobs/${sha256}` }
  const facts = new MemoryMediaFactsStore()
  const media = createKnownMedia({ store: facts, queue, blobs, files: sources, copies, now })
  const variants = createVariants({
    store,
    queue,
    quota,
    isErased: () => false,
    log,
    now,
    memoryBytes: 1e6,
  })
  const reEncoded = createReEncodedVariants({ variants, queue, log })
  const manifest = { asset: (path: string) => assets.get(path) }
  const preRendered = createPreRenderedVariants({ variants, queue, log })
  const images = createImageService({
    modeOf: () => 'open',
    manifest,
    blobs,
    files: sources,
    media,
    copies,
    variants,
    reEncoded,
    maxCostMs: idle.maxCostMs,
    ...(idle.preRenders === true && { preRendered }),
  })
  return {
    images,
    media,
    renderer,
    used,
    reEncoded,
    preRendered,
    wait: (ms: number) => {
      at += ms
    },
    transforms: () => renderer.begun.filter((job): job is TransformJob => job.kind === 'transform'),
    transform: (path: string, query = '', wish: Partial<Wish> = {}) =>
      images.transform({
        asset: assets.get(path) ?? assetAt(path),
        query: new URLSearchParams(query),
        accept: chrome,
        savesData: false,
        ...wish,
      }),
    auto: (path: string, accept: string | null = chrome, query = '') =>
      images.auto({ path, accept, query: new URLSearchParams(query), savesData: false }),
  }
}

interface Wish {
  readonly asset?: AssetRecord
  readonly accept: string | null
  readonly savesData: boolean
  readonly signal: AbortSignal
}

function assetAt(path: string): AssetRecord {
  const [zone = '', , category = ''] = path.split('/')
  const at = new Date(0)
  const format = path.slice(path.lastIndexOf('.') + 1)
  return {
    path,
    zone,
    category,
    name: path.slice(path.lastIndexOf('/') + 1),
    format,
    sizeBytes: 100,
    sha256: path,
    contentType: format === 'svg' ? 'image/svg+xml' : `image/${format}`,
    createdAt: at,
    changedAt: at,
    commitId: 'c',
  }
}

const photo = 'acme/v1/banners/photo.png'
const jobOf = async (answer: Promise<Pick<ImageResponse, 'body'>>) =>
  JSON.parse(
    await new Response((await answer).body as Uint8Array<ArrayBuffer>).text(),
  ) as TransformJob

test('a variant is made once; the next request has it from memory, byte for byte', async () => {
  const { transform, transforms, used } = setUp({ [photo]: {} })
  const first = await transform(photo, 'w=100')
  const second = await transform(photo, 'w=100')

  expect(first.cacheStatus).toEqual({ fwd: 'miss', stored: true, collapsed: false })
  expect(second.cacheStatus).toEqual({ hit: true, detail: 'memory' })
  expect(second.etag).toBe(first.etag)
  expect(first.etag).toMatch(/^"[0-9a-f]{32}"$/u)
  expect(transforms().length).toBe(1)
  expect(used.count).toBe(1)
})

for (const [spelling, other] of [
  ['w=100&h=50', 'h=50&w=100'],
  ['w=100', 'w=100&fit=cover&gravity=center&q=80&format=auto&dpr=1&anim=1'],
  ['w=50&dpr=2', 'w=100'],
  ['w=100', 'w=100&unknown=1'],
  ['w=5000', 'w=800'],
  ['', 'w=800&h=400'],
  ['w=100&format=png&q=10', 'w=100&format=png&q=90'],
] as const)
  test(`"${spelling}" and "${other}" are one variant`, async () => {
    const { transform, transforms } = setUp({ [photo]: {} })
    await transform(photo, spelling)
    await transform(photo, other)

    expect(transforms().length).toBe(1)
  })

test('what looks different is another variant', async () => {
  const { transform, transforms } = setUp({ [photo]: {} })
  const queries = [
    '',
    'w=100',
    'w=101',
    'w=100&q=79',
    'w=100&blur=1',
    'w=100&sharpen=1',
    'w=100&h=60',
    'w=100&h=60&gravity=east',
    'w=100&h=60&fit=fill',
    'w=100&h=60&fit=contain',
    'w=100&format=webp',
    'w=100&flip=h',
    'w=100&flip=hv',
  ]
  for (const query of queries) await transform(photo, query)

  expect(transforms().length).toBe(queries.length)
})

test('what was made before the pixels were looked at gives way to what suits them', async () => {
  const { transform, transforms, media } = setUp({
    [photo]: { analysis: { ...analysis, isGraphic: true } },
  })
  for (const format of ['avif', 'webp']) await transform(photo, `w=100&format=${format}`)
  await media.analysed(assetAt(photo), { priority: 'background' })
  for (const format of ['avif', 'webp']) await transform(photo, `w=100&format=${format}`)

  expect(transforms().map(({ output }) => [output.format, output.isGraphic])).toEqual([
    ['avif', false],
    ['webp', false],
    ['avif', true],
  ])
})

test('forty who ask at once wait for one render, which is charged once', async () => {
  const { transform, transforms, used } = setUp({ [photo]: {} })
  const answers = await Promise.all(Array.from({ length: 40 }, () => transform(photo, 'w=100')))

  expect(transforms().length).toBe(1)
  expect(used.count).toBe(1)
  expect(
    answers.filter(({ cacheStatus }) => 'fwd' in cacheStatus && cacheStatus.collapsed).length,
  ).toBe(39)
})

test('the format follows what the client accepts, and the answer says that it does', async () => {
  const { transform } = setUp({ [photo]: {} })
  const typeFor = async (accept: string) => (await transform(photo, 'w=9', { accept })).contentType

  expect(await typeFor(chrome)).toBe('image/avif')
  expect(await typeFor('image/webp,*/*')).toBe('image/webp')
  expect(await typeFor('*/*')).toBe('image/jpeg')
  expect((await transform(photo, 'w=9&q=70')).vary).toEqual(['Accept'])
  expect((await transform(photo, 'w=9')).vary).toEqual(['Accept', 'Save-Data'])
})

test('a client that saves data gets lower quality, unless the quality was asked for', async () => {
  const { transform } = setUp({ [photo]: {} })
  const qualityOf = async (query: string, savesData: boolean) =>
    (await jobOf(transform(photo, query, { savesData }))).output.quality

  expect(await qualityOf('w=9', true)).toBeLessThan(await qualityOf('w=9', false))
  expect(await qualityOf('w=9&q=90', true)).toBe(90)
})

test('a large picture is sent as WebP where the format is ours to choose, and the answer says why', async () => {
  const header = { ...png, width: 4000, height: 3000 }
  const { transform } = setUp({ [photo]: { header } })
  const answer = await transform(photo, '', { accept: chrome })

  expect(answer.contentType).toBe('image/webp')
  expect(answer.headers).toEqual({ 'Image-Notes': 'too-large-for-avif' })
})

test('a format that was named is made, or refused with what would do', async () => {
  const header = { ...png, width: 4000, height: 3000 }
  const { transform } = setUp({ [photo]: { header } })

  expect((await transform(photo, 'format=avif&w=3300')).contentType).toBe('image/avif')
  expect(transform(photo, 'format=avif')).rejects.toMatchObject({
    code: 'UnprocessableImage',
    target: 'format',
    message: expect.stringContaining('as avif at most 8.4') as string,
  })
})

test('an animated image that would grow too large is refused before anything is drawn', async () => {
  const header = { ...png, format: 'gif', width: 200, height: 200, frames: 40 } as const
  const { transform, renderer } = setUp({ [photo]: { header } })

  expect(transform(photo, 'w=2000&h=2000&format=webp')).rejects.toMatchObject({
    code: 'UnprocessableImage',
  })
  expect((await transform(photo, 'w=2000&h=2000&format=webp&anim=0')).contentType).toBe(
    'image/webp',
  )
  expect(renderer.begun.filter(({ kind }) => kind === 'transform').length).toBe(1)
})

test('every format that metadata lists can be named', async () => {
  const drawing = 'acme/v1/logos/logo.svg'
  const beside = 'acme/v1/logos/logo.png'
  const { transform } = setUp({ [photo]: {}, [drawing]: {}, [beside]: {} })
  const typeOf = async (path: string, format: string) =>
    (await transform(path, `format=${format}`)).contentType

  expect(await typeOf(photo, 'jpg')).toBe('image/jpeg')
  expect(await typeOf(photo, 'gif')).toBe('image/gif')
  expect(await typeOf(drawing, 'svg')).toBe('image/svg+xml')
  expect(await typeOf(beside, 'svg')).toBe('image/svg+xml')
  expect(typeOf(photo, 'svg')).rejects.toMatchObject({ code: 'InvalidParameter', target: 'format' })
})

test('gravity by face looks at the picture once and crops around the face', async () => {
  const { transform, renderer } = setUp({ [photo]: { analysis } })
  const { crop } = await jobOf(transform(photo, 'w=100&h=100&gravity=face'))
  await transform(photo, 'w=50&h=50&gravity=face')

  expect(crop).toEqual({ left: 100, top: 0, width: 100, height: 100 })
  expect(renderer.begun.filter(({ kind }) => kind === 'analyse').length).toBe(1)
  expect((await transform(photo, 'w=50&h=50&gravity=face')).headers).toEqual({
    'Image-Notes': 'focus-face',
  })
})

test('what was found moves with an image that is mirrored, a side that was named does not', async () => {
  const { transform } = setUp({ [photo]: { analysis } })
  const cropOf = async (query: string) =>
    (await jobOf(transform(photo, `w=100&h=100&${query}`))).crop?.left

  expect(await cropOf('gravity=face')).toBe(100)
  expect(await cropOf('gravity=face&flip=h')).toBe(0)
  expect(await cropOf('gravity=face&flip=v')).toBe(100)
  expect(await cropOf('gravity=east&flip=h')).toBe(100)
  expect((await jobOf(transform(photo, 'w=9&flip=hv'))).flip).toBe('hv')
})

test('gravity by eye follows what draws it; without a face, so does gravity by face', async () => {
  const { transform } = setUp({ [photo]: { analysis: { ...analysis, faces: [] } } })

  for (const gravity of ['auto', 'face']) {
    const answer = transform(photo, `w=100&h=100&gravity=${gravity}`)
    expect((await jobOf(answer)).crop).toMatchObject({ left: 0 })
    expect((await answer).headers).toEqual({ 'Image-Notes': 'focus-saliency' })
  }
})

test('the owner’s word on the subject stands above what was found, at once and until taken back', async () => {
  const { transform } = setUp({ [photo]: { analysis } })
  const leftOf = async (metadata?: AssetMetadata) => {
    const asset = { ...assetAt(photo), ...(metadata && { metadata }) }
    return (await jobOf(transform(photo, 'w=100&h=100&gravity=face', { asset }))).crop?.left
  }
  expect(await leftOf()).toBe(100)

  expect(await leftOf({ focalPoint: { x: 0.25, y: 0.5 } })).toBe(0)
  expect(await leftOf({ title: 'A' })).toBe(100)
})

test('equal bytes whose owners see two subjects in them are two variants', async () => {
  const { transform } = setUp({ [photo]: { analysis } })
  const cutAt = async (x: number) => {
    const asset = { ...assetAt(photo), metadata: { focalPoint: { x, y: 0.5 } } }
    return (await transform(photo, 'w=100&h=100&gravity=auto', { asset })).etag
  }

  const [one, other, again] = [await cutAt(0), await cutAt(1), await cutAt(0)]
  expect(other).not.toBe(one)
  expect(again).toBe(one)
})

test('no pixel is looked at where gravity changes nothing', async () => {
  const { transform, renderer } = setUp({ [photo]: { analysis } })
  for (const query of ['w=100&gravity=face', 'w=9&h=9&fit=inside&gravity=auto'])
    await transform(photo, query)

  expect(renderer.begun.map(({ kind }) => kind)).not.toContain('analyse')
})

test('a small result is made from a smaller copy where that is large enough', async () => {
  const raw = { width: 512, height: 256, channels: 4 as const }
  const mips = [
    { width: 512, height: 256, raw, bytes: new Uint8Array(10) },
    { width: 1280, height: 640, bytes: new Uint8Array(10) },
  ]
  const header = { ...png, width: 4000, height: 2000 }
  const { transform, media } = setUp({ [photo]: { header, analysis: { ...analysis, mips } } })
  await media.analysed(assetAt(photo), { priority: 'background' })

  // Copies of a store without files cannot be opened by a renderer, so the original is.
  expect((await jobOf(transform(photo, 'w=300'))).source.path).toBe(`/blobs/${photo}`)
})

test('a picture that cannot be read is refused, costs nothing, and is not tried again for a moment', async () => {
  const { transform, used, wait, renderer } = setUp({ [photo]: { fault: 'damaged' } })
  const refusal = {
    code: 'UnprocessableImage',
    message: 'The image must be whole and undamaged',
  }
  const attempt = () => transform(photo, 'w=100').catch((error: unknown) => error)

  expect(await attempt()).toMatchObject(refusal)
  expect(await attempt()).toMatchObject(refusal)
  expect([used.count, renderer.begun.length]).toEqual([0, 1])
  wait(11_000)
  expect(await attempt()).toMatchObject(refusal)
  expect([used.count, renderer.begun.length]).toEqual([0, 2])
})

test('what is no picture is refused before anything is started', async () => {
  const text = 'acme/v1/github/notes.txt'
  const { transform, renderer } = setUp({ [text]: {} })

  expect(transform(text)).rejects.toMatchObject({
    code: expect.stringMatching(/Unprocessable|Unavailable/u),
  })
  expect(renderer.begun).toEqual([])
})

test('over the monthly limit what is made already is still served', async () => {
  const { transform, used } = setUp({ [photo]: {} }, 1)
  await transform(photo, 'w=100')

  expect(transform(photo, 'w=101')).rejects.toMatchObject({ code: 'limit_reached' })
  expect(await transform(photo, 'w=100')).toMatchObject({ cacheStatus: { hit: true } })
  expect(used.count).toBe(1)
})

const vast = { header: { ...png, width: 6000, height: 6000 } }

test('what would cost too much is refused before anything is decoded, with what it would cost', async () => {
  const { transform, used, renderer } = setUp({ [photo]: vast }, 10, { maxCostMs: 1000 })
  const kinds = () => renderer.begun.map(({ kind }) => kind)

  await expect(transform(photo, 'w=4000')).rejects.toMatchObject({
    code: 'UnprocessableImage',
    message: expect.stringContaining('about 1.1 s of a processor, of 1.0 s'),
    context: { MaxCost: 1000 },
  })
  for (const query of ['w=3000&h=2000&gravity=face', 'w=3000&trim=10', 'w=2000&max_bytes=9000'])
    await expect(transform(photo, query)).rejects.toMatchObject({ code: 'UnprocessableImage' })
  expect(kinds()).toEqual(['inspect'])
  expect(used.count).toBe(0)
  await transform(photo, 'w=500&format=webp')
  expect(kinds()).toEqual(['inspect', 'transform'])
})

test('of what a network may have made in a minute, an image takes as much as it costs', async () => {
  const { transform, used } = setUp({ [photo]: vast })
  await transform(photo, 'w=100&format=webp')
  await transform(photo, 'w=6000&format=webp')

  expect(used.shares).toEqual([3, 10])
})

test('a refused parameter costs nothing and renders nothing', async () => {
  const { transform, used, renderer } = setUp({ [photo]: {} })

  expect(transform(photo, 'w=0')).rejects.toMatchObject({ code: 'InvalidParameter', target: 'w' })
  expect(transform(photo, 'w=8192&h=8192')).rejects.toMatchObject({ target: 'w' })
  expect(used.count).toBe(0)
  expect(renderer.begun.filter(({ kind }) => kind === 'transform')).toEqual([])
})

test('a job whose only waiter has left is dropped from the queue and not charged', async () => {
  const { transform, transforms, renderer, used, media } = setUp({ [photo]: {} })
  await media.find(assetAt(photo))
  renderer.hold()
  const leaving = new AbortController()
  const running = [transform(photo, 'w=100'), transform(photo, 'w=150')]
  await turns()
  const waiting = transform(photo, 'w=200', { signal: leaving.signal })
  await turns()
  leaving.abort(new Error('left'))

  expect(waiting).rejects.toThrow('left')
  await waiting.catch(() => {})
  renderer.release()
  await Promise.all(running)
  await turns()
  expect(transforms().length).toBe(2)
  expect(used.count).toBe(2)
})

const turns = async () => {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve()
}

test('what is asked for often is encoded once more, denser, and served under a new tag', async () => {
  const { transform, transforms, reEncoded, used } = setUp({ [photo]: {} })
  const before = await transform(photo, 'w=100')
  for (let use = 0; use < 3; use += 1) await transform(photo, 'w=100')
  await reEncoded.idle()

  const after = await transform(photo, 'w=100')
  expect(transforms().map(({ output }) => output.effort)).toEqual(['usual', 'dense'])
  expect(after.sizeBytes).toBeLessThan(before.sizeBytes)
  expect(after.etag).not.toBe(before.etag)
  expect(after.headers).toEqual({ 'Image-Notes': 'dense' })
  expect(used.count).toBe(1)
})

test('what was made for one client is made for the others while nobody waits, and costs them nothing', async () => {
  const { transform, transforms, preRendered, used } = setUp({ [photo]: {} }, 50_000, {
    preRenders: true,
  })
  await transform(photo, 'w=100')
  await until(() => transforms().length === 3)

  expect(transforms().map(({ output }) => output.format)).toEqual(['avif', 'webp', 'jpeg'])
  const webp = await transform(photo, 'w=100', { accept: 'image/webp,*/*' })
  const jpeg = await transform(photo, 'w=100', { accept: '*/*' })
  expect([webp.contentType, jpeg.contentType]).toEqual(['image/webp', 'image/jpeg'])
  await preRendered.stop()
  expect([transforms().length, used.count]).toEqual([3, 1])
})

test('a format that was named is not rendered in others ahead, and after the stop none are made', async () => {
  const { transform, transforms, preRendered } = setUp({ [photo]: {} }, 50_000, {
    preRenders: true,
  })
  await transform(photo, 'w=100&format=webp')
  await preRendered.stop()
  await transform(photo, 'w=90')
  await turns()
  expect(transforms().length).toBe(2)
})

test('told to stop, it encodes nothing again that has not begun', async () => {
  const { transform, transforms, reEncoded } = setUp({ [photo]: {} })
  await transform(photo, 'w=100')
  await reEncoded.stop()
  for (let use = 0; use < 3; use += 1) await transform(photo, 'w=100')
  await reEncoded.idle()
  expect(transforms().length).toBe(1)
})

const until = async (isSo: () => boolean) => {
  for (let turn = 0; turn < 100 && !isSo(); turn += 1) await turns()
}

const stem = 'acme/v1/logos/logo'
const svg = { header: { ...png, format: 'svg' as const, hasAlpha: true } }
const gif = { header: { ...png, format: 'gif' as const, frames: 4 } }

for (const [what, stored, accept, query, contentType, isStored] of [
  ['a stored AVIF', ['avif', 'webp', 'png'], chrome, '', 'image/avif', true],
  ['a stored WebP before an encoded AVIF', ['webp', 'png'], chrome, '', 'image/webp', true],
  ['an encoded AVIF before a stored PNG', ['png'], chrome, '', 'image/avif', false],
  ['an encoded AVIF of a drawing', ['svg'], chrome, '', 'image/avif', false],
  ['an encoded WebP', ['png', 'avif'], 'image/webp', '', 'image/webp', false],
  ['a stored PNG for a client that takes all', ['png', 'avif'], '*/*', '', 'image/png', true],
  ['a stored JPEG for a client that takes all', ['jpg', 'avif'], '*/*', '', 'image/jpg', true],
  [
    'an encoded PNG of a drawing for a client that takes all',
    ['svg'],
    '*/*',
    '',
    'image/png',
    false,
  ],
  [
    'a drawing for a client that names its type',
    ['svg'],
    'image/svg+xml',
    '',
    'image/svg+xml',
    true,
  ],
  ['PNG where nothing in Accept fits', ['svg', 'webp'], 'text/html', '', 'image/png', false],
  [
    'the stored PNG where nothing in Accept fits',
    ['svg', 'png', 'webp'],
    'application/json',
    '',
    'image/png',
    true,
  ],
  ['PNG without Accept', ['svg'], null, '', 'image/png', false],
  ['a moving WebP of a GIF', ['gif', 'png'], chrome, 'anim=1', 'image/webp', false],
  ['the GIF itself where WebP is not taken', ['gif', 'png'], '*/*', 'anim=1', 'image/gif', true],
  ['a still AVIF of a PNG beside a GIF', ['gif', 'png'], chrome, '', 'image/avif', false],
] as const)
  test(`auto gives ${what}`, async () => {
    const files = Object.fromEntries(
      stored.map((format) => [
        `${stem}.${format}`,
        format === 'svg' ? svg : format === 'gif' ? gif : {},
      ]),
    )
    const { auto } = setUp(files)
    const answer = await auto(stem, accept, query)

    expect(answer.contentType).toBe(contentType)
    expect('hit' in answer.cacheStatus && answer.cacheStatus.detail === 'source').toBe(isStored)
    expect(answer.vary).toContain('Accept')
  })

test('auto keeps a picture moving only where that is asked for', async () => {
  const { auto } = setUp({ [`${stem}.gif`]: gif })

  expect((await jobOf(auto(stem, 'image/webp', 'anim=1'))).isAnimated).toBe(true)
  expect((await jobOf(auto(stem, 'image/webp'))).isAnimated).toBe(false)
  expect(auto(stem, chrome, 'anim=2')).rejects.toMatchObject({ target: 'anim' })
})

test('auto takes a whole file name too', async () => {
  const { auto } = setUp({ [`${stem}.png`]: {}, [`${stem}.avif`]: {} })

  expect((await auto(`${stem}.png`)).contentType).toBe('image/avif')
})

test('auto knows nothing of what is not stored, or private', async () => {
  const { auto } = setUp({ 'acme/v1/private/a.png': {} })

  for (const path of [stem, 'acme/v1/private/a', 'acme/v1/private/a.png'])
    expect(auto(path)).rejects.toMatchObject({ code: 'AssetNotFound' })
})
