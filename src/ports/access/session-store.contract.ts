import { expect, test } from 'bun:test'

import { at, auditOf, type MetadataStores } from '../content/publication-store.contract.ts'
import type { SessionRecord, SessionStore } from './session-store.ts'

export interface SessionStores extends MetadataStores {
  readonly sessions: SessionStore
}

/** What every SessionStore must do. The test of each adapter calls this once. */
export function sessionStoreContract(name: string, open: () => Promise<SessionStores>): void {
  test(`${name}: sessions come back as they were given, the one seen last first`, async () => {
    await using stores = await open()
    const sessions = [
      sessionOf('a', { lastSeenAt: at(9), userAgent: 'a "browser" ü' }),
      sessionOf('c', { lastSeenAt: at(8), turn: 3, openedWith: 'passkey:x' }),
      sessionOf('b', { lastSeenAt: at(7) }),
    ]
    for (const session of sessions.toReversed())
      await stores.sessions.add(session, auditOf({ action: 'open', target: session.id }))

    expect(await stores.sessions.list()).toEqual(sessions)
    expect(await stores.sessions.find('c')).toEqual(sessions[1])
    expect(await stores.sessions.find('d')).toBeUndefined()
    expect(await deeds(stores)).toEqual(['open b', 'open c', 'open a'])
  })

  test(`${name}: of two removals of a session one succeeds and is recorded`, async () => {
    await using stores = await open()
    await stores.sessions.add(sessionOf('a'), auditOf({ action: 'open', target: 'a' }))
    const removals = await Promise.all(
      ['a', 'a', 'other'].map((id) =>
        stores.sessions.remove(id, auditOf({ action: 'close', target: id })),
      ),
    )

    expect(removals.filter(Boolean)).toHaveLength(1)
    expect(await deeds(stores)).toEqual(['open a', 'close a'])
    expect(await stores.sessions.find('a')).toBeUndefined()
  })

  test(`${name}: progress moves a session on and nothing else about it`, async () => {
    await using stores = await open()
    const session = sessionOf('a')
    await stores.sessions.add(session, auditOf({}))
    const progress = { id: 'a', turn: 2, turnedAt: at(5), lastSeenAt: at(6), expiresAt: at(700) }
    await stores.sessions.advance(progress)

    expect(await stores.sessions.find('a')).toEqual({ ...session, ...progress })
    await stores.sessions.advance({ ...progress, id: 'gone' })
    expect(await stores.sessions.list()).toHaveLength(1)
  })

  test(`${name}: progress never goes back, whoever writes last`, async () => {
    await using stores = await open()
    await stores.sessions.add(sessionOf('a', { turn: 2, turnedAt: at(50) }), auditOf({}))
    const late = { id: 'a', lastSeenAt: at(90), expiresAt: at(900) }
    await stores.sessions.advance({ ...late, turn: 1, turnedAt: at(10) })
    expect(await stores.sessions.find('a')).toMatchObject({ ...late, turn: 2, turnedAt: at(50) })

    await stores.sessions.advance({
      id: 'a',
      turn: 3,
      turnedAt: at(60),
      lastSeenAt: at(60),
      expiresAt: at(600),
    })
    expect(await stores.sessions.find('a')).toMatchObject({ ...late, turn: 3, turnedAt: at(60) })
  })

  test(`${name}: expired sessions are forgotten, others stay`, async () => {
    await using stores = await open()
    for (const [id, time] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      await stores.sessions.add(sessionOf(id, { expiresAt: at(time) }), auditOf({}))
    await stores.sessions.forgetExpired(at(2))

    expect((await stores.sessions.list()).map(({ id }) => id).toSorted()).toEqual(['b', 'c'])
  })
}

export const sessionOf = (id: string, given: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  openedWith: 'password:mark',
  turn: 0,
  turnedAt: at(0),
  createdAt: at(0),
  lastSeenAt: at(0),
  expiresAt: at(500),
  ip: '192.0.2.1',
  userAgent: undefined,
  ...given,
})

const deeds = async ({ audit }: MetadataStores) =>
  (await audit.query({ since: at(0), limit: 100 }))
    .map(({ action, target }) => `${action} ${target}`)
    .toReversed()
