import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { countedText, isSignatureValid, plainText, sign, signedExtras } from './signed-url.ts'

const secret = 'topsecret'
const path = '/clients/akande/private.pdf'
const expires = '1700000000'
const week = 7 * 86_400
const terms = { secret, now: new Date(1_699_999_000_000), maxAgeSeconds: week }
const signed = { path, expires, signature: sign(plainText(path, expires), secret), extras: [] }

test('the published vectors hold', () => {
  expect(sign(plainText(path, expires), secret)).toBe(
    '20e2652cd9247b96479b4728f8d9c5aa02baa25691ae0d908ff6b5448a714229',
  )
  expect(sign(countedText(path, expires), secret)).toBe(
    '86d9f629a1a27b0287e031d7064c992547afabca890d051d88a0adab9a46429e',
  )
})

test('both forms of the signed text are accepted', () => {
  expect(isSignatureValid(signed, terms)).toBe(true)
  const signature = sign(countedText(path, expires), secret)
  expect(isSignatureValid({ ...signed, signature }, terms)).toBe(true)
})

test.each([
  ['another path', { path: '/clients/akande/other.pdf' }],
  ['another expiry', { expires: '1700000001' }],
  ['no path', { path: undefined }],
  ['no expiry', { expires: undefined }],
  ['no signature', { signature: undefined }],
  ['an empty signature', { signature: '' }],
  ['an upper-case signature', { signature: signed.signature.toUpperCase() }],
  ['a signature cut short', { signature: signed.signature.slice(0, -1) }],
  ['extras that were not signed', { extras: [['t.w', '100']] as const }],
])('%s is refused', (_what, change) => {
  expect(isSignatureValid({ ...signed, ...change }, terms)).toBe(false)
})

test.each([
  ['in the second it expires', 1_700_000_000_000],
  ['after it has expired', 1_700_000_001_000],
  ['more than the longest time ahead', 1_700_000_000_000 - (week + 1) * 1000],
])('an address is refused %s', (_when, at) => {
  expect(isSignatureValid(signed, { ...terms, now: new Date(at) })).toBe(false)
})

test('an expiry that is no plain number is refused even when it is signed', () => {
  for (const odd of ['1e12', '0x6553f100', ' 1700000000', '1700000000.5', '-1', 'Infinity', '']) {
    const signature = sign(plainText(path, odd), secret)
    expect(isSignatureValid({ ...signed, expires: odd, signature }, terms)).toBe(false)
  }
})

test('signed extras hold in any order and in no other number or value', () => {
  const extras = [
    ['t.w', '100'],
    ['t.format', 'webp'],
  ] as const
  const signature = sign(plainText(path, expires) + signedExtras(extras), secret)
  const check = (
    changed: typeof signed.extras | typeof extras | readonly (readonly [string, string])[],
  ) => isSignatureValid({ ...signed, signature, extras: changed }, terms)

  expect(check(extras.toReversed())).toBe(true)
  expect(check([])).toBe(false)
  expect(
    check([
      ['t.w', '101'],
      ['t.format', 'webp'],
    ]),
  ).toBe(false)
})

test('no two pairs of path and expiry have one counted text', () => {
  const pair = fc.tuple(fc.string(), fc.string())
  fc.assert(
    fc.property(pair, pair, (a, b) => {
      fc.pre(a[0] !== b[0] || a[1] !== b[1])
      expect(countedText(...a)).not.toBe(countedText(...b))
    }),
  )
})

test('a URL that the former secret signed is good while that one is', () => {
  const former = { ...signed, signature: sign(plainText(path, expires), 'former') }
  expect(isSignatureValid(former, { ...terms, previousSecret: 'former' })).toBe(true)
  expect(isSignatureValid(former, { ...terms, previousSecret: 'another' })).toBe(false)
  expect(isSignatureValid(former, terms)).toBe(false)
  expect(isSignatureValid(signed, { ...terms, previousSecret: 'former' })).toBe(true)
})
