import { expect, test } from 'bun:test'

import { fitOf, ranked } from './fuzzy.ts'

const titles = (query: string, ...all: string[]) =>
  ranked(
    query,
    all.map((title) => ({ title })),
    10,
  ).map(({ title }) => title)

test('what is said by its beginning comes before what has the word somewhere', () => {
  expect(titles('pre', 'Compressed', 'Create a preview', 'Previews')).toEqual([
    'Previews',
    'Create a preview',
    'Compressed',
  ])
})

test('letters in their order find a title, letters that lie about do not', () => {
  expect(titles('cz', 'Create a zone', 'Edge rules')).toEqual(['Create a zone'])
  expect(fitOf('azq', 'Create a zone quickly')).toBe(20)
  expect(fitOf('rtn', 'Create a zone')).toBe(0)
})

test('every word has to be there, in any order, without case and accents', () => {
  expect(fitOf('zone create', 'Create a zone')).toBeGreaterThan(0)
  expect(fitOf('zone delete', 'Create a zone')).toBe(0)
  expect(fitOf('cafe', 'Café')).toBeGreaterThan(90)
})

test('a detail counts less than a title', () => {
  const items = [{ title: 'Home', detail: 'acme' }, { title: 'acme' }]
  expect(ranked('acme', items, 10).map(({ title }) => title)).toEqual(['acme', 'Home'])
})

test('a text of any length is looked at in no time', () => {
  expect(fitOf('ab'.repeat(5_000), 'ba'.repeat(500_000))).toBe(0)
})
