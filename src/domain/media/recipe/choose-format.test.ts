import { expect, test } from 'bun:test'

import { parseAccept } from './accepted-formats.ts'
import { chooseFormat } from './choose-format.ts'

const still = { isAnimated: false, hasAlpha: false }
const clear = { isAnimated: false, hasAlpha: true }
const moving = { isAnimated: true, hasAlpha: true }
const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'
const firefox = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5'
const safari =
  'image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/png,image/*;q=0.8,*/*;q=0.5'

for (const [accept, traits, format] of [
  [chrome, still, 'avif'],
  [firefox, clear, 'avif'],
  [safari, still, 'avif'],
  [chrome, moving, 'webp'],
  ['image/webp,*/*', still, 'webp'],
  ['*/*', still, 'jpeg'],
  ['*/*', clear, 'png'],
  ['*/*', moving, 'gif'],
  ['', clear, 'png'],
  ['image/*', still, 'jpeg'],
  ['image/png', still, 'png'],
  ['image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', still, 'jpeg'],
  ['image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', clear, 'png'],
  ['image/png,image/jpeg;q=0.5', still, 'png'],
  ['image/jpeg', clear, 'jpeg'],
  ['image/avif;q=0.5, image/webp', still, 'webp'],
  ['image/avif;q=0.9, image/webp;q=0.9', still, 'avif'],
  ['image/avif;q=0, image/webp;q=0.1', still, 'webp'],
  ['image/avif;q=0, image/*', still, 'jpeg'],
  ['image/avif;q=0.3, */*', still, 'jpeg'],
  ['IMAGE/AVIF', still, 'avif'],
  ['image/avif ; q=0.000', still, 'jpeg'],
  ['image/avif;q=banana', still, 'jpeg'],
  ['image/avif', moving, 'avif'],
  ['image/avif, image/webp', moving, 'webp'],
  ['image/png', moving, 'png'],
  ['text/html', clear, 'png'],
  ['text/html', still, 'jpeg'],
  ['image/jxl', moving, 'png'],
] as const)
  test(`Accept: ${accept} of a ${JSON.stringify(traits)} picture gives ${format}`, () => {
    expect(chooseFormat(parseAccept(accept), traits)).toBe(format)
  })

test('a very long field is read only so far', () => {
  expect(chooseFormat(parseAccept(`${'text/x,'.repeat(100_000)}image/avif`), still)).toBe('jpeg')
})
