import { expect, test } from 'bun:test'
import fc from 'fast-check'

import type { ServiceError } from '../../../errors.ts'
import type { Focus } from './fits.ts'
import { layOut, resultSizeOf } from './layout.ts'
import type { Size } from '../../../../ports/media/renderer.ts'
import { parseRecipe, type Recipe } from '../recipe.ts'

const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const

const center: Focus = () => ({ x: 0.5, y: 0.5 })
const bitmap = { size: { width: 600, height: 400 }, isVector: false, frames: 1 }
const drawing = { ...bitmap, isVector: true }

interface Wish {
  readonly width?: number
  readonly height?: number
  readonly fit?: Recipe['fit']
}

const wishOf = ({ width, height, fit }: Wish) => ({
  width,
  height,
  fit,
})

for (const [wish, source, size] of [
  [{}, bitmap, '600x400'],
  [{ width: 300 }, bitmap, '300x200'],
  [{ height: 200 }, bitmap, '300x200'],
  [{ width: 1200 }, bitmap, '600x400'],
  [{ width: 1200, fit: 'cover' }, bitmap, '1200x800'],
  [{ height: 800, fit: 'inside' }, bitmap, '1200x800'],
  [{ width: 1200 }, drawing, '1200x800'],
  [{ width: 100, height: 100 }, bitmap, '100x100'],
  [{ width: 1000, height: 1000 }, bitmap, '1000x1000'],
  [{ width: 100, height: 100, fit: 'contain' }, bitmap, '100x100'],
  [{ width: 100, height: 100, fit: 'fill' }, bitmap, '100x100'],
  [{ width: 100, height: 100, fit: 'inside' }, bitmap, '100x67'],
  [{ width: 100, height: 100, fit: 'outside' }, bitmap, '150x100'],
  [
    { width: 1, fit: 'inside' },
    { size: { width: 5000, height: 1 }, isVector: false, frames: 1 },
    '1x1',
  ],
] as const)
  test(`${JSON.stringify(wish)} of a ${source.isVector ? 'drawing' : 'bitmap'} gives ${size}`, () => {
    const result = resultSizeOf(layOut(wishOf(wish), source, center))
    expect(`${result.width}x${result.height}`).toBe(size)
  })

test('cover scales to the box and cuts what sticks out where gravity says', () => {
  const wish = wishOf({ width: 100, height: 100 })
  const left = (x: number) => layOut(wish, bitmap, () => ({ x, y: 0.5 })).crop?.left

  expect(layOut(wish, bitmap, center).resize).toEqual({ width: 150, height: 100 })
  expect([left(0), left(0.5), left(0.6), left(1)]).toEqual([0, 25, 40, 50])
})

test('contain shows all of the picture on a canvas, where gravity says', () => {
  const wish = wishOf({ width: 120, height: 120, fit: 'contain' })
  const at = (y: number) => layOut(wish, bitmap, () => ({ x: 0.5, y }))

  expect(at(0.5)).toEqual({
    resize: { width: 120, height: 80 },
    canvas: { size: { width: 120, height: 120 }, left: 0, top: 20 },
  })
  expect([at(0).canvas?.top, at(1).canvas?.top]).toEqual([0, 40])
})

test('a result of too many pixels is refused where it was asked for', () => {
  const refusal = expect.objectContaining({ code: 'UnprocessableImage', target: 'w' })
  expect(() => layOut(wishOf({ width: 8192, height: 8192 }), bitmap, center)).toThrow(refusal)
  expect(() => layOut(wishOf({ width: 8192 }), drawing, center)).toThrow(refusal)
})

test('all frames of a moving result count', () => {
  const moving = { size: { width: 200, height: 200 }, isVector: false, frames: 40 }
  const resized = (side: number) => layOut(wishOf({ width: side, height: side }), moving, center)

  expect(() => resized(2000)).toThrow('160.0 megapixels (40 frames of 2000 × 2000)')
  expect(resized(1000).resize).toEqual({ width: 1000, height: 1000 })
  const long = { size: { width: 2000, height: 1500 }, isVector: false, frames: 16 }
  const { width, height } = layOut(wishOf({}), long, center).resize
  expect(width * height * 16).toBeLessThanOrEqual(40_000_000)
})

test('a source of too many pixels is made smaller where no size was asked for', () => {
  const size = { width: 8000, height: 6000 }
  const { resize } = layOut(wishOf({}), { size, isVector: false, frames: 1 }, center)

  expect(resize.width * resize.height).toBeLessThanOrEqual(40_000_000)
  expect(resize.width / resize.height).toBeCloseTo(8 / 6, 2)
})

