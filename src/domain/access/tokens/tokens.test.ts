import { expect, test } from 'bun:test'

import { MemoryAuditLog } from '../../../adapters/memory/content/memory-audit-log.ts'
import { MemoryDatabase } from '../../../adapters/memory/content/memory-database.ts'
import { MemoryPublicationStore } from '../../../adapters/memory/content/memory-publication-store.ts'
import { MemoryTokenStore } from '../../../adapters/memory/access/memory-token-store.ts'
import { zoneOf } from '../../../ports/content/publication-store.contract.ts'
import { createFeed } from '../../feed.ts'
import type { Actor, Reach, StandingPerson } from '../actor.ts'
import { type CreatedToken, openTokens, type TokenRequest } from './tokens.ts'

const operator: Actor = {
  credentialId: 'account-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: 'r1',
}
const dayMs = 86_400_000
const request: TokenRequest = { name: 'ci', scopes: ['storage:write'], expiresInDays: 30 }

async function openWorld(database = new MemoryDatabase()) {
  const publications = new MemoryPublicationStore(database)
  const feed = createFeed({ store: publications, onSubscriberFault: console.error })
  const clock = {
    now: new Date('2026-04-01T12:00:00Z'),
    people: new Map<string, StandingPerson>(),
  }
  let count = 0
  const open = () =>
    openTokens({
      findStanding: (id) => clock.people.get(id),
      published: { zone: zoneOf },
      maxPerZone: () => 3,
      store: new MemoryTokenStore(database),
      feed,
      now: () => clock.now,
      newId: () => `id-${(count += 1)}`,
    })
  if (database.zoneByName.size === 0)
    await publications.publish([{ zones: ['acme', 'bolt'].map(zoneOf), feed: [] }])
  return {
    tokens: await open(),
    /** Another process over the same database. */
    open,
    people: clock.people,
    audit: new MemoryAuditLog(database),
    wait: (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms)),
    removeZone: async (zone: string) => {
      const at = clock.now
      const entry = {
        at,
        event: 'zone.deleted',
        zone,
        path: undefined,
        commitId: undefined,
      } as const
      feed.announce(
        await publications.publish([{ removedZones: [zone], feed: [{ ...entry, data: {} }] }]),
      )
    },
  }
}

const actorOf = ({ record }: CreatedToken): Actor => ({
  ...operator,
  credentialId: `token:${record.id}`,
  zones: record.zones && new Set(record.zones),
})

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => 'done',
    (error: unknown) => Reflect.get(error as object, 'code'),
  )

test('a new token is found by its secret with its scopes and zones, and kept without it', async () => {
  const { tokens } = await openWorld()
  const { record, secret } = await tokens.create({ ...request, zones: ['bolt', 'acme'] }, operator)

  expect(tokens.find(secret)).toEqual({
    id: `token:${record.id}`,
    scopes: new Set(['storage:write']),
    zones: new Set(['acme', 'bolt']),
  })
  expect(JSON.stringify(tokens.list(operator))).not.toContain(secret.slice(10))
  expect(secret.startsWith(record.prefix)).toBe(true)
})

test('no other secret is found, be it well made or not', async () => {
  const { tokens } = await openWorld()
  const { secret } = await tokens.create(request, operator)
  const other = (await (await openWorld()).tokens.create(request, operator)).secret

  for (const wrong of [other, secret.slice(0, -1), `${secret} `, secret.toLowerCase(), ''])
    expect(tokens.find(wrong)).toBeUndefined()
})

test('a token opens nothing from the moment on at which it expires', async () => {
  const { tokens, wait } = await openWorld()
  const { secret, record } = await tokens.create({ ...request, expiresInDays: 1 }, operator)
  wait(dayMs - 1)
  expect(tokens.find(secret)).toBeDefined()
  wait(1)
  expect(record.expiresAt).toEqual(new Date('2026-04-02T12:00:00Z'))
  expect(tokens.find(secret)).toBeUndefined()
})

