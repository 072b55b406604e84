import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { MemoryAuditLog } from '../../adapters/memory/content/memory-audit-log.ts'
import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemorySessionStore } from '../../adapters/memory/access/memory-session-store.ts'
import { failureOf } from '../../ports/content/publication-store.contract.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { deriveKey } from './derived-key.ts'
import { openTicket, sealTicket } from './session-cookie.ts'
import { createSessions } from './sessions.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

const newcomer = { ip: '192.0.2.1', userAgent: 'browser', requestId: 'r1' }
const operator = { ...newcomer, credentialId: 'account-key', zones: undefined }
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const standingOf = (id: string) => ({ id, name: id, reach: () => new Set<string>() })

function openWorld() {
  const database = new MemoryDatabase()
  const clock = {
    now: new Date('2026-04-01T12:00:00Z'),
    isStillGood: true,
    people: new Set(['ana']),
  }
  const open = (...secrets: string[]) =>
    createSessions({
      store: new MemorySessionStore(database),
      secrets: secrets.map((text) => new Secret(text)),
      isStillGood: () => clock.isStillGood,
      seePerson: (id) => (clock.people.has(id) ? standingOf(id) : undefined),
      now: () => clock.now,
    })
  return {
    sessions: open('secret'),
    open,
    clock,
    wait: (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms)),
    actions: async () =>
      (await new MemoryAuditLog(database).query({ since: new Date(0), limit: 99 }))
        .map(({ action }) => action)
        .toReversed(),
  }
}

test('a cookie finds its session, and nothing that was changed about it does', async () => {
  const { sessions } = openWorld()
  const { cookie, record } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  expect(await sessions.find(cookie)).toEqual({ id: record.id, newCookie: undefined })
  for (let place = 0; place < cookie.length; place += 1) {
    const changed =
      cookie.slice(0, place) + (cookie[place] === 'A' ? 'B' : 'A') + cookie.slice(place + 1)
    // The last character of unpadded base64 has bits that say nothing.
    if (place < cookie.length - 1) expect(await sessions.find(changed)).toBeUndefined()
    expect(await sessions.find(cookie.slice(0, place))).toBeUndefined()
  }
})

test('no text that was not signed is a ticket', () => {
  const keys = [deriveKey(new Secret('secret'), 'session cookie')]
  fc.assert(fc.property(fc.string(), (text) => expect(openTicket(text, keys)).toBeUndefined()))
  const other = deriveKey(new Secret('other'), 'session cookie')
  expect(openTicket(sealTicket({ id: 'a'.repeat(32), turn: 0 }, other), keys)).toBeUndefined()
})

test('every sign-in has an id and a cookie of its own', async () => {
  const { sessions } = openWorld()
  const opened = await Promise.all(
    Array.from({ length: 20 }, () => sessions.open({ openedWith: 'password:x' }, newcomer)),
  )
  expect(new Set(opened.map(({ cookie }) => cookie)).size).toBe(20)
  for (const { record, cookie } of opened) {
    expect(record.id).toMatch(/^[\w-]{32}$/u)
    expect(cookie).toContain(record.id)
  }
})

test('a session lasts seven days from its last use', async () => {
  const { sessions, wait } = openWorld()
  let { cookie } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  for (let day = 0; day < 20; day += 1) {
    wait(6 * dayMs)
    const found = await sessions.find(cookie)
    expect(found).toBeDefined()
    cookie = found?.newCookie ?? cookie
  }
  wait(7 * dayMs)
  expect(await sessions.find(cookie)).toBeUndefined()
  expect(await sessions.list(operator)).toEqual([])
})

test('the cookie is replaced every hour, the same way for requests at the same time', async () => {
  const { sessions, wait } = openWorld()
  const { cookie } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  wait(hourMs - 1)
  expect((await sessions.find(cookie))?.newCookie).toBeUndefined()
  wait(1)
  const answers = await Promise.all([sessions.find(cookie), sessions.find(cookie)])
  const [first, second] = answers.map((answer) => answer?.newCookie)
  expect(first).toBeDefined()
  expect(first).not.toBe(cookie)
  expect(second).toBe(first)
})

test('a browser that never got the new cookie can go on with the old one', async () => {
  const { sessions, wait } = openWorld()
  const { cookie } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  for (let hour = 0; hour < 5; hour += 1) {
    wait(hourMs)
    expect((await sessions.find(cookie))?.newCookie).toBeDefined()
  }
})

