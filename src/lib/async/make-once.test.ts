import { expect, test } from 'bun:test'

import { makeOnce } from './make-once.ts'

test('each name is made once, for all who ask', async () => {
  const made: string[] = []
  const find = makeOnce(async (name) => (made.push(name), name.toUpperCase()))

  expect(await Promise.all(['a', 'b', 'a'].map(find))).toEqual(['A', 'B', 'A'])
  expect(await find('a')).toBe('A')
  expect(made).toEqual(['a', 'b'])
})

test('what failed is made again', async () => {
  let tries = 0
  const find = makeOnce(async () => {
    tries += 1
    if (tries === 1) throw new Error('no room on the disk')
    return tries
  })

  expect(await find('a').catch((error: Error) => error.message)).toBe('no room on the disk')
  expect(await find('a')).toBe(2)
  expect(await find('a')).toBe(2)
})
