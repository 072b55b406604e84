import { expect, test } from 'bun:test'

import { MemoryRequestLogStore } from '../../../adapters/memory/traffic/memory-request-log-store.ts'
import { lineOf } from '../../../ports/traffic/request-log-store.contract.ts'
import type { RequestLine } from '../../../ports/traffic/request-log-store.ts'
import { parseLogQuery } from '../query/log-query.ts'
import { readCursor, writeCursor } from './line-cursor.ts'
import { type RequestSearch, searchRequests } from './search-requests.ts'

async function storeOf(lines: readonly RequestLine[]) {
  const store = new MemoryRequestLogStore({ maxBytes: 2 ** 24 })
  await store.append(lines)
  return store
}

function search(text: string, options: Partial<RequestSearch> = {}): RequestSearch {
  const parsed = parseLogQuery(text)
  if ('fault' in parsed) throw new Error(parsed.fault.message)
  const standard = { from: 0, to: Infinity, limit: 10, cursor: {}, maxLines: 10_000 }
  return { query: parsed.query, show: (line) => line, ...standard, ...options }
}

const statuses = [200, 404, 500, 403, 304]
const mixed = Array.from({ length: 100 }, (_, at) =>
  lineOf({ at, path: `/${at}`, status: statuses[at % statuses.length] ?? 200 }),
)
const pathsOf = (lines: readonly RequestLine[]) => lines.map(({ path }) => path)

test('lines of all kinds come newest first, a page at a time, each once', async () => {
  const store = await storeOf(mixed)
  const seen: RequestLine[] = []
  let cursor: RequestSearch['cursor'] | undefined = {}
  for (let pages = 0; cursor !== undefined && pages < 50; pages += 1) {
    const found = await searchRequests(store, search('', { limit: 7, cursor }))
    seen.push(...found.lines)
    cursor = found.cursor && readCursor(writeCursor(found.cursor))
  }
  expect(pathsOf(seen)).toEqual(pathsOf(mixed).toReversed())
})

test('what is written between two pages is on neither', async () => {
  const store = await storeOf(mixed)
  const first = await searchRequests(store, search('', { limit: 50 }))
  await store.append([lineOf({ at: 1_000, path: '/new' })])
  const second = await searchRequests(store, search('', { limit: 60, cursor: first.cursor ?? {} }))
  expect(pathsOf([...first.lines, ...second.lines])).toEqual(pathsOf(mixed).toReversed())
  expect(second.cursor).toBeUndefined()
})

test('a search keeps to its time and says how far it looked', async () => {
  const store = await storeOf(mixed)
  const between = await searchRequests(store, search('', { from: 20, to: 25 }))
  expect(pathsOf(between.lines)).toEqual(['/25', '/24', '/23', '/22', '/21', '/20'])
  expect(between).toMatchObject({ cursor: undefined, lookedBackTo: 20, looked: 80 })

  const bounded = await searchRequests(store, search('status:200', { maxLines: 30, limit: 100 }))
  expect(bounded.looked).toBe(30)
  const rest = await searchRequests(
    store,
    search('status:200', { limit: 100, cursor: bounded.cursor ?? {} }),
  )
  expect(pathsOf([...bounded.lines, ...rest.lines])).toEqual(
    pathsOf(mixed.filter(({ status }) => status === 200)).toReversed(),
  )
})

test('a query learns of nothing that is not shown', async () => {
  const store = await storeOf([
    lineOf({ at: 1, zone: 'aka', by: { kind: 'token', id: 'token:1', name: 'secret plan' } }),
    lineOf({ at: 2, zone: 'akande' }),
  ])
  const show = (line: RequestLine): RequestLine | undefined => {
    const { by: _by, ...rest } = line
    return line.zone === 'aka' ? rest : undefined
  }
  expect((await searchRequests(store, search('token:"secret plan"', { show }))).lines).toEqual([])
  expect((await searchRequests(store, search('', { show }))).lines).toEqual([
    lineOf({ at: 1, zone: 'aka' }),
  ])
})

test('what is no cursor is none', () => {
  for (const text of ['', 'x', '-~-~-', '1.2~-~-~x', '1.2~-~-~-1.2', '9'.repeat(300)])
    expect(readCursor(text)).toBeUndefined()
  expect(readCursor('-~-~-~12.7')).toEqual({ delivered: { segment: 12, offset: 7 } })
})
