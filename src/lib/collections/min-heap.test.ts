import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createMinHeap } from './min-heap.ts'

test('items come out by their number, whatever was taken in between', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer(), fc.constant('take' as const))), (steps) => {
      const heap = createMinHeap<number>()
      const model: number[] = []
      for (const step of steps)
        if (step === 'take') expect(heap.take()).toBe(model.shift())
        else {
          heap.add(step, step)
          model.push(step)
          model.sort((one, other) => one - other)
        }
      expect({ size: heap.size, least: heap.least }).toEqual({
        size: model.length,
        least: model[0],
      })
      expect(model.map(() => heap.take())).toEqual(model)
    }),
  )
})
