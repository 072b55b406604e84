import { expect, test } from 'bun:test'

import { at, auditOf, zoneOf } from '../content/publication-store.contract.ts'
import { passkeyOf, type PasskeyStores } from './passkey-store.contract.ts'
import type { PeopleStore, PersonRecord } from './people-store.ts'
import { sessionOf } from './session-store.contract.ts'
import { tokenOf, type TokenStores } from './token-store.contract.ts'

export interface PeopleStores extends PasskeyStores, TokenStores {
  readonly people: PeopleStore
}

/** What every PeopleStore must do. The test of each adapter calls this once. */
export function peopleStoreContract(name: string, open: () => Promise<PeopleStores>): void {
  test(`${name}: people come back as they were given, by time of creation`, async () => {
    await using stores = await openWithZones(open)
    const people = [
      personOf('b', {
        createdAt: at(1),
        grants: [
          { role: 'editor', zones: ['acme', 'bolt'], source: 'here' },
          { role: 'viewer', zones: undefined, source: 'provider' },
        ],
        identity: { issuer: 'https://id.example', subject: 'b' },
      }),
      personOf('a', {
        createdAt: at(2),
        state: 'invited',
        invitation: { secretSha256: 'f'.repeat(64), expiresAt: at(900) },
      }),
      personOf('c', { createdAt: at(2), state: 'removed', email: undefined }),
    ]
    for (const person of people.toReversed())
      expect(await stores.people.add(person, auditOf({}))).toBe('done')

    expect(await stores.people.list()).toEqual(people)
  })

  test(`${name}: an e-mail address and an identity are one person's, and what is refused is not recorded`, async () => {
    await using stores = await openWithZones(open)
    const identity = { issuer: 'https://id.example', subject: 's' }
    await stores.people.add(personOf('a', { identity }), auditOf({ action: 'add' }))
    const version = await stores.people.version()
    const add = (person: PersonRecord) => stores.people.add(person, auditOf({ action: 'again' }))

    expect(await add(personOf('b', { email: 'a@example.com' }))).toBe('taken')
    expect(await add(personOf('b', { identity }))).toBe('taken')
    expect(
      await add(personOf('b', { grants: [{ role: 'viewer', zones: ['void'], source: 'here' }] })),
    ).toBe('no such zone')
    expect((await stores.people.list()).map(({ id }) => id)).toEqual(['a'])
    expect(await stores.people.version()).toBe(version)
    expect(await actions(stores)).toEqual(['add'])
  })

  test(`${name}: a change replaces what is known, but when the person was seen`, async () => {
    await using stores = await openWithZones(open)
    const person = personOf('a', { grants: [{ role: 'viewer', zones: ['acme'], source: 'here' }] })
    await stores.people.add(person, auditOf({}))
    await stores.people.noteSeen(new Map([['a', at(8)]]))
    await stores.people.noteSeen(
      new Map([
        ['a', at(5)],
        ['gone', at(5)],
      ]),
    )
    const version = await stores.people.version()
    const changed = { ...person, name: 'Other', grants: [] }
    const update = { audit: [auditOf({})], ends: 'nothing' } as const
    expect(await stores.people.update(changed, update)).toBe('done')

    expect(await stores.people.list()).toEqual([{ ...changed, lastSeenAt: at(8) }])
    expect(await stores.people.version()).toBeGreaterThan(version)
  })

  test(`${name}: with a person end what sessions, or all that lets the person in, and nothing of others`, async () => {
    await using stores = await openWithZones(open)
    for (const id of ['a', 'b']) {
      await stores.people.add(personOf(id), auditOf({}))
      await stores.sessions.add(sessionOf(id, { personId: id }), auditOf({}))
      await stores.passkeys.add(passkeyOf(id, { personId: id }), auditOf({}))
      await stores.tokens.add(tokenOf(id, { personId: id, zones: ['acme'] }), auditOf({}))
    }
    await stores.sessions.add(sessionOf('operator'), auditOf({}))
    const tokenVersion = await stores.tokens.version()
    const end = (ends: 'sessions' | 'everything') =>
      stores.people.update(personOf('a', { state: 'disabled' }), { audit: [], ends })

    await end('sessions')
    expect(await idsOf(stores)).toEqual({
      sessions: ['b', 'operator'],
      passkeys: ['a', 'b'],
      tokens: ['a', 'b'],
    })
    await end('everything')
    expect(await idsOf(stores)).toEqual({
      sessions: ['b', 'operator'],
      passkeys: ['b'],
      tokens: ['b'],
    })
    expect(await stores.tokens.version()).toBeGreaterThan(tokenVersion)
  })

  test(`${name}: a removed zone takes itself out of every grant`, async () => {
    await using stores = await openWithZones(open)
    const both = { role: 'editor', zones: ['acme', 'bolt'], source: 'here' } as const
    await stores.people.add(personOf('a', { grants: [both] }), auditOf({}))
    await stores.people.add(
      personOf('b', { createdAt: at(1), grants: [{ ...both, zones: ['acme'] }] }),
      auditOf({}),
    )
    const version = await stores.people.version()
    await stores.publications.publish([{ removedZones: ['acme'], feed: [] }])

    const grants = (await stores.people.list()).map((person) => person.grants)
    expect(grants).toEqual([[{ ...both, zones: ['bolt'] }], []])
    expect(await stores.people.version()).toBeGreaterThan(version)
  })
}

const personOf = (id: string, given: Partial<PersonRecord> = {}): PersonRecord => ({
  id,
  email: `${id}@example.com`,
  name: `Person ${id}`,
  state: 'active',
  identity: undefined,
  grants: [],
  invitation: undefined,
  createdBy: 'account-key',
  createdAt: at(0),
  lastSeenAt: undefined,
  ...given,
})

async function openWithZones(open: () => Promise<PeopleStores>): Promise<PeopleStores> {
  const stores = await open()
  await stores.publications.publish([{ zones: ['acme', 'bolt'].map(zoneOf), feed: [] }])
  return stores
}

const actions = async ({ audit }: PeopleStores) =>
  (await audit.query({ since: at(0), limit: 100 })).map(({ action }) => action).toReversed()

const idsOf = async ({ sessions, passkeys, tokens }: PeopleStores) => ({
  sessions: (await sessions.list()).map(({ id }) => id).toSorted(),
  passkeys: (await passkeys.list()).map(({ id }) => id),
  tokens: (await tokens.list()).map(({ id }) => id),
})
