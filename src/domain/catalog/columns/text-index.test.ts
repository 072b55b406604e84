import { expect, test } from 'bun:test'

import { createTextIndex, type TextIndex, type WordPlace } from './text-index.ts'

function marked(index: TextIndex, word: string, place: WordPlace = 'anywhere'): number[] {
  const masks = new Uint32Array(index.size)
  const found = index.mark({ word, place, masks, bits: 4 })
  const ids = [...masks.keys()].filter((id) => masks[id] === 4)
  expect(found).toBe(ids.length > 0)
  return ids
}

function withTexts(...texts: readonly string[]) {
  const index = createTextIndex()
  for (const [id, text] of texts.entries()) index.add(id, text)
  return index
}

test('a word is found wherever it is in a text, and not across two texts', () => {
  const index = withTexts('sunflower', 'sun', 'flower-sun')

  expect(marked(index, 'sun')).toEqual([0, 1, 2])
  expect(marked(index, 'w')).toEqual([0, 2])
  expect(marked(index, 'wersun')).toEqual([])
  expect(marked(index, 'nf')).toEqual([0])
})

test('a word can be held to the start or the end of a text', () => {
  const index = withTexts('sunflower', 'sun', 'flower-sun')

  expect(marked(index, 'sun', 'start')).toEqual([0, 1])
  expect(marked(index, 'sun', 'end')).toEqual([1, 2])
  expect(marked(index, 's', 'start')).toEqual([0, 1])
  expect(marked(index, 'r', 'end')).toEqual([0])
})

test('nothing is a word that is everywhere, and a zero or half a character is nowhere', () => {
  const index = withTexts('a', 'b😀')

  expect(marked(index, '')).toEqual([0, 1])
  expect(marked(index, '', 'start')).toEqual([0, 1])
  expect(marked(index, '', 'end')).toEqual([0, 1])
  expect(marked(index, 'a\0')).toEqual([])
  expect(marked(index, '\ud83d')).toEqual([])
})

test('texts of every length are told apart from their neighbours', () => {
  const texts = Array.from({ length: 80 }, (_, length) => 'x'.repeat(length + 1))
  const index = withTexts(...texts)

  for (const [id, text] of texts.entries())
    expect(marked(index, text)).toEqual(texts.keys().drop(id).toArray())
})

test('what is removed is not found, though another text has its place by now', () => {
  const index = withTexts('qu-old', 'stays')

  for (const _ of index.remove([0])) expect(marked(index, 'stays')).toEqual([1])
  expect(marked(index, 'qu')).toEqual([])
  index.add(0, 'xx-new')

  expect(marked(index, 'qu')).toEqual([])
  expect(marked(index, 'old')).toEqual([])
  expect(marked(index, 'xx')).toEqual([0])
  expect(marked(index, 'stays')).toEqual([1])
})

test('texts that are added while others are being removed stay', () => {
  const texts = Array.from({ length: 12_000 }, (_, id) => `text-${id}`)
  const index = withTexts(...texts)
  let added = texts.length

  for (const _ of index.remove([...texts.keys()])) index.add(added++, 'text-new')

  expect(added).toBeGreaterThan(texts.length)
  expect(marked(index, 'te')).toHaveLength(added - texts.length)
})
