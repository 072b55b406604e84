import { expect, test } from 'bun:test'

import { zoneNamedBy } from './zone-named.ts'

for (const [path, params, query, zone] of [
  ['/api/core/zones/{id}/domains', { id: 'acme' }, '', 'acme'],
  ['/api/storage/{path}', { path: 'acme/v1/icons/a.svg' }, '?zone=other', 'acme'],
  ['/api/tokens/{id}', { id: 'acme' }, '', ''],
  ['/api/assets', {}, '?zone=acme', 'acme'],
  ['/api/transform', {}, '?path=/acme/v1/a.png&w=1', 'acme'],
  ['/api/logs', {}, '', ''],
  ['/api/storage/{path}', { path: 'a'.repeat(65) }, '', ''],
] as const)
  test(`${path}${query} is about "${zone}"`, () => {
    expect(zoneNamedBy({ operation: { path }, params, url: `http://cdn.test/x${query}` })).toBe(
      zone,
    )
  })
