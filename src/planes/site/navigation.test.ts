import { expect, test } from 'bun:test'

import { navigationOf } from './navigation.ts'

test('pages that are not there are left out, and so are sections without any', () => {
  expect(navigationOf(['errors'])).toEqual([{ title: 'Look up', pages: ['errors'] }])
})

test('a page that no section names is shown all the same', () => {
  expect(navigationOf(['zebra', 'errors', 'apple']).at(-1)).toEqual({
    title: 'More',
    pages: ['apple', 'zebra'],
  })
})