test('every layout stays inside its picture and has the size that its fit promises', () => {
  const length = fc.integer({ min: 1, max: 3000 })
  const fraction = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.record({
        size: fc.record({ width: length, height: length }),
        box: fc.record({ width: length, height: length }),
        fit: fc.constantFrom(...fits),
        x: fraction,
        y: fraction,
      }),
      ({ size, box, fit, x, y }) => {
        const focus = () => ({ x, y })
        const source = { size, isVector: false, frames: 1 }
        const layout = tryLayOut(() => layOut(wishOf({ ...box, fit }), source, focus))
        if (layout === undefined) return
        const { resize, crop, canvas } = layout
        const result = resultSizeOf(layout)
        if (crop) {
          expect(Math.min(crop.left, crop.top)).toBeGreaterThanOrEqual(0)
          expect(crop.left + crop.width).toBeLessThanOrEqual(resize.width)
          expect(crop.top + crop.height).toBeLessThanOrEqual(resize.height)
        }
        if (canvas) {
          expect(Math.min(canvas.left, canvas.top)).toBeGreaterThanOrEqual(0)
          expect(canvas.left + resize.width).toBeLessThanOrEqual(box.width)
          expect(canvas.top + resize.height).toBeLessThanOrEqual(box.height)
        }
        if (fit === 'inside') {
          expect(result.width <= box.width && result.height <= box.height).toBe(true)
          expect(result.width === box.width || result.height === box.height).toBe(true)
        } else if (fit === 'outside') {
          expect(result.width >= box.width && result.height >= box.height).toBe(true)
          expect(result.width === box.width || result.height === box.height).toBe(true)
        } else expect(result).toMatchObject(box)
      },
    ),
  )
})

/** Extreme proportions may be refused. */
function tryLayOut<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    expect(['InvalidParameter', 'UnprocessableImage']).toContain((error as ServiceError).code)
    return undefined
  }
}

const small = { size: { width: 300, height: 200 }, isVector: false, frames: 1 }

for (const [query, source, expected] of [
  ['w=200&h=200&scale=0.5', bitmap, '100x100 of 150x100'],
  ['scale=0.5', bitmap, '300x200'],
  ['scale=2', bitmap, '1200x800'],
  ['w=160&ar=16:9', bitmap, '160x90 of 160x107'],
  ['h=90&ar=16:9', bitmap, '160x90 of 160x107'],
  ['ar=1', bitmap, '400x400 of 600x400'],
  ['ar=1&fit=contain', bitmap, '600x600 around 600x400'],
  ['w=900&ar=1&fit=contain&enlarge=0', small, '300x300 around 300x200'],
  ['w=400&h=400&fit=contain&enlarge=0', small, '400x400 around 300x200'],
  ['w=400&h=400&enlarge=0', small, '200x200 of 300x200'],
  ['w=400&h=400&fit=crop', small, '300x200'],
  ['w=250&h=400&fit=crop', small, '250x200 of 300x200'],
  ['w=100&h=100&fit=crop', small, '100x100 of 150x100'],
  ['w=100&h=50&fit=auto', small, '100x50 of 100x67'],
  ['w=50&h=100&fit=auto', small, '50x33'],
  ['w=600&h=100&fit=fill&enlarge=0', small, '300x100'],
  ['w=600&h=100&fit=outside&enlarge=0', small, '300x200'],
  ['w=600&h=600&fit=inside&enlarge=0', small, '300x200'],
  ['w=600', small, '300x200'],
  ['w=600&enlarge=1', small, '600x400'],
  ['w=100&min_h=100', small, '150x100'],
  ['min_w=600', small, '600x400'],
  ['w=100&h=100&fit=inside&min_w=120&min_h=20', small, '120x80'],
  ['w=600&enlarge=0', { ...small, isVector: true }, '600x400'],
] as const)
  test(`${query} of ${source.size.width} pixels gives ${expected}`, () => {
    const { resize, crop, canvas } = layOut(parseRecipe(new URLSearchParams(query)), source, center)
    const text = ({ width, height }: Size) => `${width}x${height}`
    const shown = canvas
      ? `${text(canvas.size)} around ${text(resize)}`
      : crop
        ? `${text(crop)} of ${text(resize)}`
        : text(resize)
    expect(shown).toBe(expected)
  })

test('an offset moves what is kept, and where all lies, as far as there is room', () => {
  const at = (query: string) => {
    const { crop, canvas } = layOut(parseRecipe(new URLSearchParams(query)), bitmap, center)
    const { left, top } = crop ?? canvas ?? { left: undefined, top: undefined }
    return [left, top]
  }

  expect(at('w=100&h=100')).toEqual([25, 0])
  expect(at('w=100&h=100&offset=-10,5')).toEqual([15, 0])
  expect(at('w=100&h=100&offset=900,0')).toEqual([50, 0])
  expect(at('w=300&h=300&fit=contain&offset=5,-20')).toEqual([0, 30])
})
