import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { overlaidText } from './text-value.ts'

const read = (text: string) => overlaidText.schema.safeParse(text).data

test('a text may be all there is, and may have an @ of its own', () => {
  expect(read('Hello')).toMatchObject({ text: 'Hello', place: 'center', size: 32, margin: 16 })
  expect(read('me@home')).toMatchObject({ text: 'me@home', place: 'center' })
  expect(read('me@home@north,12')).toMatchObject({ text: 'me@home', place: 'north', size: 12 })
})

test('what stands first, second and third is size, colour and margin; words stand anywhere', () => {
  expect(read('a@southeast,48,f80,0,bold,italic,wrap:50,opacity:80,box:black:40,right')).toEqual({
    text: 'a',
    place: 'southeast',
    size: 48,
    color: '#ff8800',
    margin: 0,
    isBold: true,
    isItalic: true,
    align: 'right',
    wrap: 50,
    opacity: 80,
    box: { color: '#000000', opacity: 40 },
  })
  expect(read('a@west,bold')).toMatchObject({ isBold: true, size: 32 })
  expect(read('a@west,,,5')).toMatchObject({ size: 32, color: '#ffffff', margin: 5 })
})

for (const [what, text] of [
  ['nothing', ''],
  ['blanks', '  \n '],
  ['a word that there is not', 'a@north,shadow'],
  ['a size that is too large', 'a@north,1001'],
  ['a colour that is none', 'a@north,20,red'],
  ['301 characters', 'a'.repeat(301)],
  ['10,000 characters', 'a'.repeat(10_000)],
  ['13 lines', 'a\n'.repeat(13)],
  ['an override of direction', 'abc\u202edef'],
  ['an isolate of direction', 'abc\u2067def\u2069'],
  ['a mark of direction', 'abc\u200fdef'],
  ['a character of no width', 'a\u200bb'],
  ['a soft hyphen', 'a\u00adb'],
  ['a control', 'a\u0007b'],
  ['half of a pair', 'a\ud800b'],
  ['what is for private use', 'a\ue000b'],
  ['a tag', 'a\u{e0041}b'],
  ['marks piled up', `a${'\u0301\u0302'.repeat(20)}`],
  ['letters that no font here has', '日本語'],
  ['a picture', '😀'],
  ['too many words', `a@north${',bold'.repeat(200)}`],
] as const)
  test(`${what} cannot be written over an image`, () => expect(read(text)).toBeUndefined())

test('whatever is sent, it is a text within bounds or refused, and soon', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const found = read(text)
      expect(found === undefined || found.text.length <= 300).toBe(true)
    }),
  )
  const before = performance.now()
  for (const unit of ['a', ',', '@', '@north,', '\u0301', ':', 'wrap:'])
    expect(read(unit.repeat(200_000))).toBeUndefined()
  expect(performance.now() - before).toBeLessThan(1000)
})
