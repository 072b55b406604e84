import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { Secret } from '../../../lib/secrets/secret.ts'
import { actor } from '../uploads.fixture.ts'
import { grantRequest, openGrants } from './grants.fixture.ts'
import { grantKeys, openGrant, sealGrant } from './sealed-grant.ts'

const hour = 3_600_000
const [key = new Uint8Array()] = grantKeys([new Secret('key')])
const claims = {
  id: 'id-1',
  path: 'acme/v1/logos/',
  expiresAt: new Date('2026-11-21T00:00:00Z'),
  origins: ['https://a.example'],
}
const sealed = sealGrant(claims, key)

test('a grant says what it was given with, to whoever has one of the keys', () => {
  const [other = new Uint8Array()] = grantKeys([new Secret('other')])

  expect(openGrant(sealed, [key])).toEqual(claims)
  expect(openGrant(sealed, [other, key])).toEqual(claims)
  expect(openGrant(sealed, [other])).toBeUndefined()
})

test('of a grant nothing can be left out, added or changed', () => {
  for (let length = 0; length < sealed.length; length += 1)
    expect(openGrant(sealed.slice(0, length), [key])).toBeUndefined()
  expect(openGrant(`${sealed}A`, [key])).toBeUndefined()
  expect(openGrant(` ${sealed}`, [key])).toBeUndefined()
  const place = fc.integer({ min: 0, max: sealed.length - 1 })
  fc.assert(
    fc.property(place, fc.integer({ min: 0, max: 7 }), (at, bit) => {
      const bytes = Buffer.from(sealed)
      bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << bit), at)
      expect(openGrant(bytes.toString('latin1'), [key])).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})

test('any text may be shown instead of a grant', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(openGrant(`g1.${a}.${b}`, [key])).toBeUndefined()
    }),
  )
  expect(openGrant('g1.'.padEnd(1_000_000, 'A'), [key])).toBeUndefined()
})

test('a grant is found until its time is over', async () => {
  const { grants, wait } = await openGrants()
  const { grant, record } = await grants.create(grantRequest(), actor)

  expect(record.expiresAt).toEqual(new Date('2026-11-20T13:00:00Z'))
  expect((await grants.find(grant, undefined))?.id).toBe(record.id)
  wait(hour - 1)
  expect(await grants.find(grant, undefined)).toBeDefined()
  wait(1)
  expect(await grants.find(grant, undefined)).toBeUndefined()
})

test('a grant for pages of some origins is good for these, and for what is no page', async () => {
  const { grants } = await openGrants()
  const origins = ['https://a.example', 'http://localhost:3000']
  const { grant } = await grants.create(grantRequest({ origins }), actor)

  for (const origin of [...origins, undefined])
    expect(await grants.find(grant, origin)).toBeDefined()
  for (const origin of ['https://b.example', 'null', 'https://a.example.evil.example'])
    expect(await grants.find(grant, origin)).toBeUndefined()
})

test.each([
  ['neither a path nor a prefix', { path: undefined }, 'Path'],
  ['a path and a prefix', { prefix: 'acme/v1/logos/' }, 'Path'],
  ['a path outside of the zones', { path: '_headers' }, 'Path'],
  ['a path with dots', { path: 'acme/v1/../other/a.png' }, 'Path'],
  ['a prefix above v1', { path: undefined, prefix: 'acme/' }, 'Prefix'],
  ['an empty prefix', { path: undefined, prefix: '' }, 'Prefix'],
  ['a prefix with dots', { path: undefined, prefix: 'acme/v1/../../other/v1/' }, 'Prefix'],
  ['more bytes than any file may have', { maxBytes: 1001 }, 'MaxBytes'],
  ['no type', { types: ['image/*', 'png'] }, 'Types[1]'],
  ['a type with parameters', { types: ['text/plain; charset=utf-8'] }, 'Types[0]'],
  ['a range of subtypes', { types: ['*/png'] }, 'Types[0]'],
  ['no origin', { origins: ['https://a.example/path'] }, 'Origins[0]'],
  ['an origin of no page', { origins: ['ftp://a.example'] }, 'Origins[0]'],
  [
    'metadata that nothing can have',
    { metadata: { kind: 'set' as const, patch: { title: 'x'.repeat(10_000) } } },
    'title',
  ],
  ['many times one file', { times: 2 }, 'Times'],
  ['the past', { expiresAt: new Date('2026-11-20T12:00:00Z') }, 'ExpiresAt'],
  ['more than seven days', { expiresAt: new Date('2026-11-27T12:00:01Z') }, 'ExpiresAt'],
])('no grant is given for %s', async (_what, given, target) => {
  const { grants } = await openGrants()

  await expect(grants.create(grantRequest(given), actor)).rejects.toMatchObject({
    code: 'InvalidParameter',
    target,
  })
})

