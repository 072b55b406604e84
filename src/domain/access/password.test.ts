import { expect, test } from 'bun:test'
import { Secret } from '../../lib/secrets/secret.ts'
import { disabledPassword, hashPassword } from '../../lib/secrets/password-hash.ts'
import { createPassword } from './password.ts'

const secrets = [new Secret('now'), new Secret('before')]
const passwordOf = (configured: string) => createPassword(new Secret(configured), secrets)

test('the password is right, and no other text, be it kept as it is or as its hash', async () => {
  for (const password of [passwordOf('correct'), passwordOf(await hashPassword('correct'))]) {
    expect(await password.verify('correct')).toBe(true)
    for (const wrong of ['', 'Correct', 'correct ', 'correc', disabledPassword])
      expect(await password.verify(wrong)).toBe(false)
  }
})

test('a hash is Argon2id, differs every time, and is no password itself', async () => {
  const hash = await hashPassword('correct')
  expect(hash).toStartWith('$argon2id$')
  expect(await hashPassword('correct')).not.toBe(hash)
  expect(await passwordOf(hash).verify(hash)).toBe(false)
})

test('letters count, not how a keyboard composes them', async () => {
  expect(await passwordOf(await hashPassword('caf\u00e9')).verify('cafe\u0301')).toBe(true)
})

test('a hash that is damaged lets nobody in', async () => {
  expect(await passwordOf('$argon2id$v=19$nonsense').verify('')).toBe(false)
})

test('a password that is switched off lets nobody in', async () => {
  const password = passwordOf(disabledPassword)
  expect(password.isEnabled).toBe(false)
  expect(await password.verify(disabledPassword)).toBe(false)
  expect(password.hasMark(password.mark)).toBe(false)
})

test('a mark is known again under either secret, and another password has another', () => {
  const password = passwordOf('correct')
  expect(password.hasMark(password.mark)).toBe(true)
  const former = createPassword(new Secret('correct'), [new Secret('before')])
  expect(password.hasMark(former.mark)).toBe(true)
  expect(password.hasMark(passwordOf('other').mark)).toBe(false)
})
