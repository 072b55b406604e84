import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { Crc32c } from './crc32c.ts'
import { Crc64Nvme } from './crc64-nvme.ts'

const kinds = [
  { Checksum: Crc32c, check: 'e3069283', ofNothing: '00000000', polynomial: 0x82f63b78n },
  {
    Checksum: Crc64Nvme,
    check: 'ae8b14860a799888',
    ofNothing: '0000000000000000',
    polynomial: 0x9a6c9329ac4bc9b5n,
  },
] as const

const hexOf = (checksum: { digest(): Uint8Array }): string =>
  Buffer.from(checksum.digest()).toString('hex')

/** Bit by bit, as it is defined. */
function slowly(bytes: Uint8Array, polynomial: bigint, bits: bigint): string {
  const ones = (1n << bits) - 1n
  let sum = ones
  for (const byte of bytes) {
    sum ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >> 1n) ^ ((sum & 1n) === 1n ? polynomial : 0n)
  }
  return (sum ^ ones).toString(16).padStart(Number(bits) / 4, '0')
}

test('the check values of the catalogue of CRC algorithms come out', () => {
  for (const { Checksum, check, ofNothing } of kinds) {
    const checksum = new Checksum()
    expect(hexOf(checksum)).toBe(ofNothing)
    checksum.update(new TextEncoder().encode('123456789'))
    expect(hexOf(checksum)).toBe(check)
  }
})

test('whatever the bytes, and however they come in parts, the checksum is as it is defined', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }), (parts) => {
      for (const { Checksum, check, polynomial } of kinds) {
        const checksum = new Checksum()
        for (const part of parts) checksum.update(part)
        const bits = BigInt(check.length * 4)
        expect(hexOf(checksum)).toBe(slowly(Buffer.concat(parts), polynomial, bits))
      }
    }),
  )
})
