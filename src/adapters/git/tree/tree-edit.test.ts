import { expect, test } from 'bun:test'

import { isTreePath } from './tree-edit.ts'

test('a path of a tree has no segment that a clone could be harmed by', () => {
  const unsafe = [
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    'a/.',
    '..',
    'a/../b',
    '.git',
    'a/.GIT/b',
    'a\n',
    '\0',
  ]
  expect(unsafe.filter(isTreePath)).toEqual([])
  const safe = ['a', 'a/b', '.a', '...', 'a/..b', '.gitx', 'x.git', 'a/.github/b', 'a b', 'é']
  expect(safe.filter(isTreePath)).toEqual(safe)
})