test('paths, prefixes and types are kept in one spelling', async () => {
  const { grants } = await openGrants()
  const of = async (given: object) => (await grants.create(grantRequest(given), actor)).record

  expect((await of({ path: '/clients/acme/v1/a.png' })).path).toBe('acme/v1/a.png')
  for (const prefix of ['acme/v1/up', 'acme/v1/up/', '/clients/acme/v1/up/'])
    expect((await of({ path: undefined, prefix })).path).toBe('acme/v1/up/')
  const types = ['IMAGE/*', 'image/jpg', '*/*']
  expect((await of({ types })).types).toEqual(['image/*', 'image/jpeg', '*/*'])
})

test('who is narrowed to some zones gives, sees and revokes grants of these alone', async () => {
  const { grants } = await openGrants()
  const narrowed = { ...actor, credentialId: 'session:a', zones: new Set(['other']) }
  const { record } = await grants.create(grantRequest(), actor)
  const path = 'other/v1/a.png'
  const own = await grants.create(grantRequest({ path }), narrowed)
  const page = { zone: undefined, offset: 0, limit: 10 }

  await expect(grants.create(grantRequest(), narrowed)).rejects.toMatchObject({
    code: 'ZoneNotFound',
  })
  await expect(grants.revoke(record.id, narrowed)).rejects.toMatchObject({ code: 'NotFound' })
  expect((await grants.list(page, narrowed)).grants.map(({ id }) => id)).toEqual([own.record.id])
  await expect(grants.list({ ...page, zone: 'acme' }, narrowed)).rejects.toMatchObject({
    code: 'ZoneNotFound',
  })
  expect((await grants.list(page, actor)).count).toBe(2)
  expect((await grants.list({ ...page, zone: 'acme' }, actor)).count).toBe(1)
})

test('no grant is given for a zone that is not there, nor more than a zone may have', async () => {
  const { grants } = await openGrants()

  await expect(
    grants.create(grantRequest({ path: 'nowhere/v1/a.png' }), actor),
  ).rejects.toMatchObject({ code: 'ZoneNotFound' })
  for (let place = 0; place < 20; place += 1) await grants.create(grantRequest(), actor)
  await expect(grants.create(grantRequest(), actor)).rejects.toMatchObject({
    code: 'LimitExceeded',
  })
})

test('a revoked grant is good for nothing, and cannot be revoked again', async () => {
  const { grants, database } = await openGrants()
  const { grant, record } = await grants.create(grantRequest(), actor)
  await grants.revoke(record.id, actor)

  expect(await grants.find(grant, undefined)).toBeUndefined()
  await expect(grants.revoke(record.id, actor)).rejects.toMatchObject({ code: 'NotFound' })
  const told = database.audit.filter(({ action }) => action.startsWith('upload.grant'))
  expect(told.map(({ action, target, meta }) => [action, target, meta['grant']])).toEqual([
    ['upload.grant.create', 'acme/v1/logos/a.png', record.id],
    ['upload.grant.revoke', 'acme/v1/logos/a.png', record.id],
  ])
})

test('a grant ends with the token that made it, and lives no longer', async () => {
  const { grants, tokenById } = await openGrants()
  const token = { id: 't', zones: ['acme'], expiresAt: new Date('2026-11-20T12:30:00Z') }
  tokenById.set('t', token as never)
  const holder = { ...actor, credentialId: 'token:t', zones: new Set(['acme']) }
  const { grant, record } = await grants.create(grantRequest(), holder)

  expect(record.expiresAt).toEqual(token.expiresAt)
  expect(await grants.find(grant, undefined)).toBeDefined()
  tokenById.set('t', { ...token, zones: ['other'] } as never)
  expect(await grants.find(grant, undefined)).toBeUndefined()
  tokenById.delete('t')
  expect(await grants.find(grant, undefined)).toBeUndefined()
})

test('a grant ends with the key that made it, once the former key is no longer good', async () => {
  const { grants, restart } = await openGrants()
  const { grant } = await grants.create(grantRequest(), actor)
  const [former, next] = [new Secret('key'), new Secret('next')]

  expect(await restart([next, former]).grants.find(grant, undefined)).toBeDefined()
  expect(await restart([next]).grants.find(grant, undefined)).toBeUndefined()
})
