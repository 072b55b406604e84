import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createTokenSecret, hashTokenSecret, isTokenSecret, tokenPrefix } from './token-secret.ts'

const anySecret = fc
  .uint8Array({ minLength: 200, maxLength: 200 })
  .filter((bytes) => bytes.filter((byte) => byte < 248).length >= 34)
  .map((bytes) => {
    let offset = 0
    return createTokenSecret((size) => bytes.slice(offset, (offset += size)))
  })

test('a secret is cdnsk_ and 40 characters, and is recognised', () => {
  fc.assert(
    fc.property(anySecret, (secret) => {
      expect(secret).toMatch(/^cdnsk_[0-9A-Za-z]{40}$/u)
      expect(isTokenSecret(secret)).toBe(true)
    }),
  )
})

test('the checksum is always the same for the same characters', () => {
  expect(createTokenSecret((size) => new Uint8Array(size))).toBe(`cdnsk_${'0'.repeat(34)}0iqUEf`)
})

test('secrets differ, and their characters are evenly spread', () => {
  const secrets = Array.from({ length: 2000 }, () => createTokenSecret())
  expect(new Set(secrets).size).toBe(2000)
  const counts = new Map<string, number>()
  for (const secret of secrets)
    for (const character of secret.slice(6, 40))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  const expected = (2000 * 34) / 62
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(250)
})

test('any one character changed, left out, doubled or swapped with its neighbour is found out', () => {
  fc.assert(
    fc.property(
      anySecret,
      fc.nat(45),
      fc.constantFrom('0', '9', 'A', 'Z', 'a', 'z', '_', '-', 'é', ' '),
      (secret, place, other) => {
        const [before, at, after] = [secret.slice(0, place), secret[place], secret.slice(place + 1)]
        if (other !== at) expect(isTokenSecret(before + other + after)).toBe(false)
        expect(isTokenSecret(before + after)).toBe(false)
        expect(isTokenSecret(before + at + at + after)).toBe(false)
        const swapped = before + after.slice(0, 1) + at + after.slice(1)
        if (swapped !== secret) expect(isTokenSecret(swapped)).toBe(false)
      },
    ),
  )
})

test('no other text is a secret', () => {
  for (const text of ['', 'cdnsk_', 'cdnsk_'.repeat(8), `${createTokenSecret()}\n`])
    expect(isTokenSecret(text)).toBe(false)
  fc.assert(fc.property(fc.string(), (text) => expect(isTokenSecret(text)).toBe(false)))
})

test('what is shown and what is kept do not give the secret away', () => {
  const secret = createTokenSecret()
  expect(tokenPrefix(secret)).toBe(secret.slice(0, 10))
  expect(hashTokenSecret(secret)).toMatch(/^[0-9a-f]{64}$/u)
})
