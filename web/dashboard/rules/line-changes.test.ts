import { expect, test } from 'bun:test'

import { lineChanges } from './line-changes.ts'

const signs = { same: ' ', added: '+', removed: '-' } as const
const shown = (before: string, after: string) =>
  lineChanges(before, after).map(({ kind, text }) => `${signs[kind]}${text}`)

test('what stays, goes and comes is told line by line', () => {
  expect(shown('a\nb\nc\n', 'a\nx\nc\n')).toEqual([' a', '-b', '+x', ' c'])
  expect(shown('', 'a\n')).toEqual(['+a'])
  expect(shown('a\n', '')).toEqual(['-a'])
  expect(shown('a\nb\n', 'a\nb\n')).toEqual([' a', ' b'])
  expect(shown('a\nb\nc\nd\n', 'b\nd\ne\n')).toEqual(['-a', ' b', '-c', ' d', '+e'])
  expect(shown('a\na\n', 'a\n')).toEqual([' a', '-a'])
})

test('texts of many lines are told without looking at every pair', () => {
  const many = (letter: string) =>
    Array.from({ length: 3000 }, (_, n) => `${letter}${n}\n`).join('')
  const changes = lineChanges(many('a'), many('b'))
  expect(changes).toHaveLength(6000)
})
