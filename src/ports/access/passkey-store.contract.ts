import { expect, test } from 'bun:test'

import {
  maxChallenges,
  type PasskeyChallenge,
  type PasskeyRecord,
  type PasskeyStore,
} from './passkey-store.ts'
import { at, auditOf } from '../content/publication-store.contract.ts'
import { sessionOf, type SessionStores } from './session-store.contract.ts'

export interface PasskeyStores extends SessionStores {
  readonly passkeys: PasskeyStore
}

/** What every PasskeyStore must do. The test of each adapter calls this once. */
export function passkeyStoreContract(name: string, open: () => Promise<PasskeyStores>): void {
  test(`${name}: passkeys come back as they were given, by time of creation`, async () => {
    await using stores = await open()
    const passkeys = [
      passkeyOf('b', { createdAt: at(1), transports: ['internal', 'hybrid'], isBackedUp: true }),
      passkeyOf('a', { createdAt: at(2), lastUsedAt: at(3), counter: 2 ** 32 - 1 }),
    ]
    for (const passkey of passkeys.toReversed())
      expect(await stores.passkeys.add(passkey, auditOf({ action: `add ${passkey.id}` }))).toBe(
        true,
      )

    expect(await stores.passkeys.list()).toEqual(passkeys)
    expect(await stores.passkeys.find('a')).toEqual(passkeys[1])
    expect(await stores.passkeys.find('c')).toBeUndefined()
    expect(await actions(stores)).toEqual(['add a', 'add b'])
  })

  test(`${name}: a credential id is registered once`, async () => {
    await using stores = await open()
    await stores.passkeys.add(passkeyOf('a'), auditOf({ action: 'add' }))
    const again = passkeyOf('a', { name: 'again' })

    expect(await stores.passkeys.add(again, auditOf({ action: 'again' }))).toBe(false)
    expect(await stores.passkeys.list()).toEqual([passkeyOf('a')])
    expect(await actions(stores)).toEqual(['add'])
  })

  test(`${name}: a counter must grow, also between two uses at once; one that stays 0 is let be`, async () => {
    await using stores = await open()
    await stores.passkeys.add(passkeyOf('counts', { counter: 5 }), auditOf({}))
    await stores.passkeys.add(passkeyOf('not', { counter: 0 }), auditOf({}))
    const uses = await Promise.all(
      [6, 6, 5, 0].map((counter) => stores.passkeys.noteUse('counts', counter, at(9))),
    )

    expect(uses).toEqual([true, false, false, false])
    expect(await stores.passkeys.find('counts')).toMatchObject({ counter: 6, lastUsedAt: at(9) })
    expect(await stores.passkeys.noteUse('not', 0, at(8))).toBe(true)
    expect(await stores.passkeys.noteUse('not', 0, at(9))).toBe(true)
    expect(await stores.passkeys.noteUse('gone', 1, at(9))).toBe(false)
  })

  test(`${name}: a removed passkey takes the sessions it opened with it, and no others`, async () => {
    await using stores = await open()
    for (const id of ['a', 'b']) {
      await stores.passkeys.add(passkeyOf(id), auditOf({ action: 'add' }))
      const session = sessionOf(`of ${id}`, { openedWith: `passkey:${id}` })
      await stores.sessions.add(session, auditOf({ action: 'open' }))
    }
    await stores.sessions.add(sessionOf('of password'), auditOf({ action: 'open' }))
    const removed = await stores.passkeys.remove('a', auditOf({ action: 'remove' }), {
      keepOne: false,
    })

    expect(removed).toBe('removed')
    expect((await stores.sessions.list()).map(({ id }) => id)).toEqual(['of b', 'of password'])
    expect((await actions(stores)).at(-1)).toBe('remove')
  })

  test(`${name}: the last one stays where one must, also when all are removed at once`, async () => {
    await using stores = await open()
    for (const id of ['a', 'b'])
      await stores.passkeys.add(passkeyOf(id), auditOf({ action: 'add' }))
    const remove = (id: string, keepOne: boolean) =>
      stores.passkeys.remove(id, auditOf({ action: 'remove' }), { keepOne })
    expect(await remove('c', true)).toBe('absent')
    expect(await Promise.all([remove('a', true), remove('b', true)])).toEqual(['removed', 'last'])
    expect(await actions(stores)).toEqual(['add', 'add', 'remove'])
    expect(await remove('b', false)).toBe('removed')
    expect(await remove('b', false)).toBe('absent')
  })

  test(`${name}: of many that take a challenge at once one gets it`, async () => {
    await using stores = await open()
    const challenge = challengeOf('x')
    await stores.passkeys.addChallenge(challenge, at(0))
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => stores.passkeys.takeChallenge('x')),
    )

    expect(taken.filter((each) => each !== undefined)).toEqual([challenge])
    expect(await stores.passkeys.takeChallenge('y')).toBeUndefined()
  })

  test(`${name}: of many that spend a challenge at once one does, until it has expired`, async () => {
    await using stores = await open()
    const challenge = challengeOf('x', { expiresAt: at(10) })
    const spent = await Promise.all(
      Array.from({ length: 5 }, () => stores.passkeys.spendChallenge(challenge, at(0))),
    )

    expect(spent.filter(Boolean)).toHaveLength(1)
    expect(await stores.passkeys.spendChallenge(challengeOf('y'), at(0))).toBe(true)
    expect(await stores.passkeys.spendChallenge(challenge, at(9))).toBe(false)
    expect(await stores.passkeys.spendChallenge(challenge, at(10))).toBe(true)
  })

  test(`${name}: expired challenges are forgotten when one is added, and there are never too many`, async () => {
    await using stores = await open()
    await stores.passkeys.addChallenge(challengeOf('old', { expiresAt: at(10) }), at(0))
    await stores.passkeys.addChallenge(challengeOf('new', { expiresAt: at(1_000_000) }), at(10))
    expect(await stores.passkeys.takeChallenge('old')).toBeUndefined()
    for (let count = 0; count < maxChallenges; count += 1)
      await stores.passkeys.addChallenge(
        challengeOf(`${count}`, { expiresAt: at(2_000_000 + count) }),
        at(11),
      )

    expect(await stores.passkeys.takeChallenge('new')).toBeUndefined()
    expect(await stores.passkeys.takeChallenge('0')).toBeDefined()
  })
}

export const passkeyOf = (id: string, given: Partial<PasskeyRecord> = {}): PasskeyRecord => ({
  id,
  name: 'laptop "ü"',
  rpId: 'sedge.example',
  publicKey: 'cose',
  counter: 0,
  transports: [],
  isBackedUp: false,
  createdAt: at(0),
  lastUsedAt: undefined,
  ...given,
})

const challengeOf = (
  challenge: string,
  given: Partial<PasskeyChallenge> = {},
): PasskeyChallenge => ({
  challenge,
  purpose: 'register',
  origin: 'https://sedge.example',
  rpId: 'sedge.example',
  askedBy: 'account-key',
  expiresAt: at(300),
  ...given,
})

const actions = async ({ audit }: PasskeyStores) =>
  (await audit.query({ since: at(0), limit: 100 })).map(({ action }) => action).toReversed()
