import { expect, test } from 'bun:test'

import { scopes } from '../src/domain/access/tokens/scopes.ts'
import type { Access, KeyName } from '../src/http/operation.ts'
import { allOperations } from '../src/planes/operations.ts'

type Auth = readonly KeyName[] | 'public'

/** The endpoint tables of the interface specification, row by row. */
const specified: readonly { readonly row: string; readonly auth: Auth }[] = [
  { row: 'GET /api/assets', auth: ['access'] },
  { row: 'GET /api/assets/metadata', auth: ['access'] },
  { row: 'GET /api/storage/{path}', auth: ['access'] },
  { row: 'PUT /api/storage/{path}', auth: ['access'] },
  { row: 'DELETE /api/storage/{path}', auth: ['access'] },
  { row: 'POST /api/storage/batch', auth: ['access'] },
  { row: 'GET /api/core/zones', auth: ['account'] },
  { row: 'POST /api/core/zones', auth: ['account'] },
  { row: 'GET /api/core/zones/{id}', auth: ['account'] },
  { row: 'DELETE /api/core/zones/{id}', auth: ['account'] },
  { row: 'POST /api/core/zones/{id}/domains', auth: ['account'] },
  { row: 'GET /api/core/statistics', auth: ['account'] },
  { row: 'GET /api/core/rules', auth: ['account'] },
  { row: 'POST /api/core/rules', auth: ['account'] },
  { row: 'GET /api/insights/summary', auth: ['access', 'account'] },
  { row: 'GET /api/insights/top-assets', auth: ['access', 'account'] },
  { row: 'GET /api/insights/geography', auth: ['access', 'account'] },
  { row: 'GET /api/insights/errors', auth: ['access', 'account'] },
  { row: 'GET /api/transform', auth: 'public' },
  { row: 'GET /api/auto', auth: 'public' },
  { row: 'GET /api/signed', auth: 'public' },
  { row: 'GET /api/stream', auth: 'public' },
  { row: 'POST /api/purge', auth: ['purge'] },
  { row: 'GET /api/analytics', auth: ['analytics'] },
  { row: 'POST /api/analytics', auth: 'public' },
  { row: 'GET /api/search', auth: 'public' },
  { row: 'POST /api/chat', auth: 'public' },
  { row: 'POST /api/tokens', auth: ['account'] },
  { row: 'POST /api/passkeys/auth/complete', auth: 'public' },
  { row: 'POST /dashboard/login', auth: 'public' },
]

/** Specified and not built. This list only shrinks. */
const missing: readonly string[] = []

const operations = allOperations
const rowOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method.toUpperCase()} ${path}`
const authOf = (access: Access): Auth => (access === 'public' ? 'public' : access.keys)

test('every endpoint of the specification is an operation or is listed as missing', () => {
  const built = new Set(operations.map(rowOf))

  expect(specified.map(({ row }) => row).filter((row) => !built.has(row))).toEqual([...missing])
})

test('every operation the specification names takes the credentials it names', () => {
  const authByRow = new Map(operations.map((each) => [rowOf(each), authOf(each.access)]))

  for (const { row, auth } of specified)
    if (authByRow.has(row)) expect({ row, auth: authByRow.get(row) }).toEqual({ row, auth })
})

test('the data-plane key opens nothing that changes zones or edge configuration', () => {
  const core = operations.filter(({ path }) => path.startsWith('/api/core/'))

  expect(core.length).toBeGreaterThan(0)
  for (const { access } of core) expect(authOf(access)).not.toContain('access')
})

test('every scope an operation asks for can be given to a token', () => {
  for (const { id, access } of operations)
    if (access !== 'public' && access.scope !== undefined)
      expect({ id, scopes }).toEqual({ id, scopes: expect.arrayContaining([access.scope]) })
})

test('no two operations share an id or a route', () => {
  const ids = operations.map(({ id }) => id)
  const rows = operations.map(rowOf)

  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(rows).size).toBe(rows.length)
})

test('the endpoints of one path prefix answer errors in one envelope', () => {
  const flat = new Set(
    'transform auto signed stream purge analytics search docs chat ai iiif'.split(' '),
  )
  for (const { path, envelope } of operations) {
    const [, first = '', second = ''] = path.split('/')
    const segment = first === 'api' ? second : first
    expect({ path, envelope }).toEqual({
      path,
      envelope: flat.has(segment) ? 'flat' : 'standard',
    })
  }
})
