import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { Secret } from './secret.ts'
import { createTextSealer } from './text-sealer.ts'

const sealer = createTextSealer([new Secret('a key')], 'webhooks')

test('any text that is sealed opens in its place, and looks different each time', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, place) => {
      const sealed = sealer.seal(text, place)
      expect(sealer.open(sealed, place)).toEqual({ text: text.toWellFormed(), isCurrent: true })
      expect(sealer.seal(text, place)).not.toBe(sealed)
      expect(sealed).toMatch(/^v1\.[\w-]+$/u)
    }),
  )
})

test('it does not open in another place, with another key, or for another use', () => {
  const sealed = sealer.seal('whsec_x', 'webhook 1')

  expect(sealer.open(sealed, 'webhook 2')).toBeUndefined()
  expect(createTextSealer([new Secret('b key')], 'webhooks').open(sealed, 'webhook 1')).toBe(
    undefined,
  )
  expect(createTextSealer([new Secret('a key')], 'sessions').open(sealed, 'webhook 1')).toBe(
    undefined,
  )
})

test('what an earlier key sealed opens while that key is known, and is told apart', () => {
  const sealed = sealer.seal('text', 'here')
  const rotated = createTextSealer([new Secret('newer'), new Secret('a key')], 'webhooks')

  expect(rotated.open(sealed, 'here')).toEqual({ text: 'text', isCurrent: false })
  const again = rotated.seal('text', 'here')
  expect(rotated.open(again, 'here')).toEqual({ text: 'text', isCurrent: true })
  expect(sealer.open(again, 'here')).toBeUndefined()
})

test('no changed byte goes unnoticed', () => {
  const [version, body = ''] = sealer.seal('a secret of some length', 'here').split('.')
  const bytes = Buffer.from(body, 'base64url')
  for (let place = 0; place < bytes.length; place += 1) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(sealer.open(`${version}.${changed.toString('base64url')}`, 'here')).toBeUndefined()
  }
})

test('what was never sealed does not open', () => {
  for (const text of ['', 'v1.', 'v1.AAAA', 'v2.AAAA', 'plain', `v1.${'A'.repeat(100)}`])
    expect(sealer.open(text, 'here')).toBeUndefined()
})
