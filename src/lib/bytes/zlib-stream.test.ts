import { expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'

import { zlibStream } from './zlib-stream.ts'

for (const level of [0, 1] as const)
  for (const sizeBytes of [0, 1, 300, 65_535, 65_536, 200_000])
    test(`${sizeBytes} bytes at level ${level} are read again by zlib`, () => {
      const body = Uint8Array.from({ length: sizeBytes }, (_, index) => (index * index) % 251)

      expect(Buffer.compare(inflateSync(zlibStream(body, level)), body)).toBe(0)
    })

test('what repeats itself becomes shorter, what is stored does not', () => {
  const body = new Uint8Array(10_000)

  expect(zlibStream(body, 1).length).toBeLessThan(200)
  expect(zlibStream(body, 0).length).toBe(body.length + 11)
})

test('a part of a larger buffer is taken alone', () => {
  const body = new Uint8Array(100).fill(7, 20, 40).subarray(20, 40)

  for (const level of [0, 1] as const)
    expect([...inflateSync(zlibStream(body, level))]).toEqual([...body])
})
