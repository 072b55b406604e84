import { expect, test } from 'bun:test'
import { isBlurhashValid } from 'blurhash'
import { rgbaToThumbHash } from 'thumbhash'

import type { ImageHeader } from '../../../ports/media/renderer.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { blurHashOf } from './blur-hash.ts'
import { imageTag, tagByFormat, srcsetOf } from './image-markup.ts'
import { responsiveImageOf } from './responsive-image.ts'
import { widthLadder, widthsBelow } from './width-ladder.ts'

const asset = {
  path: 'acme/v1/banners/höhe & tiefe.jpg',
  sha256: '0123456789abcdef'.repeat(4),
} as unknown as AssetRecord

const header: ImageHeader = {
  format: 'jpeg',
  width: 1000,
  height: 500,
  frames: 1,
  hasAlpha: false,
  isProgressive: false,
  isSrgb: true,
}

test('widths are steps of one ladder, and the natural one at the end', () => {
  expect(widthsBelow(1000)).toEqual([160, 320, 480, 640, 828, 1000])
  expect(widthsBelow(660)).toEqual([160, 320, 480, 660])
  expect(widthsBelow(50)).toEqual([50])
  expect(widthsBelow(100_000)).toEqual(widthLadder)
})

test('each size has its own URL, by the bytes of the file', () => {
  const image = responsiveImageOf(asset, { header }, 'https://images.example')

  expect(image.sources.at(-1)).toEqual({
    width: 1000,
    height: 500,
    url: 'https://images.example/api/transform?url=/acme/v1/banners/h%C3%B6he%20%26%20tiefe.jpg&v=0123456789abcdef&w=1000',
  })
  expect(image.src).toBe(image.sources.at(-1)?.url ?? '')
})

test('an SVG, and what moves, is had as it is', () => {
  for (const other of [{ format: 'svg' }, { format: 'gif', frames: 3 }] as const) {
    const image = responsiveImageOf(asset, { header: { ...header, ...other } }, '')
    expect([image.sources, image.src]).toEqual([
      [],
      '/acme/v1/banners/h%C3%B6he%20%26%20tiefe.jpg?v=0123456789abcdef',
    ])
  }
})

test('tags hold what is in them, whatever that is', () => {
  const image = responsiveImageOf(asset, { header }, '')
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
  const picture = tagByFormat(markup)
  expect(picture.match(/<source type="image\/(?:avif|webp)"/gu)).toHaveLength(2)
  expect(picture).toContain('&amp;format=avif 320w')
  expect(srcsetOf([])).toBeUndefined()
})

test('a BlurHash is made of a ThumbHash, and none of what is no ThumbHash', () => {
  const rgba = Uint8Array.from({ length: 20 * 10 * 4 }, (_, index) =>
    index % 4 === 3 ? 255 : index % 256,
  )
  const hash = blurHashOf(Buffer.from(rgbaToThumbHash(20, 10, rgba)).toString('base64')) ?? ''

  expect(isBlurhashValid(hash)).toEqual({ result: true })
  expect(blurHashOf('')).toBeUndefined()
})