test('a revoked token opens nothing when the revocation is answered, whatever is read meanwhile', async () => {
  const { tokens } = await openWorld()
  const { secret, record } = await tokens.create(request, operator)
  const rereads = [tokens.keepCurrent(), tokens.keepCurrent()]
  await tokens.revoke(record.id, operator)
  expect(tokens.find(secret)).toBeUndefined()
  await Promise.all(rereads)

  expect(tokens.find(secret)).toBeUndefined()
  expect(await codeOf(tokens.revoke(record.id, operator))).toBe('NotFound')
})

test('another process learns of new, revoked and narrowed tokens when it next keeps current', async () => {
  const world = await openWorld()
  const other = await world.open()
  const kept = await world.tokens.create({ ...request, zones: ['acme', 'bolt'] }, operator)
  const gone = await world.tokens.create(request, operator)
  await other.keepCurrent()
  expect(other.find(gone.secret)).toBeDefined()

  await world.tokens.revoke(gone.record.id, operator)
  await other.keepCurrent()
  expect(other.find(gone.secret)).toBeUndefined()
  expect(other.find(kept.secret)?.zones).toEqual(new Set(['acme', 'bolt']))
})

test('everything is there after opening again', async () => {
  const world = await openWorld()
  const { secret } = await world.tokens.create(request, operator)

  expect((await world.open()).find(secret)).toEqual(world.tokens.find(secret))
})

test('a removed zone takes its tokens with it at once', async () => {
  const { tokens, removeZone } = await openWorld()
  const one = await tokens.create({ ...request, zones: ['acme'] }, operator)
  const both = await tokens.create({ ...request, zones: ['acme', 'bolt'] }, operator)
  await removeZone('acme')

  expect(tokens.find(one.secret)).toBeUndefined()
  expect(tokens.find(both.secret)?.zones).toEqual(new Set(['bolt']))
  await tokens.keepCurrent()
  expect(tokens.find(both.secret)?.zones).toEqual(new Set(['bolt']))
})

test('a token for a zone that does not exist is refused', async () => {
  const { tokens } = await openWorld()
  const zones = ['acme', 'nowhere']

  expect(await codeOf(tokens.create({ ...request, zones }, operator))).toBe('InvalidParameter')
  expect(tokens.list(operator)).toEqual([])
})

test('a token makes none with scopes that it lacks', async () => {
  const { tokens } = await openWorld()
  const maker = await tokens.create({ ...request, scopes: ['tokens:write', 'logs:read'] }, operator)
  const make = (...scopes: TokenRequest['scopes']) =>
    codeOf(tokens.create({ ...request, scopes }, actorOf(maker)))

  expect(await make('logs:read')).toBe('done')
  expect(await make('logs:read', 'zones:write')).toBe('InsufficientScope')
})

test('a token makes none that reaches further, and none for every zone where it has not got that', async () => {
  const { tokens } = await openWorld()
  const scopes = ['tokens:write'] as const
  const maker = await tokens.create({ ...request, scopes, zones: ['acme'] }, operator)
  const make = (zones?: readonly string[]) =>
    codeOf(tokens.create({ ...request, scopes, zones }, actorOf(maker)))

  expect(await make(['acme'])).toBe('done')
  for (const zones of [undefined, ['bolt'], ['acme', 'bolt'], ['nowhere']])
    expect(await make(zones)).toBe('InsufficientScope')
})

test('a token makes none that outlives it', async () => {
  const { tokens, wait } = await openWorld()
  const scopes = ['tokens:write'] as const
  const maker = await tokens.create({ ...request, scopes }, operator)
  wait(dayMs)
  const long = await tokens.create({ ...request, scopes, expiresInDays: 365 }, actorOf(maker))
  const short = await tokens.create({ ...request, scopes, expiresInDays: 1 }, actorOf(maker))

  expect(long.record.expiresAt).toEqual(maker.record.expiresAt)
  expect(short.record.expiresAt < maker.record.expiresAt).toBe(true)
})

