import { expect, test } from 'bun:test'

import {
  chosenFolders,
  everything,
  isSelected,
  nothing,
  selectedCount,
  toggled,
  withPaths,
} from './selection.ts'

test('what is chosen one by one is counted and taken back', () => {
  const some = withPaths(toggled(nothing, 'a'), ['b', 'c', 'a'])
  expect([selectedCount(some, 10), isSelected(some, 'b'), isSelected(some, 'd')]).toEqual([
    3,
    true,
    false,
  ])
  expect(selectedCount(toggled(some, 'a'), 10)).toBe(2)
})

test('all of a list is chosen without knowing it, but for what is left out', () => {
  const most = toggled(everything, 'a')
  expect([selectedCount(most, 100_000), isSelected(most, 'a'), isSelected(most, 'z')]).toEqual([
    99_999,
    false,
    true,
  ])
  expect(selectedCount(withPaths(most, ['a', 'b']), 100_000)).toBe(100_000)
})

test('folders are chosen beside files', () => {
  const some = toggled(withPaths(nothing, ['acme/v1/a.svg']), 'acme/v1/logos/')
  expect([chosenFolders(some), selectedCount(some, 10)]).toEqual([['acme/v1/logos/'], 2])
  expect(chosenFolders(toggled(everything, 'acme/v1/a.svg'))).toEqual([])
})
