import { expect, test } from 'bun:test'
import { isBlurhashValid } from 'blurhash'
import { rgbaToThumbHash } from 'thumbhash'

import type { ImageHeader } from '../../../ports/media/renderer.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { blurHashOf } from './blur-hash.ts'
import { imageTag, neededBy, srcsetOf, tagByFormat } from './image-markup.ts'
import { responsiveImageOf } from './responsive-image.ts'
import { widthLadder } from '../../../lib/width-ladder.ts'
import { widthsBelow } from './width-ladder.ts'
import { headerSample } from '../../../ports/media/media-facts-store.contract.ts'

const asset = {
  path: 'acme/v1/banners/höhe & tiefe.jpg',
  sha256: '0123456789abcdef'.repeat(4),
} as unknown as AssetRecord

const header: ImageHeader = { ...headerSample, format: 'jpeg', width: 1000, height: 500 }

test('widths are steps of one ladder, and the natural one at the end', () => {
  const upTo = (most: number) => widthLadder.filter((width) => width <= most)
  expect(widthsBelow(1000)).toEqual([...upTo(864), 1000])
  expect(widthsBelow(660)).toEqual([...upTo(600), 660])
  // What is next to natural is left out where the step before is near enough.
  expect(widthsBelow(600)).toEqual([...upTo(480), 600])
  expect(widthsBelow(20)).toEqual([20])
  expect(widthsBelow(100_000)).toEqual(widthLadder)
})

test('no box is shown an image that is more than a quarter too wide for it', () => {
  for (let natural = 32; natural < 4000; natural += 7) {
    const widths = widthsBelow(natural)
    for (let box = 32; box <= Math.min(natural, 3750); box += 13) {
      const chosen = widths.find((width) => width >= box) ?? 0
      if (chosen > 1.25 * box) expect({ natural, box, chosen }).toBeUndefined()
    }
  }
})

test('each size has its own URL, by the bytes of the file', () => {
  const image = responsiveImageOf(asset, { header }, { baseUrl: 'https://images.example' })

  expect(image.sources.at(-1)).toEqual({
    width: 1000,
    height: 500,
    url: 'https://images.example/api/transform?url=/acme/v1/banners/h%C3%B6he%20%26%20tiefe.jpg&v=0123456789abcdef&w=1080',
  })
  expect(image.src).toBe(image.sources.at(-1)?.url ?? '')
})

test('an SVG, and what moves, is had as it is', () => {
  for (const other of [{ format: 'svg' }, { format: 'gif', frames: 3 }] as const) {
    const image = responsiveImageOf(asset, { header: { ...header, ...other } }, { baseUrl: '' })
    expect([image.sources, image.src]).toEqual([
      [],
      '/acme/v1/banners/h%C3%B6he%20%26%20tiefe.jpg?v=0123456789abcdef',
    ])
  }
})

test('an image of a version is named in that version', () => {
  const of = (version: string) => responsiveImageOf(asset, { header }, { baseUrl: '', version })
  expect(of('~spring').src).toStartWith('/api/transform?url=/@~spring/acme/v1/banners/')
  const svg = { header: { ...header, format: 'svg' } } as const
  expect(responsiveImageOf(asset, svg, { baseUrl: '', version: 'abcdef0' }).src).toStartWith(
    '/@abcdef0/acme/v1/banners/',
  )
})

test('tags hold what is in them, whatever that is', () => {
  const image = responsiveImageOf(asset, { header }, { baseUrl: '' })
  const markup = {
    image,
    alt: `"><script>alert('x')</script>`,
    sizes: '50vw',
    placeholder: undefined,
  }
  const tag = imageTag(markup)

  expect(tag).toContain('alt="&quot;&gt;&lt;script&gt;alert(\'x\')&lt;/script&gt;"')
  expect(tag).toContain('width="1000" height="500"')
  expect(tag.match(/</gu)).toHaveLength(1)
  expect(tag).toContain(`&amp;w=160 160w`)
  expect(tag).not.toContain(`132w`)
  const picture = tagByFormat(markup)
  expect(picture.match(/<source type="image\/(?:avif|webp)"/gu)).toHaveLength(2)
  expect(picture).toContain('&amp;format=avif 308w')
  expect(srcsetOf([])).toBeUndefined()
})

test('tags name no size that is too small for every page that they fit into', () => {
  const { sources } = responsiveImageOf(asset, { header }, { baseUrl: '' })
  const least = (sizes: string) => neededBy(sizes, sources)[0]?.width
  expect(least('100vw')).toBe(384)
  expect(least('(max-width: 600px) 100vw, 50vw')).toBe(160)
  expect(least('(max-width: 600px) 100vw, 240px')).toBe(248)
  expect(least('5000px')).toBe(1000)
  for (const sizes of ['auto', '', 'calc(100vw - 2rem)', '20em', 'not print 10vw, 50vw'])
    expect(neededBy(sizes, sources)).toEqual(sources)
})

test('a BlurHash is made of a ThumbHash, and none of what is no ThumbHash', () => {
  const rgba = Uint8Array.from({ length: 20 * 10 * 4 }, (_, index) =>
    index % 4 === 3 ? 255 : index % 256,
  )
  const hash = blurHashOf(Buffer.from(rgbaToThumbHash(20, 10, rgba)).toString('base64')) ?? ''

  expect(isBlurhashValid(hash)).toEqual({ result: true })
  expect(blurHashOf('')).toBeUndefined()
})
