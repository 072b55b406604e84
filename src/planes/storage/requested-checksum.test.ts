import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { requestedChecksum } from './requested-checksum.ts'

const bytes = new Bun.CryptoHasher('sha256').update('x').digest()
const hex = bytes.toString('hex')
const member = `sha-256=:${bytes.toString('base64')}:`
const ofDigest = (field: string) => requestedChecksum(new Headers({ 'Content-Digest': field }))

test('the SHA-256 is found among other algorithms, and with parameters', () => {
  for (const field of [member, `sha-512=:AAAA:, ${member}`, `${member};a=1, md5=:AAAA:`])
    expect(ofDigest(field)).toBe(hex)
})

test('a field that does not speak of sha-256 asks for nothing', () => {
  for (const field of ['', 'md5=:AAAA:', 'SHA-512=nothing like a dictionary,,', 'x'.repeat(5_000)])
    expect(ofDigest(field)).toBeUndefined()
})

test('a field that speaks of sha-256 and holds none that can be read is refused', () => {
  const short = `sha-256=:${bytes.subarray(1).toString('base64')}:`
  const tooLong = `${member}, ${'a=:AAAA:, '.repeat(200)}b`
  for (const field of ['sha-256', 'sha-256=', 'sha-256="x"', `${member},`, short, tooLong])
    expect(() => ofDigest(field)).toThrow(/must hold a SHA-256 as sha-256=:<base64>:/u)
})

test('Checksum and Content-Digest must say the same where both are sent', () => {
  const both = (checksum: string) =>
    requestedChecksum(new Headers({ Checksum: checksum, 'Content-Digest': member }))
  expect(both(hex.toUpperCase())).toBe(hex)
  expect(() => both('0'.repeat(64))).toThrow(/must be the same SHA-256 as Content-Digest/u)
})

test('property: whatever the field holds, it is a SHA-256, nothing, or a refusal', () => {
  const piece = fc.constantFrom('sha-256', '=', ':', ',', ';', '"', 'AQ==', ' ', '(', ')', member)
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        expect(ofDigest(pieces.join(''))).toBeOneOf([undefined, hex])
      } catch (error) {
        expect(error).toMatchObject({ code: 'InvalidParameter' })
      }
    }),
  )
})
