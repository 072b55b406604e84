import { expect, test } from 'bun:test'

import { ServiceError } from '../../domain/errors.ts'
import {
  admit,
  authenticateWith,
  authorize,
  bearerAuthenticator,
  challenge,
  type Credential,
} from './authorize.ts'
import type { Access, KeyName } from '../operation.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { keyAuthenticator } from './key-authenticator.ts'
import { testKeyAuthenticator, testKeys } from '../testing.ts'

const carriers: Readonly<Record<KeyName, string>> = {
  access: 'AccessKey',
  account: 'AccountKey',
  purge: 'x-api-key',
  analytics: 'x-api-key',
}
const keyNames = ['access', 'account', 'purge', 'analytics'] as const

const accesses: Readonly<Record<string, Access>> = {
  public: 'public',
  access: { keys: ['access'], scope: 'storage:read' },
  account: { keys: ['account'], scope: 'zones:read', session: true },
  either: { keys: ['access', 'account'], scope: 'insights:read' },
  purge: { keys: ['purge'], scope: 'purge:write' },
  analytics: { keys: ['analytics'], scope: 'analytics:read' },
  'keys alone': { keys: ['account'] },
  'session alone': { keys: [], session: true },
}

const token = (...scopes: string[]): Credential => ({
  kind: 'token',
  id: 'token:1',
  scopes: new Set(scopes),
  zones: undefined,
})
const session: Credential = { kind: 'session', id: 'session:1' }

