import { expect, test } from 'bun:test'

import { MemoryAuditLog } from '../../adapters/memory/content/memory-audit-log.ts'
import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { authenticateWith, bearerAuthenticator } from '../../http/access/authorize.ts'
import { testApp } from '../../http/testing.ts'
import { auditOf, zoneOf } from '../../ports/content/publication-store.contract.ts'
import { listAuditLogs } from './audit-logs.ts'

const now = new Date('2026-04-01T12:00:00.000Z')

type Records = readonly Parameters<typeof auditOf>[0][]

/** The log with these records, asked by a token that is narrowed to `zones`. */
async function logWith(zones: readonly string[], records: Records) {
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
  return async (query: string) => {
    const request = new Request(`http://sedge.test/api/core/audit-logs${query}`, {
      headers: { Authorization: 'Bearer x' },
    })
    return await app.fetch(request, '192.0.2.1')
  }
}

interface Answer {
  readonly Entries: readonly {
    readonly target: string
    readonly commit: string | null
    readonly before: object | null
    readonly after: object | null
  }[]
  readonly Count: number
  readonly Cursor: string | null
}

/** What such a token is shown of these records, as their targets. */
async function shownTo(zones: readonly string[], records: Records, query = '') {
  const ask = await logWith(zones, records)
  const answer = (await (await ask(query)).json()) as Answer
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

test('what was before and what came after stand beside each other, and the commit apart', async () => {
  const ask = await logWith(
    ['acme'],
    [
      {
        target: 'acme',
        action: 'zone.update',
        meta: { commit: 'c1', history: 'public', before: {} },
      },
      {
        target: 'acme/_headers',
        action: 'rules.update',
        meta: { zone: 'acme', before: { content: 'a' }, after: { content: 'b' } },
      },
      { target: 'acme/v1/a.svg', action: 'storage.put', meta: { commit: 'c2' } },
    ],
  )
  const { Entries } = (await (await ask('')).json()) as Answer
  expect(Entries).toMatchObject([
    { commit: 'c2', before: null, after: null },
    { commit: null, before: { content: 'a' }, after: { content: 'b' } },
    { commit: 'c1', before: {}, after: { history: 'public' } },
  ])
})

test('a page goes on from a cursor, also where most is not shown, and as a table from its link', async () => {
  const records = Array.from({ length: 2_500 }, (_, place) => ({
    action: place % 2 === 0 ? 'storage.put' : 'storage.delete',
    target: `${place % 5 === 0 ? 'acme' : 'bolt'}/v1/${place}`,
  }))
  const ask = await logWith(['acme'], records)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer: Answer = (await (
      await ask(`?limit=150&action=storage.put${cursor === '' ? '' : `&cursor=${cursor}`}`)
    ).json()) as Answer
    expect(answer.Entries.length).toBeLessThanOrEqual(150)
    seen.push(...answer.Entries.map(({ target }) => target))
    cursor = answer.Cursor
  }
  expect(seen).toEqual(
    records
      .filter(({ action, target }) => action === 'storage.put' && target.startsWith('acme'))
      .map(({ target }) => target)
      .toReversed(),
  )

  const first = await ask('?limit=300&format=csv')
  expect(first.headers.get('content-type')).toContain('text/csv')
  const next = /^<([^>]+)>; rel="next"$/u.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await ask(next.slice(next.indexOf('?')))
  expect(second.headers.get('link')).toBeNull()
  const lines = [await first.text(), await second.text()].map((text) => text.trim().split('\r\n'))
  expect(lines.map((each) => each.length)).toEqual([301, 201])
  expect(lines[0]?.[0]).toStartWith('time,summary,action,target')
  expect((await ask('?cursor=x')).status).toBe(400)
})

test('a group of actions is asked for by its name', async () => {
  const records = [
    { action: 'zone.create', target: 'acme' },
    { action: 'zone.update', target: 'acme' },
    { action: 'zones.other', target: 'acme', meta: { zone: 'acme' } },
    { action: 'purge', target: 'everything', actor: 'token:1' },
  ]
  expect(await shownTo(['acme'], records, '?action=zone.*')).toEqual(['acme', 'acme'])
  expect(await shownTo(['acme'], records, '?action=purge.*')).toEqual(['everything'])
})
