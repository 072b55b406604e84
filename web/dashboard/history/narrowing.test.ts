import { expect, test } from 'bun:test'

import { dayOf, endOfDay, prefixOf } from './narrowing.ts'

test('a folder is meant however it is written, and nothing means the whole zone', () => {
  for (const typed of ['icons', '/icons/', 'v1/icons', ' v1/icons/ '])
    expect({ typed, prefix: prefixOf(typed) }).toEqual({ typed, prefix: 'v1/icons' })
  expect(prefixOf('v1')).toBe('v1')
  expect(prefixOf('v1-old')).toBe('v1/v1-old')
  for (const typed of ['', '  ', '/']) expect(prefixOf(typed)).toBeUndefined()
})

test('a day ends where somebody looks at it, and what is no day is for the service to refuse', () => {
  const end = new Date(endOfDay('2026-03-01'))
  expect(dayOf(end)).toBe('2026-03-01')
  expect([end.getHours(), end.getMinutes(), end.getSeconds()]).toEqual([23, 59, 59])
  expect(endOfDay('yesterday')).toBe('yesterday')
})
