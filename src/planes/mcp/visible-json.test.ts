import { expect, test } from 'bun:test'

import { visibleJson } from './visible-json.ts'

test('nothing hides in what tenants wrote, and it says the same', () => {
  const names = [
    'a\u202egnp.exe',
    'tag\u{e0041}\u{e0042}',
    'zero\u200bwidth',
    '\u0007bell',
    '\ue000',
    'ä"\n',
  ]
  const text = visibleJson(names)
  expect(text).not.toMatch(/[\p{C}\u2028]/u)
  expect(JSON.parse(text)).toEqual(names)
})
