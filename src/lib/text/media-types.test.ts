import { expect, test } from 'bun:test'

import { contentTypeOf } from '../../domain/content/media-type.ts'
import { isHarmless } from './media-types.ts'

test.each([
  'image/png',
  'IMAGE/PNG',
  'text/plain; charset=utf-8',
  'text/plain;charset="utf-8"',
  'video/mp4; codecs="avc1.64001f"',
  'application/octet-stream',
])('%s is harmless', (type) => {
  expect(isHarmless(type)).toBeTrue()
})

test.each([
  '',
  'text/html',
  'text/plain, text/html',
  'text/plain; a="b, text/html; c"',
  'text/plain;charset=utf-8,text/html',
  'multipart/x-mixed-replace; boundary=x',
  'multipart/related',
  'message/rfc822',
  'text/rdf',
  'text/xml',
  'text/xsl',
  'application/xhtml+xml',
  'application/xml',
  'application/mathml+xml',
  'image/svg+xml',
  'application/dash+xml',
  'image/svg-xml',
  'text/x-unheard-of',
  'text',
  `text/plain;a=${'b'.repeat(300)}`,
])('%p may be active', (type) => {
  expect(isHarmless(type)).toBeFalse()
})

test('of the types that names say, those of documents are active and no others', () => {
  const names =
    'svg png jpg webp avif gif ico bmp tif heic jxl mp4 m4s webm mov ts m3u8 mpd mp3 m4a ogg wav flac vtt srt woff woff2 ttf otf html htm css js mjs json map webmanifest xml txt md csv pdf wasm zip gz unknown'
  const active = names.split(' ').filter((name) => !isHarmless(contentTypeOf(`a.${name}`)))
  expect(active).toEqual(['svg', 'mpd', 'html', 'htm', 'xml'])
})

test('a long type takes no time', () => {
  const start = performance.now()
  isHarmless(`text/plain${'; a=b'.repeat(4000)}`)
  isHarmless(`text/plain${' '.repeat(20_000)};`)
  expect(performance.now() - start).toBeLessThan(200)
})
