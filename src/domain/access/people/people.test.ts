import { expect, test } from 'bun:test'

import { MemoryPeopleStore } from '../../../adapters/memory/access/memory-people-store.ts'
import { MemoryAuditLog } from '../../../adapters/memory/content/memory-audit-log.ts'
import { MemoryDatabase } from '../../../adapters/memory/content/memory-database.ts'
import { MemoryPublicationStore } from '../../../adapters/memory/content/memory-publication-store.ts'
import { zoneOf } from '../../../ports/content/publication-store.contract.ts'
import { createFeed } from '../../feed.ts'
import type { Actor } from '../actor.ts'
import { openPeople } from './people.ts'
import type { GivenRole } from './person-changes.ts'
import type { Role } from './roles.ts'

const operator: Actor = {
  credentialId: 'account-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: 'r1',
}
/** An admin of acme. */
const narrow: Actor = { ...operator, credentialId: 'person:admin', zones: new Set(['acme']) }
const weekMs = 7 * 86_400_000

async function openWorld() {
  const database = new MemoryDatabase()
  const publications = new MemoryPublicationStore(database)
  const feed = createFeed({ store: publications, onSubscriberFault: console.error })
  await publications.publish([{ zones: ['acme', 'bolt'].map(zoneOf), feed: [] }])
  const clock = { now: new Date('2026-04-01T12:00:00Z') }
  let count = 0
  const open = () =>
    openPeople({
      store: new MemoryPeopleStore(database),
      feed,
      now: () => clock.now,
      newId: () => `id-${(count += 1)}`,
    })
  const people = await open()
  return {
    people,
    open,
    wait: (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms)),
    actions: async () =>
      (await new MemoryAuditLog(database).query({ since: new Date(0), limit: 99 }))
        .map(({ action }) => action)
        .toReversed(),
    invite: (email: string, roles: readonly GivenRole[], by: Actor = operator) =>
      people.invite({ email, name: email, roles }, by),
    join: async (id: string) =>
      await people.advance(
        {
          id,
          action: 'person.join',
          ends: 'nothing',
          change: (person) => ({ ...person, state: 'active', invitation: undefined }),
        },
        operator,
      ),
  }
}

const is = (role: Role, ...zones: readonly string[]): GivenRole => ({
  role,
  zones: zones.length === 0 ? undefined : zones,
})

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    ({ code }: { code?: string }) => code,
  )

test('an invitation is good once, for seven days, and until another one or its end', async () => {
  const { people, invite, wait, join } = await openWorld()
  const { person, secret = '' } = await invite('ana@example.com', [is('viewer')])
  expect(people.invited(secret)?.id).toBe(person.id)
  expect(people.invited(`${secret}x`)).toBeUndefined()

  const again = await people.reinvite(person.id, operator)
  expect(people.invited(secret)).toBeUndefined()
  await people.revokeInvitation(person.id, operator)
  expect(people.invited(again.secret ?? '')).toBeUndefined()
  const third = await people.reinvite(person.id, operator)
  wait(weekMs)
  expect(people.invited(third.secret ?? '')).toBeUndefined()
  const fourth = await people.reinvite(person.id, operator)
  await join(person.id)
  expect(people.invited(fourth.secret ?? '')).toBeUndefined()
})

test('nobody stands before joining, nor once disabled or removed, here and in other processes', async () => {
  const { people, open, invite, join } = await openWorld()
  const elsewhere = await open()
  const { person } = await invite('ana@example.com', [is('viewer', 'acme')])
  const standing = async () => {
    await elsewhere.keepCurrent()
    return [people, elsewhere].map((each) => each.standing(person.id) !== undefined)
  }
  expect(await standing()).toEqual([false, false])
  await join(person.id)
  expect(await standing()).toEqual([true, true])
  await people.update(person.id, { isDisabled: true }, operator)
  expect(await standing()).toEqual([false, false])
  await people.update(person.id, { isDisabled: false }, operator)
  expect(await standing()).toEqual([true, true])
  await people.remove(person.id, operator)
  expect(await standing()).toEqual([false, false])
  expect(people.known(person.id)?.name).toBe('ana@example.com')
})

