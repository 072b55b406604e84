import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { humanSize } from './human-size.ts'

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [1536, '1.5 KB'],
  [1024 ** 2 - 1, '1.0 MB'],
  [1024 ** 2, '1.0 MB'],
  [1023.9 * 1024, '1023.9 KB'],
  [26_214_400, '25.0 MB'],
  [1024 ** 3 - 1, '1.00 GB'],
  [1024 ** 3, '1.00 GB'],
  [1.25 * 1024 ** 3, '1.25 GB'],
  [5000 * 1024 ** 3, '5000.00 GB'],
])('%d bytes are shown as %s', (sizeBytes, text) => {
  expect(humanSize(sizeBytes)).toBe(text)
})

test('a size never shows 1024 of a unit that has a larger one, and is never off by more than a twentieth', () => {
  const factors: Record<string, number> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 42 }), (sizeBytes) => {
      const [value, unit] = humanSize(sizeBytes).split(' ') as [string, string]
      if (unit !== 'GB') expect(Number(value)).toBeLessThan(1024)
      const factor = factors[unit] as number
      expect(Math.abs(Number(value) * factor - sizeBytes)).toBeLessThanOrEqual(0.0501 * factor)
    }),
  )
})
