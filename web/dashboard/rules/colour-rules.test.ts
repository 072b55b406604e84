import { expect, test } from 'bun:test'

import { piecesOf } from './colour-rules.ts'

const kinds = (file: '_headers' | '_redirects' | '_transforms', line: string) =>
  piecesOf(file, line)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, kind }) => [text.trim(), kind])

test('each part of a line has its kind', () => {
  expect(kinds('_headers', '/a/*')).toEqual([['/a/*', 'path']])
  expect(kinds('_headers', '  X-A: b: c')).toEqual([
    ['X-A:', 'name'],
    ['b: c', 'value'],
  ])
  expect(kinds('_redirects', '/a  /b 301 Country=CH  # gone')).toEqual([
    ['/a', 'path'],
    ['/b', 'path'],
    ['301', 'status'],
    ['Country=CH', 'name'],
    ['# gone', 'comment'],
  ])
  expect(kinds('_transforms', 'card  w=4')).toEqual([
    ['card', 'path'],
    ['w=', 'name'],
    ['4', 'value'],
  ])
  expect(kinds('_headers', ' # said')).toEqual([['# said', 'comment']])
})

test('the parts of a line are the line', () => {
  for (const file of ['_headers', '_redirects', '_transforms'] as const)
    for (const line of ['', '   ', '/a\t/b 301!', ' x = y', 'a=b=c #', '  ! X', ':::', '/é  ü=1'])
      expect(
        piecesOf(file, line)
          .map(({ text }) => text)
          .join(''),
      ).toBe(line)
})
