import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { lettersOf, tidyQuestion, wordsOf } from './words.ts'

test('names are taken apart at capitals, digits and signs, without case and accents', () => {
  expect(wordsOf('HomeIcon_2-Café.Été')).toEqual(['home', 'icon', '2', 'cafe', 'ete'])
  expect(wordsOf('设置 настройки')).toEqual(['设置', 'настроики'])
  expect(wordsOf('⚙️ -- ')).toEqual([])
})

test('any text becomes few words of bounded length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const words = wordsOf(tidyQuestion(text))
      expect(words.length).toBeLessThanOrEqual(24)
      for (const word of words) expect(word.length).toBeLessThanOrEqual(40)
    }),
    { numRuns: 50 },
  )
})

test('plain letters are taken apart as any others are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), (text) => {
      expect(wordsOf(`${text} é`)).toEqual([...wordsOf(text), 'e'])
    }),
  )
})

test('a question is its visible beginning', () => {
  expect(tidyQuestion('  a\u0000\u202e\tb  ')).toBe('a b')
  expect(tidyQuestion('\u0000 \n')).toBe('')
  expect(tidyQuestion('x'.repeat(10_000)).length).toBe(300)
})

test('letters are those of the words, whatever is between them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      expect(lettersOf(text)).toBe(wordsOf(text).join(''))
    }),
  )
  expect(lettersOf('HomeIcon_2 (b).svg')).toBe('homeicon2bsvg')
})
