import { expect, test } from 'bun:test'

import { createRandom } from '../../../../test/support/random.ts'
import { maxHalfDistance } from './bit-records.ts'
import { type Bits, bitsOf } from './bits.ts'
import { createHammingIndex } from './hamming-index.ts'

const random = createRandom(20)
const word = () => random.integer(0, 2 ** 32 - 1) | 0
const anyBits = (): Bits => [word(), word(), word(), word()]

/** One bit at a time, as a human would count. */
function distanceOf(a: Bits, b: Bits): { readonly sum: number; readonly worse: number } {
  const halves = [0, 0] as [number, number]
  for (let bit = 0; bit < 128; bit += 1) {
    const at = bit >> 5
    if ((((a[at] ?? 0) ^ (b[at] ?? 0)) >>> (bit & 31)) & 1) halves[bit < 64 ? 0 : 1] += 1
  }
  return { sum: halves[0] + halves[1], worse: Math.max(...halves) }
}

function changed(bits: Bits, count: number): Bits {
  const copy: [number, number, number, number] = [...bits]
  for (let change = 0; change < count; change += 1) {
    const bit = random.integer(0, 127)
    const at = (bit >> 5) as 0 | 1 | 2 | 3
    copy[at] = (copy[at] ^ (1 << (bit & 31))) | 0
  }
  return copy
}

const all = { limit: 1000, accepts: () => true }

test('finds what looking at each one finds, at every distance, while slots come and go', () => {
  const index = createHammingIndex()
  const kept = new Map<number, Bits>()
  const first = anyBits()
  for (let round = 0; round < 4000; round += 1) {
    const bits = round % 4 === 0 ? changed(first, random.integer(0, 40)) : anyBits()
    kept.set(index.add(bits), bits)
    if (round % 3 !== 0) continue
    const slot = random.pick([...kept.keys()] as [number, ...number[]])
    index.remove(slot)
    kept.delete(slot)
  }
  expect(index.size).toBe(kept.size)
  for (const distance of [0, 1, 7, 8, 9, 15, 16, 20, 24, 32, 40]) {
    const expected = [...kept]
      .map(([slot, bits]) => ({ slot, ...distanceOf(bits, first) }))
      .filter(({ sum, worse }) => sum <= distance && worse <= maxHalfDistance)
      .map(({ slot, sum }) => ({ slot, distance: sum }))
      .sort((a, b) => a.distance - b.distance || a.slot - b.slot)
    expect(index.nearest(first, { ...all, distance })).toEqual(expected)
  }
})

test('the nearest are kept where there are more than are wanted, and those alone that are accepted', () => {
  const index = createHammingIndex()
  const bits = anyBits()
  const slots = Array.from({ length: 30 }, () => index.add(bits))
  const far = index.add(changed(bits, 1))
  const nearest = index.nearest(bits, { distance: 8, limit: 5, accepts: (slot) => slot % 2 === 0 })
  expect(nearest.map(({ distance }) => distance)).toEqual([0, 0, 0, 0, 0])
  expect(nearest.every(({ slot }) => slot % 2 === 0)).toBe(true)
  for (const slot of slots) index.remove(slot)
  expect(index.nearest(bits, { ...all, distance: 8 })).toEqual([{ slot: far, distance: 1 }])
  index.remove(far)
  index.remove(far)
  expect(index.size).toBe(0)
})

test('what half of the bits say strongly against is not near', () => {
  const index = createHammingIndex()
  index.add([0, 0, -1, 0])
  expect(index.nearest([0, 0, 0, 0], { ...all, distance: 40 })).toEqual([])
})

test('the digits of bits are taken in their order', () => {
  expect(bitsOf('0000000180000000ffffffff00000010')).toEqual([1, -(2 ** 31), -1, 16])
})
