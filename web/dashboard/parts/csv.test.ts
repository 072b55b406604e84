import { expect, test } from 'bun:test'

import { csvOf } from './csv.ts'

test('a table for spreadsheets has quotes where it must, and no formula of others', () => {
  expect(
    csvOf(
      ['a', 'b'],
      [
        ['x,"y"', 1],
        ['=1+1', null],
        ['\n', -2],
      ],
    ),
  ).toBe('a,b\r\n"x,""y""",1\r\n\'=1+1,\r\n"\n",-2\r\n')
})