test('once the new cookie was used the old one is good for a minute, and then ends the session', async () => {
  const { sessions, wait, actions } = openWorld()
  const { cookie } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  wait(hourMs)
  const newCookie = (await sessions.find(cookie))?.newCookie ?? ''
  expect(await sessions.find(newCookie)).toMatchObject({ newCookie: undefined })
  wait(59_999)
  expect(await sessions.find(cookie)).toMatchObject({ newCookie: undefined })
  wait(1)
  expect(await sessions.find(cookie)).toBeUndefined()
  expect(await sessions.find(newCookie)).toBeUndefined()
  expect(await actions()).toEqual(['session.open', 'session.copied'])
})

test('a cookie from two replacements ago ends the session at once', async () => {
  const { sessions, wait } = openWorld()
  const cookies = [(await sessions.open({ openedWith: 'password:x' }, newcomer)).cookie]
  for (let hour = 0; hour < 2; hour += 1) {
    wait(hourMs)
    cookies.push((await sessions.find(cookies.at(-1) ?? ''))?.newCookie ?? '')
    await sessions.find(cookies.at(-1) ?? '')
  }
  expect(await sessions.find(cookies[0] ?? '')).toBeUndefined()
  expect(await sessions.find(cookies[2] ?? '')).toBeUndefined()
})

test('a revoked session opens nothing any more, and revoking is recorded', async () => {
  const { sessions, actions } = openWorld()
  const { cookie, record } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  await sessions.revoke(record.id, operator)

  expect(await sessions.find(cookie)).toBeUndefined()
  expect(await failureOf(sessions.revoke(record.id, operator))).toMatchObject({ code: 'NotFound' })
  expect(await actions()).toEqual(['session.open', 'session.end'])
})

test('a session ends with what opened it', async () => {
  const { sessions, clock } = openWorld()
  const { cookie } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  clock.isStillGood = false
  expect(await sessions.find(cookie)).toBeUndefined()
})

test('after the secret is rotated cookies of the former one are good, and replaced', async () => {
  const { sessions, open } = openWorld()
  const { cookie, record } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  const rotated = open('new', 'secret')
  const found = await rotated.find(cookie)
  expect(found).toEqual({ id: record.id, newCookie: expect.any(String) })

  const retired = open('new')
  expect(await retired.find(cookie)).toBeUndefined()
  expect(await retired.find(found?.newCookie ?? '')).toMatchObject({ id: record.id })
})

test('while nothing can be written a session goes on, and none is opened or ended', async () => {
  const { sessions, clock, wait } = openWorld()
  const { cookie, record } = await sessions.open({ openedWith: 'password:x' }, newcomer)
  const full = () =>
    Promise.reject(
      new StoreUnavailableError('The disk is full', { store: 'metadata', final: false }),
    )
  const readOnly = createSessions({
    store: {
      add: full,
      advance: full,
      remove: full,
      forgetExpired: full,
      find: async () => record,
      list: async () => [record],
    },
    secrets: [new Secret('secret')],
    isStillGood: () => true,
    seePerson: () => undefined,
    now: () => clock.now,
  })
  wait(hourMs)
  expect(await readOnly.find(cookie)).toMatchObject({ id: record.id })
  expect(await failureOf(readOnly.open({ openedWith: 'password:x' }, newcomer))).toMatchObject({
    code: 'Unavailable',
  })
  expect(await failureOf(readOnly.revoke(record.id, operator))).toMatchObject({
    code: 'Unavailable',
  })
})

test('a session of a person is the person’s while the person may come in', async () => {
  const { sessions, clock } = openWorld()
  const opening = { openedWith: 'passkey:x', personId: 'ana' }
  const { cookie } = await sessions.open(opening, newcomer)
  expect(await sessions.find(cookie)).toMatchObject({ person: { id: 'ana' } })

  clock.people.delete('ana')
  expect(await sessions.find(cookie)).toBeUndefined()
})

test('a person sees and ends the person’s own sessions, who is for every zone all of them', async () => {
  const { sessions } = openWorld()
  const own = await sessions.open({ openedWith: 'passkey:x', personId: 'ana' }, newcomer)
  const other = await sessions.open({ openedWith: 'password:x' }, newcomer)
  const ana = { ...operator, credentialId: 'person:ana', zones: new Set<string>(), personId: 'ana' }

  expect((await sessions.list(ana)).map(({ id }) => id)).toEqual([own.record.id])
  expect(await sessions.list(operator)).toHaveLength(2)
  expect(await failureOf(sessions.revoke(other.record.id, ana))).toMatchObject({ code: 'NotFound' })
  await sessions.revoke(own.record.id, ana)
  expect(await sessions.find(own.cookie)).toBeUndefined()
})
