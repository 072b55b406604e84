import { expect, test } from 'bun:test'

import { parseRecipe } from './recipe.ts'

const read = (query: string) => parseRecipe(new URLSearchParams(query))

const qualityRange =
  'q must be an integer from 1 to 100, or auto, auto:best, auto:good, auto:eco or auto:low, or by format, as in 80,avif:60,webp:75'
const cropRange =
  'crop must be left,top,width,height or width,height in pixels of the source, or with p behind a number in percent of it'
const aspectRange =
  'ar must be two numbers with a colon between them, or one number, from 0.05 to 20, as in 16:9 or 1.5'
const cutRange =
  'cut must be 1, 2 or 4 lengths in pixels of the source, or with p behind a number in percent of it, as CSS orders them: top,right,bottom,left'
const borderRange =
  'border must be 1, 2 or 4 widths from 0 to 999, as CSS orders them, and behind them a colour of 3 or 6 hex digits, or black or white, as in 4,ff8800'
const trimRange =
  'trim must be an integer from 1 to 255, and behind it a colour, and h, v or hv, as far as they are wanted, as in 10,fff,hv'
const focalRange = 'focal must be two numbers from 0 to 1 with at most 3 decimals, as in 0.5,0.25'
const padRange =
  'pad must be 1, 2 or 4 lengths from 0 to 2000, as CSS orders them: top,right,bottom,left'

for (const [query, target, message] of [
  ['w=0', 'w', 'w must be an integer from 1 to 8192, or auto'],
  ['w=8193', 'w', 'w must be an integer from 1 to 8192, or auto'],
  ['h=-1', 'h', 'h must be an integer from 1 to 8192'],
  ['w=10.5', 'w', 'w must be an integer from 1 to 8192, or auto'],
  ['w=', 'w', 'w must be an integer from 1 to 8192, or auto'],
  ['w=1e3', 'w', 'w must be an integer from 1 to 8192, or auto'],
  ['w=0x10', 'w', 'w must be an integer from 1 to 8192, or auto'],
  ['w=%2010', 'w', 'w must be an integer from 1 to 8192, or auto'],
  ['q=0', 'q', qualityRange],
  ['q=101', 'q', qualityRange],
  ['blur=251', 'blur', 'blur must be an integer from 1 to 250'],
  ['sharpen=11', 'sharpen', 'sharpen must be an integer from 1 to 10'],
  ['dpr=0.5', 'dpr', 'dpr must be a number from 1 to 4 with at most 3 decimals, or auto'],
  ['dpr=NaN', 'dpr', 'dpr must be a number from 1 to 4 with at most 3 decimals, or auto'],
  ['w=4096&dpr=3', 'dpr', 'dpr must leave w × dpr at most 8192'],
  [
    'fit=squash',
    'fit',
    'fit must be one of cover, contain, fill, inside, outside, scale-down, crop, auto',
  ],
  ['format=bmp', 'format', 'format must be one of webp, avif, png, jpeg, jpg, gif, svg, jxl, auto'],
  ['flip=x', 'flip', 'flip must be one of h, v, hv'],
  ['flip=vh', 'flip', 'flip must be one of h, v, hv'],
  ['anim=true', 'anim', 'anim must be 0 or 1'],
  ['crop=1,2,3', 'crop', cropRange],
  ['crop=-1,0,3,3', 'crop', cropRange],
  ['crop=1e3,0,3,3', 'crop', cropRange],
  ['crop=0,0,3,3&trim=5', 'trim', 'trim must not come with crop'],
  ['focal=1.1,0', 'focal', focalRange],
  ['focal=0.5', 'focal', focalRange],
  ['bg=ff', 'bg', 'bg must be a colour of 3 or 6 hex digits, or black or white'],
  ['bg=%23fff', 'bg', 'bg must be a colour of 3 or 6 hex digits, or black or white'],
  ['pad=1,2,3', 'pad', padRange],
  ['pad=2001', 'pad', padRange],
  ['radius=0', 'radius', 'radius must be an integer from 1 to 4096, or max'],
  ['pixelate=1', 'pixelate', 'pixelate must be an integer from 2 to 250, or faces'],
  ['rotate=45', 'rotate', 'rotate must be one of 90, 180, 270'],
  ['brightness=5', 'brightness', 'brightness must be a number from 0 to 4 with at most 3 decimals'],
  ['lossless=1&format=jpg', 'lossless', 'lossless must be 0 for a jpeg'],
  ['scale=0', 'scale', 'scale must be a number from 0.01 to 10 with at most 3 decimals'],
  ['w=4096&scale=2.5', 'scale', 'scale must leave w × scale at most 8192'],
  ['ar=0:1', 'ar', aspectRange],
  ['ar=16:', 'ar', aspectRange],
  ['ar=1000', 'ar', aspectRange],
  ['w=1&h=1&ar=1', 'ar', 'ar must not come with both w and h'],
  ['offset=1', 'offset', 'offset must be two integers from -9999 to 9999, as in -20,40'],
  ['cut=1,2,3', 'cut', cutRange],
  ['cut=1&crop=0,0,3,3', 'cut', 'cut must not come with crop or trim'],
  ['cut=1&trim=3', 'cut', 'cut must not come with crop or trim'],
  ['gamma=0', 'gamma', 'gamma must be a number from 0.1 to 10 with at most 3 decimals'],
  ['hue=360', 'hue', 'hue must be an integer from 0 to 359'],
  ['border=4', 'border', borderRange],
  ['border=1,2,3,fff', 'border', borderRange],
  ['q=auto:fine', 'q', qualityRange],
  ['q=80,png:3', 'q', qualityRange],
  ['q=avif:60,avif:70', 'q', qualityRange],
  ['slow_q=auto', 'slow_q', 'slow_q must be an integer from 1 to 100'],
  ['trim=0', 'trim', trimRange],
  ['trim=10,fff,x', 'trim', trimRange],
  [
    'skip=bmp',
    'skip',
    'skip must be one or more of jpeg, png, webp, gif, avif, svg, with commas between them',
  ],
  ['max_bytes=10', 'max_bytes', 'max_bytes must be an integer from 500 to 100000000'],
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

test('what goes around is in device pixels too', () => {
  expect(read('border=1,2,fff&dpr=2&offset=-3,4&min_w=10&text=a@west,10')).toMatchObject({
    border: { color: '#ffffff', widths: { top: 2, right: 4, bottom: 2, left: 4 } },
    offset: { x: -6, y: 8 },
    minWidth: 20,
    texts: [{ text: 'a', place: 'west', size: 20, margin: 32 }],
  })
})