test('a token that was revoked while it asked makes none', async () => {
  const { tokens } = await openWorld()
  const maker = await tokens.create({ ...request, scopes: ['tokens:write'] }, operator)
  await tokens.revoke(maker.record.id, operator)

  expect(
    await codeOf(tokens.create({ ...request, scopes: ['tokens:write'] }, actorOf(maker))),
  ).toBe('Unauthorized')
})

test('a token makes none while it is being revoked', async () => {
  const { tokens } = await openWorld()
  const maker = await tokens.create({ ...request, scopes: ['tokens:write'] }, operator)
  const [, outcome] = await Promise.all([
    tokens.revoke(maker.record.id, operator),
    codeOf(tokens.create({ ...request, scopes: ['tokens:write'] }, actorOf(maker))),
  ])

  expect(outcome).toBe('Unauthorized')
  expect(tokens.list(operator)).toEqual([])
})

test('a narrowed actor sees and revokes only what reaches no further than it does', async () => {
  const { tokens } = await openWorld()
  const made = {
    all: await tokens.create(request, operator),
    acme: await tokens.create({ ...request, zones: ['acme'] }, operator),
    both: await tokens.create({ ...request, zones: ['acme', 'bolt'] }, operator),
  }
  const narrowed = { ...operator, zones: new Set(['acme']) }

  expect(tokens.list(narrowed)).toEqual([made.acme.record])
  expect(await codeOf(tokens.revoke(made.all.record.id, narrowed))).toBe('NotFound')
  expect(await codeOf(tokens.revoke(made.both.record.id, narrowed))).toBe('NotFound')
  expect(await codeOf(tokens.revoke(made.acme.record.id, narrowed))).toBe('done')
})

test('use is written down later, and at most once a minute', async () => {
  const world = await openWorld()
  const { tokens, wait } = world
  const { secret, record } = await tokens.create(request, operator)
  const written = async () => {
    await tokens.keepCurrent()
    const [found] = (await world.open()).list(operator)
    return found?.lastUsedAt?.toISOString()
  }
  expect(await written()).toBeUndefined()
  tokens.find(secret)
  expect(tokens.list(operator)[0]?.lastUsedAt).toBeDefined()
  expect(await written()).toBe('2026-04-01T12:00:00.000Z')
  wait(59_999)
  tokens.find(secret)
  expect(await written()).toBe('2026-04-01T12:00:00.000Z')
  wait(1)
  tokens.find(secret)
  tokens.find(secret)
  expect(await written()).toBe('2026-04-01T12:01:00.000Z')
  await tokens.revoke(record.id, operator)
  await tokens.keepCurrent()
})

test('making and revoking leave records that name zones and never the secret', async () => {
  const { tokens, audit } = await openWorld()
  const { record, secret } = await tokens.create({ ...request, zones: ['acme'] }, operator)
  await tokens.revoke(record.id, operator)
  const records = await audit.query({ since: new Date(0), limit: 10 })

  expect(records.map(({ action, actor, target, meta }) => [action, actor, target, meta])).toEqual([
    [
      'token.revoke',
      'account-key',
      record.id,
      { name: 'ci', scopes: ['storage:write'], zones: ['acme'] },
    ],
    [
      'token.create',
      'account-key',
      record.id,
      { name: 'ci', scopes: ['storage:write'], zones: ['acme'] },
    ],
  ])
  expect(JSON.stringify(records)).not.toContain(secret)
})

test('of a secret that is made anew the audit log says only that it changed', async () => {
  const { tokens, audit } = await openWorld()
  const { record } = await tokens.create(request, operator)
  const { secret } = await tokens.rotate(record.id, 60, operator)
  const [rotation] = await audit.query({ since: new Date(0), limit: 1 })

  expect(rotation).toMatchObject({
    action: 'token.rotate',
    meta: { before: { secret: 'hidden' }, after: { secret: 'changed' } },
  })
  expect(JSON.stringify(rotation)).not.toContain(secret)
})

const personWith = (reaches: Readonly<Record<string, Reach>>): StandingPerson => ({
  id: 'ana',
  name: 'Ana',
  reach: (scope) => reaches[scope] ?? new Set(),
})
const ana: Actor = { ...operator, credentialId: 'person:ana', zones: new Set(), personId: 'ana' }

