import { expect, test } from 'bun:test'
import { counted } from './count-noun.ts'

test('one is one, everything else is many', () => {
  expect([0, 1, 2].map((count) => counted(count, 'asset'))).toEqual([
    '0 assets',
    '1 asset',
    '2 assets',
  ])
  expect(counted(1, 'country', 'countries')).toBe('1 country')
  expect(counted(3, 'country', 'countries')).toBe('3 countries')
})
