import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { Adler32 } from './checksums.ts'

test('bytes in parts have the checksum of the whole', () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 })
  fc.assert(
    fc.property(parts, (chunks) => {
      const checksum = new Adler32()
      for (const chunk of chunks) checksum.update(chunk)
      expect(checksum.value).toBe(Bun.hash.adler32(Buffer.concat(chunks)))
    }),
  )
})

test('long runs of the highest byte do not overflow', () => {
  const chunk = new Uint8Array(200_000).fill(0xff)
  const checksum = new Adler32()
  for (let count = 0; count < 5; count += 1) checksum.update(chunk)

  expect(checksum.value).toBe(Bun.hash.adler32(new Uint8Array(1_000_000).fill(0xff)))
})