test('a person makes tokens for what the person’s roles open, and for nothing else', async () => {
  const { tokens, people } = await openWorld()
  people.set(
    'ana',
    personWith({ 'storage:read': 'everywhere', 'storage:write': new Set(['acme']) }),
  )
  const make = (scopes: TokenRequest['scopes'], zones?: readonly string[]) =>
    tokens.create({ ...request, scopes, zones }, ana).then(
      ({ record }) => record.personId,
      ({ code }: { code: string }) => code,
    )

  expect(await make(['storage:read'])).toBe('ana')
  expect(await make(['storage:read', 'storage:write'], ['acme'])).toBe('ana')
  expect(await make(['storage:write'])).toBe('InsufficientScope')
  expect(await make(['storage:write'], ['acme', 'bolt'])).toBe('InsufficientScope')
  expect(await make(['tokens:write'], ['acme'])).toBe('InsufficientScope')
})

test('a person’s token opens what the person’s roles do now, and ends with the person', async () => {
  const { tokens, people } = await openWorld()
  people.set('ana', personWith({ 'storage:write': 'everywhere' }))
  const { secret, record } = await tokens.create(request, ana)
  expect(tokens.find(secret)?.zones).toBeUndefined()

  people.set('ana', personWith({ 'storage:write': new Set(['acme']) }))
  expect(tokens.find(secret)?.zones).toEqual(new Set(['acme']))
  expect(tokens.byId(record.id)?.zones).toEqual(['acme'])
  people.set('ana', personWith({ 'storage:read': 'everywhere' }))
  expect(tokens.find(secret)).toBeUndefined()
  people.delete('ana')
  expect(tokens.find(secret)).toBeUndefined()
  expect(tokens.byId(record.id)).toBeUndefined()
})

test('a token that a person’s token makes is the person’s too', async () => {
  const { tokens, people } = await openWorld()
  people.set('ana', personWith({ 'storage:read': 'everywhere', 'tokens:write': 'everywhere' }))
  const first = await tokens.create({ ...request, scopes: ['tokens:write', 'storage:read'] }, ana)
  const second = await tokens.create({ ...request, scopes: ['storage:read'] }, actorOf(first))

  expect(second.record.personId).toBe('ana')
})

test('a rotated token has another secret, and the one before for the overlap alone', async () => {
  const { tokens, wait, open } = await openWorld()
  const { secret, record } = await tokens.create(request, operator)
  const rotated = await tokens.rotate(record.id, 60, operator)
  const elsewhere = await open()

  for (const each of [tokens, elsewhere])
    expect([each.find(secret)?.id, each.find(rotated.secret)?.id]).toEqual([
      `token:${record.id}`,
      `token:${record.id}`,
    ])
  wait(60_000)
  for (const each of [tokens, elsewhere])
    expect([each.find(secret), each.find(rotated.secret)?.id]).toEqual([
      undefined,
      `token:${record.id}`,
    ])
})

test('nobody gets at another person’s token, or at more than they have, by rotating one', async () => {
  const { tokens, people } = await openWorld()
  const all = { 'storage:write': 'everywhere', 'tokens:write': 'everywhere' } as const
  people.set('ana', personWith(all))
  people.set('bo', personWith(all))
  const anas = await tokens.create(request, ana)
  const narrow = await tokens.create({ ...request, scopes: ['tokens:write'] }, operator)
  const wide = await tokens.create(request, operator)
  const bo: Actor = { ...ana, zones: undefined, personId: 'bo', credentialId: 'person:bo' }
  const rotation = (id: string, actor: Actor) =>
    tokens.rotate(id, 0, actor).then(
      () => 'rotated',
      ({ code }: { code: string }) => code,
    )

  expect(await rotation(anas.record.id, bo)).toBe('Forbidden')
  expect(await rotation(wide.record.id, actorOf(narrow))).toBe('InsufficientScope')
  expect(await rotation(anas.record.id, actorOf(narrow))).toBe('Forbidden')
  expect(await rotation(anas.record.id, ana)).toBe('rotated')
})
