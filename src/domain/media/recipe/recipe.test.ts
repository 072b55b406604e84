import { expect, test } from 'bun:test'

import { parseRecipe } from './recipe.ts'

const read = (query: string) => parseRecipe(new URLSearchParams(query))

for (const [query, target, message] of [
  ['w=0', 'w', 'w must be an integer from 1 to 8192'],
  ['w=8193', 'w', 'w must be an integer from 1 to 8192'],
  ['h=-1', 'h', 'h must be an integer from 1 to 8192'],
  ['w=10.5', 'w', 'w must be an integer from 1 to 8192'],
  ['w=', 'w', 'w must be an integer from 1 to 8192'],
  ['w=1e3', 'w', 'w must be an integer from 1 to 8192'],
  ['w=0x10', 'w', 'w must be an integer from 1 to 8192'],
  ['w=%2010', 'w', 'w must be an integer from 1 to 8192'],
  ['q=0', 'q', 'q must be an integer from 1 to 100'],
  ['q=101', 'q', 'q must be an integer from 1 to 100'],
  ['blur=251', 'blur', 'blur must be an integer from 1 to 250'],
  ['sharpen=11', 'sharpen', 'sharpen must be an integer from 1 to 10'],
  ['dpr=0.5', 'dpr', 'dpr must be a number from 1 to 4 with at most 3 decimals'],
  ['dpr=NaN', 'dpr', 'dpr must be a number from 1 to 4 with at most 3 decimals'],
  ['w=4096&dpr=3', 'dpr', 'dpr must leave w × dpr at most 8192'],
  ['fit=crop', 'fit', 'fit must be one of cover, contain, fill, inside, outside'],
  ['format=bmp', 'format', 'format must be one of webp, avif, png, jpeg, jpg, gif, svg, auto'],
  ['flip=x', 'flip', 'flip must be one of h, v, hv'],
  ['flip=vh', 'flip', 'flip must be one of h, v, hv'],
  ['anim=true', 'anim', 'anim must be 0 or 1'],
  ['w=1&w=2', 'w', 'w must be given at most once'],
] as const)
  test(`${query} is refused, naming the parameter and its range`, () => {
    expect(() => read(query)).toThrow(
      expect.objectContaining({ code: 'InvalidParameter', target, message }),
    )
  })

test('a gravity is the middle, a face, what draws the eye, or a point of the compass', () => {
  for (const gravity of ['center', 'face', 'auto', 'north', 'southwest'])
    expect(read(`gravity=${gravity}`).gravity as string).toBe(gravity)
  expect(() => read('gravity=up')).toThrow(/^gravity must be one of center, face, auto, north, /u)
})

test('the bounds themselves are allowed', () => {
  expect(read('w=1&h=8192&q=1&blur=250&sharpen=10&dpr=1')).toMatchObject({ width: 1, height: 8192 })
  expect(read('w=2048&dpr=4').width).toBe(8192)
})

test('lengths are in device pixels', () => {
  expect(read('w=100&h=33&dpr=1.5')).toMatchObject({ width: 150, height: 50 })
})

test('parameters of others are ignored', () => {
  expect(read('url=a&width=10&utm_source=x&toString=1')).toEqual(read(''))
})

test('order and spelled-out defaults do not matter', () => {
  expect(read('q=80&w=10&anim=1&format=auto')).toEqual(read('format=auto&anim=1&w=10&q=80'))
  expect(read('gravity=center&dpr=1&anim=1&format=auto')).toEqual(read(''))
})
