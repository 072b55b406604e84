import { expect, test } from 'bun:test'

import { hintRequests, hintsFor } from './hint-fields.ts'
import { parseRecipe } from './recipe.ts'

const read = (query: string, hints = {}) => parseRecipe(new URLSearchParams(query), hints)

test('a width follows what the client says, in the steps of a ladder', () => {
  for (const [hints, width] of [
    [{ width: 400, density: 2 }, 480],
    [{ width: 480 }, 480],
    [{ viewportWidth: 400, density: 2 }, 864],
    [{ viewportWidth: 1900 }, 1920],
    [{ width: 19_000 }, 3750],
    [{}, 1080],
  ] as const)
    expect(read('w=auto', hints).width).toBe(width)
  expect(read('w=auto&dpr=3', { width: 100 }).width).toBe(108)
})

test('a density follows it too, and multiplies lengths as one that is named', () => {
  expect(read('w=100&dpr=auto', { density: 1.7 }).width).toBe(200)
  expect(read('w=100&dpr=auto', { density: 9 }).width).toBe(400)
  expect(read('w=100&dpr=auto').width).toBe(100)
})

test('only what follows the client is said to depend on it, and asked for', () => {
  expect(hintsFor(read('w=100&q=80'))).toEqual([])
  expect(hintsFor(read('w=100'))).toEqual(['Save-Data'])
  expect(hintRequests(read('w=100'))).toEqual({})
  expect(hintsFor(read('w=100&q=80&slow_q=40'))).toEqual(['Save-Data', 'ECT'])
  expect(hintRequests(read('slow_q=40'))).toEqual({ 'Accept-CH': 'ECT' })
  expect(hintRequests(read('w=auto&dpr=auto'))).toEqual({
    'Accept-CH': 'Sec-CH-Width, Sec-CH-Viewport-Width, Sec-CH-DPR',
    'Critical-CH': 'Sec-CH-Width, Sec-CH-Viewport-Width, Sec-CH-DPR',
  })
})
