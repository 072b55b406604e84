import { expect, test } from 'bun:test'

import { openFaceNet } from './face-net.ts'
import { loadFaceWeights } from './face-weights.ts'
import type { Grid } from './layer-grids.ts'
import { convolve, convolveSeparably, mix, pool } from './plain-layers.fixture.ts'

/** What the net is, one value at a time. */
async function runPlainly(input: Grid): Promise<Grid> {
  const { first, separable, last } = await loadFaceWeights()
  let grid = pool(convolve(input, first), 2)
  for (const [index, layer] of separable.entries())
    grid = pool(convolveSeparably(grid, layer), index === separable.length - 1 ? 1 : 2)
  return mix(grid, last)
}

/** Values that look like noise and are the same each time. */
function noise(side: number): Grid {
  let state = side
  const values = Float32Array.from({ length: side * side * 3 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32 - 0.5
  })
  return { side, channels: 3, values }
}

// Sides whose grids are multiples of what is done at a time, and others.
for (const side of [320, 101, 67])
  test(`four values at a time come to what one at a time does, ${side} wide`, async () => {
    const input = noise(side)
    const net = await openFaceNet()
    const plain = await runPlainly(input)
    for (const grid of [net.run(input), net.run(input)]) {
      expect(grid.side).toBe(plain.side)
      let farthest = 0
      for (let place = 0; place < grid.side ** 2; place += 1)
        for (let channel = 0; channel < plain.channels; channel += 1) {
          const ours = grid.values[place * grid.channels + channel] ?? NaN
          const wanted = plain.values[place * plain.channels + channel] ?? NaN
          farthest = Math.max(farthest, Math.abs(ours - wanted))
        }
      expect(farthest).toBeLessThan(0.001)
    }
  })
