import { expect, test } from 'bun:test'

import { asksForMeaning, definitionShare, definedWord } from './definitions.ts'
import { termsOf } from './terms.ts'

test('a message that asks what a word means is told from others', () => {
  for (const message of [
    'What is a zone?',
    'what’s an asset',
    'What does purge mean?',
    'What do you mean by variant?',
    'Define blob',
  ])
    expect({ message, asks: asksForMeaning(message) }).toEqual({ message, asks: true })
  for (const message of [
    'What is the largest file?',
    'What is in acme?',
    'What does it cost?',
    'which zones are there',
    'What is a good picture for a page about boats?',
    `What is a ${'very '.repeat(2_000)}long thing?`,
  ])
    expect({ message, asks: asksForMeaning(message) }).toEqual({ message, asks: false })
  expect(definedWord('What is a signed URL?')).toEqual(termsOf('signed url'))
})

test('a sentence about a word counts for more than one that uses it', () => {
  const shareOf = (text: string, word: string) =>
    definitionShare({ title: 'Concepts › Words', url: '/docs/concepts', text }, termsOf(word))

  expect(shareOf('A **zone** is a tenant.', 'zone')).toBe(1)
  expect(shareOf('Zones are tenants. An asset is a file.', 'asset')).toBe(0.9)
  expect(shareOf('`blobs/`: the bytes of what is published.', 'blob')).toBe(0.8)
  expect(shareOf('The segment after it is the **category**.', 'category')).toBe(0.7)
  expect(shareOf('A signed address is good for a while.', 'signed URL')).toBe(1)
  for (const text of [
    'Each zone has a name.',
    'zones: 25',
    'What a zone is found by: its name.',
    'Without it, zones are shut.',
  ])
    expect({ text, share: shareOf(text, 'zone') }).toEqual({ text, share: 0 })
})