test('other roles end a link that somebody may hold for the roles before', async () => {
  const { people, invite } = await openWorld()
  const { person, secret = '' } = await invite('ana@example.com', [is('viewer', 'acme')], narrow)
  await people.update(person.id, { roles: [is('admin')] }, operator)
  expect(people.invited(secret)).toBeUndefined()

  const other = await invite('bo@example.com', [is('viewer', 'acme')], narrow)
  await invite('bo@example.com', [is('admin')])
  expect(people.invited(other.secret ?? '')).toBeUndefined()
})

test('who manages some zones gives, sees and takes away roles there alone', async () => {
  const { people, invite } = await openWorld()
  const { person } = await invite('ana@example.com', [is('publisher', 'bolt')])
  const { person: other } = await invite('bo@example.com', [is('publisher', 'acme', 'bolt')])

  expect(people.list(narrow)).toMatchObject([
    { id: other.id, grants: [{ role: 'publisher', zones: ['acme'] }] },
  ])
  expect(() => people.find(person.id, narrow)).toThrow('There is no person with this id')
  expect(await codeOf(invite('c@example.com', [is('viewer')], narrow))).toBe('InsufficientScope')
  expect(await codeOf(invite('c@example.com', [is('viewer', 'bolt')], narrow))).toBe(
    'InsufficientScope',
  )
  expect(await codeOf(people.update(other.id, { roles: [is('admin')] }, narrow))).toBe(
    'InsufficientScope',
  )
  // A link, a name or the state of somebody who has more is not theirs to give.
  expect(await codeOf(people.reinvite(other.id, narrow))).toBe('InsufficientScope')
  expect(await codeOf(people.update(other.id, { isDisabled: true }, narrow))).toBe(
    'InsufficientScope',
  )
  await people.update(other.id, { roles: [is('viewer', 'acme')] }, narrow)
  expect(people.find(other.id, operator).grants).toMatchObject([
    { role: 'viewer', zones: ['acme'] },
    { role: 'publisher', zones: ['bolt'] },
  ])
  await people.remove(other.id, narrow)
  expect(people.find(other.id, operator).grants).toMatchObject([{ zones: ['bolt'] }])
  expect(people.list(narrow)).toEqual([])
})

test('whoever is invited again gets the roles besides, and no link', async () => {
  const { people, invite, join, actions } = await openWorld()
  const { person } = await invite('ana@example.com', [is('viewer', 'acme')])
  await join(person.id)
  const again = await invite('ana@example.com', [is('viewer', 'bolt'), is('editor', 'acme')])

  expect(again.secret).toBeUndefined()
  expect(people.find(person.id, operator).grants).toMatchObject([
    { role: 'viewer', zones: ['acme', 'bolt'] },
    { role: 'editor', zones: ['acme'] },
  ])
  expect(await actions()).toEqual(['person.invite', 'person.join', 'person.roles'])
})

test('of several roles in a zone all count, in each process once the next request comes', async () => {
  const { people, invite, join } = await openWorld()
  const { person } = await invite('ana@example.com', [is('viewer'), is('publisher', 'acme')])
  await join(person.id)
  const reach = (scope: string) => people.standing(person.id)?.reach(scope)

  expect(reach('storage:read')).toBe('everywhere')
  expect(reach('storage:write')).toEqual(new Set(['acme']))
  expect(reach('tokens:write')).toEqual(new Set())
  await people.update(person.id, { roles: [is('admin', 'bolt')] }, operator)
  expect(reach('storage:read')).toEqual(new Set(['bolt']))
  expect(reach('tokens:write')).toEqual(new Set(['bolt']))
})
