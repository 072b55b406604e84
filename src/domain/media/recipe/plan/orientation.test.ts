import { expect, test } from 'bun:test'

import { orientationOf, turnedBox, turnedPoint, turnedSize } from './orientation.ts'

const leftTop = { x: 0, y: 0 }

for (const [flip, rotate, place] of [
  [undefined, undefined, { x: 0, y: 0 }],
  ['h', undefined, { x: 1, y: 0 }],
  [undefined, '90', { x: 1, y: 0 }],
  [undefined, '180', { x: 1, y: 1 }],
  [undefined, '270', { x: 0, y: 1 }],
  ['h', '90', { x: 1, y: 1 }],
  ['v', '90', { x: 0, y: 0 }],
  ['hv', '180', { x: 0, y: 0 }],
] as const)
  test(`flip=${flip} and rotate=${rotate} bring the left upper corner to its place`, () => {
    expect(turnedPoint(leftTop, orientationOf({ flip, rotate }))).toEqual(place)
  })

test('half a turn is mirroring both ways, and undoes it', () => {
  expect(orientationOf({ flip: undefined, rotate: '180' })).toEqual({
    flip: 'hv',
    rotate: undefined,
  })
  expect(orientationOf({ flip: 'hv', rotate: '180' })).toEqual({
    flip: undefined,
    rotate: undefined,
  })
})

test('a quarter changes width and height, and boxes go along', () => {
  const quarter = orientationOf({ flip: undefined, rotate: '90' })
  const box = turnedBox({ left: 0, top: 0.5, width: 0.25, height: 0.5 }, quarter)

  expect(turnedSize({ width: 3, height: 2 }, quarter)).toEqual({ width: 2, height: 3 })
  expect(box).toEqual({ left: 0, top: 0, width: 0.5, height: 0.25 })
})
