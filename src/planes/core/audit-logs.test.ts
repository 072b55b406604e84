import { expect, test } from 'bun:test'

import { MemoryAuditLog } from '../../adapters/memory/content/memory-audit-log.ts'
import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { authenticateWith, bearerAuthenticator } from '../../http/access/authorize.ts'
import { testApp } from '../../http/testing.ts'
import { auditOf, zoneOf } from '../../ports/content/publication-store.contract.ts'
import { listAuditLogs } from './audit-logs.ts'

const now = new Date('2026-04-01T12:00:00.000Z')

/** What a token narrowed to `zones` is shown of these records, as their targets. */
async function shownTo(
  zones: readonly string[],
  records: readonly Parameters<typeof auditOf>[0][],
  query = '',
) {
  const audit = new MemoryAuditLog(new MemoryDatabase())
  for (const record of records) await audit.append(auditOf({ at: now, meta: {}, ...record }))
  const published = { zone: (name: string) => ({ ...zoneOf(name), createdAt: new Date(0) }) }
  const grant = { id: 'token:1', scopes: new Set(['logs:read']), zones: new Set(zones) }
  const app = testApp(
    [
      listAuditLogs.endpoint({
        audit,
        published,
        people: { known: () => undefined },
        tokens: { byId: () => undefined },
        now: () => now,
      }),
    ],
    {
      authenticate: authenticateWith([bearerAuthenticator(() => grant)]),
    },
  )
  const request = new Request(`http://sedge.test/api/core/audit-logs${query}`, {
    headers: { Authorization: 'Bearer x' },
  })
  const answer = (await (await app.fetch(request, '192.0.2.1')).json()) as {
    Entries: { target: string }[]
    Count: number
  }
  expect(answer.Count).toBe(answer.Entries.length)
  return answer.Entries.map(({ target }) => target).toReversed()
}

test('a narrowed token sees what was done to its zones and what it did itself, nothing else', async () => {
  const shown = await shownTo(
    ['acme', 'tags'],
    [
      { action: 'storage.put', target: 'acme/v1/logos/a,b.svg' },
      { action: 'storage.put', target: 'bolt/v1/logos/a.svg' },
      { action: 'storage.batch', target: 'acme,tags' },
      { action: 'storage.batch', target: 'acme,bolt' },
      { action: 'zone.update', target: 'acme' },
      { action: 'zone.create', target: 'bolt' },
      { action: 'domain.add', target: 'cdn.acme.example', meta: { zone: 'acme' } },
      { action: 'domain.add', target: 'acme', meta: { zone: 'bolt' } },
      { action: 'token.create', target: 't1', meta: { zones: ['acme'] } },
      { action: 'token.create', target: 't2', meta: { zones: ['acme', 'bolt'] } },
      { action: 'token.create', target: 't3', meta: {} },
      { action: 'purge', target: 'tags', meta: { tags: ['zone-bolt'] } },
      { action: 'purge', target: 'urls', actor: 'token:1' },
      { action: 'rules.update', target: '_headers' },
    ],
  )

  expect(shown).toEqual([
    'acme/v1/logos/a,b.svg',
    'acme,tags',
    'acme',
    'cdn.acme.example',
    't1',
    'urls',
  ])
})

test('records of others do not use up the limit', async () => {
  const mine = Array.from({ length: 3 }, (_, place) => ({
    action: 'storage.put',
    target: `acme/v1/${place}`,
  }))
  const others = Array.from({ length: 50 }, () => ({ action: 'storage.put', target: 'bolt/v1/x' }))

  expect(await shownTo(['acme'], [...mine, ...others], '?limit=2')).toEqual([
    'acme/v1/1',
    'acme/v1/2',
  ])
  expect(await shownTo(['none'], [...mine, ...others], '?limit=2')).toEqual([])
})

test('entries are found by zone, by who did it and by what is said of them', async () => {
  const records = [
    { action: 'storage.put', target: 'aka/v1/a.svg', actor: 'access-key' },
    { action: 'storage.delete', target: 'aka/v1/b.svg', actor: 'token:7' },
    { action: 'storage.put', target: 'akande/v1/a.svg', actor: 'access-key' },
  ]
  const targets = async (query: string) => await shownTo(['aka', 'akande'], records, query)
  expect(await targets('?zone=aka')).toEqual(['aka/v1/a.svg', 'aka/v1/b.svg'])
  expect(await targets('?actor=token')).toEqual(['aka/v1/b.svg'])
  expect(await targets('?q=DELETED+aka')).toEqual(['aka/v1/b.svg'])
  expect(await targets('?q=nothing')).toEqual([])
  expect(await targets('?to=2020-01-01T00:00:00Z')).toEqual([])
})