function outcome(access: Access, credentials: readonly Credential[]): string {
  try {
    return authorize(access, credentials)?.id ?? 'anonymous'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

/** What a request with these headers is answered, under these accesses. */
async function ask(access: Access, headers: Record<string, string>, isAdmin = false) {
  const authenticate = authenticateWith([testKeyAuthenticator(isAdmin)])
  return outcome(
    access,
    await authenticate(new Request('http://sedge.test/', { headers }), '192.0.2.1'),
  )
}

test('every key opens the planes that name it and no other', async () => {
  for (const [name, access] of Object.entries(accesses))
    for (const key of keyNames) {
      const isOpen = access === 'public' || access.keys.includes(key)
      const result = await ask(access, { [carriers[key]]: testKeys[key] })
      expect([name, key, result]).toEqual([name, key, isOpen ? `${key}-key` : 'Forbidden'])
    }
})

test('as admin the account key opens whatever any key opens; the others stay as they were', async () => {
  for (const [name, access] of Object.entries(accesses))
    for (const key of keyNames) {
      const own = access === 'public' || access.keys.includes(key)
      const isOpen = own || (key === 'account' && access.keys.length > 0)
      const result = await ask(access, { [carriers[key]]: testKeys[key] }, true)
      expect([name, key, result]).toEqual([name, key, isOpen ? `${key}-key` : 'Forbidden'])
    }
})

test('no credential and wrong ones are 401, except where nothing is needed', async () => {
  const wrong = {
    AccessKey: 'x',
    AccountKey: '',
    'x-api-key': 'x',
    Authorization: 'Bearer cdnsk_x',
  }
  for (const [name, access] of Object.entries(accesses))
    for (const headers of [{}, wrong]) {
      const expected = name === 'public' ? 'anonymous' : 'Unauthorized'
      expect([name, await ask(access, headers)]).toEqual([name, expected])
    }
})

const secret = (text: string) => new Secret(text)

test('a former key is as good as the one it was replaced by, and no other is', async () => {
  const authenticate = keyAuthenticator({
    access: secret('new'),
    account: secret('account'),
    purge: secret('purge'),
    analytics: secret('analytics'),
    accountKeyIsAdmin: false,
    previous: { access: secret('old'), purge: undefined },
  })
  const ids = async (headers: Record<string, string>) =>
    (await authenticate(new Request('http://sedge.test/', { headers }))).map(({ id }) => id)
  expect(await ids({ AccessKey: 'old' })).toEqual(['access-key'])
  expect(await ids({ AccessKey: 'new' })).toEqual(['access-key'])
  expect(await ids({ AccessKey: 'older', AccountKey: 'old' })).toEqual([])
})

test('a key in the header of another is wrong', async () => {
  expect(await ask(accesses['access'] as Access, { AccountKey: testKeys.access })).toBe(
    'Unauthorized',
  )
  expect(await ask(accesses['purge'] as Access, { AccessKey: testKeys.purge })).toBe('Unauthorized')
})

test('one sufficient credential is enough, whatever else is sent with it', async () => {
  const access = { keys: ['access'] } as const
  expect(await ask(access, { AccessKey: testKeys.access, AccountKey: 'wrong' })).toBe('access-key')
  expect(await ask(access, { AccessKey: testKeys.access, AccountKey: testKeys.account })).toBe(
    'access-key',
  )
  expect(await ask(access, { AccessKey: 'wrong', AccountKey: testKeys.account })).toBe('Forbidden')
})

test('a token opens exactly the operations whose scope it has', () => {
  for (const [name, access] of Object.entries(accesses)) {
    if (access === 'public') continue
    const { scope } = access
    const scoped = scope === undefined ? [] : [token('other', scope)]
    for (const credential of scoped) expect(outcome(access, [credential])).toBe('token:1')
    const expected = scope === undefined ? 'Forbidden' : 'InsufficientScope'
    expect([name, outcome(access, [token('other')])]).toEqual([name, expected])
  }
})

test('a write scope does not bring the read scope', () => {
  expect(outcome({ keys: [], scope: 'storage:read' }, [token('storage:write')])).toBe(
    'InsufficientScope',
  )
})

test('a session opens only what names it', () => {
  for (const [name, access] of Object.entries(accesses)) {
    const isOpen = access === 'public' || access.session === true
    expect([name, outcome(access, [session])]).toEqual([name, isOpen ? 'session:1' : 'Forbidden'])
  }
})

test('a refused request is told what would do', () => {
  const access = accesses['account'] as Access
  expect(challenge(access, 'Unauthorized')).toEqual({
    'WWW-Authenticate':
      'AccountKey realm="sedge", Bearer realm="sedge", scope="zones:read", Session realm="sedge"',
  })
  expect(challenge(access, 'InsufficientScope')).toEqual({
    'WWW-Authenticate': 'Bearer realm="sedge", scope="zones:read", error="insufficient_scope"',
  })
  expect(challenge(access, 'Forbidden')).toEqual({})
  expect(challenge('public', 'Forbidden')).toEqual({})
  expect(challenge('public', 'Unauthorized')).toEqual({
    'WWW-Authenticate': 'Session realm="sedge"',
  })
})

const grant = { id: 'token:1', scopes: new Set(['logs:read']), zones: undefined }
const authenticate = bearerAuthenticator((text) => (text === 'right' ? grant : undefined))
const recognised = (authorization: string) =>
  authenticate(new Request('http://sedge.test/', { headers: { authorization } }))

test('the scheme is read in any case, the token exactly', () => {
  for (const field of ['Bearer right', 'bearer right', 'BEARER  right '])
    expect(recognised(field)).toEqual([{ kind: 'token', ...grant }])
  for (const field of [
    'Bearer Right',
    'Bearer',
    'Bearer ',
    'right',
    'Basic right',
    'Bearer a right',
  ])
    expect(recognised(field)).toEqual([])
})

test('without the field there is no token', () => {
  expect(authenticate(new Request('http://sedge.test/'))).toEqual([])
})

test('what is public shows more by any credential that would open it, and by no other', () => {
  const moreFor = { keys: ['access'], scope: 'storage:read', session: true } as const
  const admitted = (...credentials: Credential[]) => {
    const { credential, seesMore } = admit({ access: 'public', moreFor }, credentials)
    return [credential?.id, seesMore]
  }

  expect(admitted(session, token('storage:read'))).toEqual(['session:1', true])
  expect(admitted(token('purge:write'), session)).toEqual(['session:1', true])
  expect(admitted(token('storage:write'))).toEqual(['token:1', false])
  expect(admitted()).toEqual([undefined, false])
  expect(admit({ access: 'public' }, [session]).seesMore).toBe(false)
})
