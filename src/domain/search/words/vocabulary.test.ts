import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createVocabulary } from './vocabulary.ts'

const words = ['settings', 'setting', 'setup', 'trash', 'house', 'home', 'arrow', 'cog', 'svg']

function openVocabulary() {
  const vocabulary = createVocabulary()
  for (const word of words) vocabulary.add(word)
  return (asked: string) => vocabulary.similar(asked).map(({ id }) => words[id])
}

test('the word itself comes first, then what begins like it', () => {
  expect(openVocabulary()('setting').slice(0, 2)).toEqual(['setting', 'settings'])
  expect(openVocabulary()('arr')).toEqual(['arrow'])
})

test('a letter too many, too few, changed or swapped finds the word', () => {
  for (const slip of ['trassh', 'trsh', 'trqsh', 'tarsh'])
    expect(openVocabulary()(slip)[0]).toBe('trash')
  expect(openVocabulary()('zzzzzz')).toEqual([])
})

test('any word can be added and is then found first', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zé设0-9]{1,40}$/u), (word) => {
      const vocabulary = createVocabulary()
      vocabulary.add('other')
      const id = vocabulary.add(word)
      expect(vocabulary.add(word)).toBe(id)
      expect(vocabulary.similar(word)[0]).toEqual({ id, similarity: 1 })
    }),
  )
})
