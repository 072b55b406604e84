import { expect, test } from 'bun:test'

import { type Role, roles, scopesOfRole } from '../../../../src/domain/access/people/roles.ts'
import { leastRole, mayOf, type OwnReach } from './may.ts'

const reach: OwnReach = new Map([
  ['storage:write', ['acme']],
  ['purge:write', null],
])

test('an operator may do everything', () => {
  expect(mayOf(undefined, { scope: 'zones:write', zone: null }).isAllowed).toBe(true)
})

test('what a role opens in a zone is allowed there, and not in others or for all', () => {
  const allowedIn = (zone: string | null | undefined) =>
    mayOf(reach, { scope: 'storage:write', zone }).isAllowed
  expect([allowedIn('acme'), allowedIn('docs'), allowedIn(null), allowedIn(undefined)]).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(mayOf(reach, { scope: 'purge:write', zone: null }).isAllowed).toBe(true)
})

test('one of several scopes is enough', () => {
  const scope = ['previews:write', 'storage:write'] as const
  expect(mayOf(reach, { scope, zone: 'acme' }).isAllowed).toBe(true)
})

test('whoever may not is told the least role that would do, and where', () => {
  expect(mayOf(reach, { scope: 'zones:write', zone: 'docs' }).whyNot).toBe(
    'Your roles do not open this: admin of docs does.',
  )
  expect(mayOf(reach, { scope: ['previews:write', 'storage:write'], zone: 'docs' }).whyNot).toBe(
    'Your roles do not open this: editor of docs does.',
  )
})

test('the least role of a scope is the one that the service has', () => {
  const served = new Map<string, Role>()
  for (const role of roles)
    for (const scope of scopesOfRole(role)) if (!served.has(scope)) served.set(scope, role)
  for (const [scope, role] of served) expect(leastRole([scope as 'zones:read'])).toBe(role)
})
