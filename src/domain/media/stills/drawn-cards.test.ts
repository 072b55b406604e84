import { expect, test } from 'bun:test'
import fc from 'fast-check'
import sharp from 'sharp'

import type { Variant } from '../../../ports/media/variant-store.ts'
import { cardKeyOf, cardOf, createDrawnCards } from './drawn-cards.ts'
import { stillName } from './still-names.ts'

test('a card is an SVG of some kilobytes whatever the file is called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string(), (name, format) => {
      const svg = cardOf(name, format)
      const [text = ''] = svg.match(/<text[^>]*font-size="26".*$/u) ?? []

      expect(svg.length).toBeLessThan(4000)
      expect(svg.isWellFormed()).toBe(true)
      expect(text.match(/<tspan/gu)?.length ?? 0).toBeLessThan(4)
      expect(svg).not.toMatch(/\p{Cc}/u)
    }),
    { verbose: true },
  )
})

test('what a name says as markup is seen as text', async () => {
  const svg = cardOf('</text><image href="file:///etc/passwd"/>&lt;', '<x>')
  expect(svg).not.toContain('<image')
  const { width, height } = await sharp(Buffer.from(svg)).metadata()
  expect([width, height]).toEqual([640, 480])
})

test('a long name is cut, and says so', () => {
  expect(cardOf('a'.repeat(500), 'zip')).toContain('…')
  expect(cardOf('short.zip', 'zip')).toContain('>short.zip<')
})

test("the card of a moment or a page that a file does not have is the file's own", async () => {
  const kept: Variant[] = []
  const cards = createDrawnCards({
    path: async () => undefined,
    put: async (variant) => void kept.push(variant),
  })
  const sha256 = 'ab'.repeat(32)
  const names = [{}, { preview: 10 }, { page: 3 }, { seconds: 1 }].map((at) =>
    stillName(sha256, at),
  )
  const facts = await Promise.all(
    names.map((name) => cards.of({ sha256: name, name: 'a.css', format: 'css' })),
  )

  expect(kept.map((variant) => variant.sourceSha256)).toEqual(names.map(() => sha256))
  expect(facts.map((each) => cardKeyOf(each.sha256))).toEqual(kept.map(({ key }) => key))
  expect(names.every((name) => cards.isKnown(name))).toBe(true)
})
