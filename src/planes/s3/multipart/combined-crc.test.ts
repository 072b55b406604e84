import { expect, test } from 'bun:test'

import { checksumKinds } from '../content/content-checksums.ts'
import { combinedCrc } from './combined-crc.ts'

for (const algorithm of ['CRC32', 'CRC32C', 'CRC64NVME'] as const)
  test(`${algorithm} of a whole is made of those of its pieces`, () => {
    const whole = Uint8Array.from({ length: 100_000 }, (_, place) => (place * 31) % 253)
    const sumOf = (bytes: Uint8Array) => {
      const hash = checksumKinds[algorithm].open()
      hash.update(bytes)
      return Uint8Array.from(hash.digest())
    }
    for (const ends of [
      [100_000],
      [1, 100_000],
      [0, 30_000, 60_000, 90_000, 100_000],
      [99_999, 100_000],
    ]) {
      let start = 0
      const pieces = ends.map((end) => {
        const bytes = whole.subarray(start, end)
        start = end
        return { sizeBytes: bytes.length, crc: sumOf(bytes) }
      })
      expect(Buffer.from(combinedCrc(algorithm, pieces)).toString('hex')).toBe(
        Buffer.from(sumOf(whole)).toString('hex'),
      )
    }
  })

test('the size of a piece may be more than 32 bits have', () => {
  const piece = { sizeBytes: 2 ** 33 + 5, crc: Uint8Array.of(1, 2, 3, 4) }
  const halves = Array.from({ length: 2 }, () => ({ ...piece, sizeBytes: 2 ** 32 }))
  expect(combinedCrc('CRC32', [piece, piece])).toHaveLength(4)
  expect(combinedCrc('CRC32', halves)).not.toEqual(combinedCrc('CRC32', [piece, piece]))
})
