import { expect, test } from 'bun:test'

import { rememberRecent } from './remember-recent.ts'

test('the same text is computed once, and no more than so many answers are kept', () => {
  const asked: string[] = []
  const remember = rememberRecent((text: string) => {
    asked.push(text)
    return text.length
  }, 2)

  expect(['a', 'bb', 'a', 'ccc', 'bb', 'a'].map(remember)).toEqual([1, 2, 1, 3, 2, 1])
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a'])
})
