import { expect, test } from 'bun:test'

import { countersRaisedBy } from '../purge/counter-names.ts'
import { createPurgeGenerations, type PurgeGenerations } from '../purge/purge-generations.ts'
import { setUpCache, statusOf, type Origin } from './testing.ts'

/** Purging as if generations did not exist: what is stored goes, and nothing else is remembered. */
const withoutGenerations = (): PurgeGenerations => ({
  ...createPurgeGenerations(),
  newest: 0,
  raise: () => {},
  purge: () => {},
  applyFeed: () => {},
  stateOf: () => 'current',
})

/** An origin with one mutable asset, whose answers begin only when they are let go. */
function setUpSlowOrigin() {
  const gates: (() => void)[] = []
  let version = 1
  const origin: Origin = async () => {
    const body = `version ${version}`
    await new Promise<void>((resolve) => gates.push(resolve))
    return new Response(body, { headers: { 'cache-control': 'max-age=60', 'cache-tag': 't' } })
  }
  return { origin, gates, overwrite: () => (version += 1) }
}

/** Overwrites and purges while a fetch of the old bytes is under way; answers what is served after. */
async function servedAfterRace(generations: PurgeGenerations): Promise<string> {
  const slow = setUpSlowOrigin()
  await using edge = setUpCache({ origin: slow.origin, generations })
  const early = edge.get('/a')
  await until(() => slow.gates.length === 1)

  slow.overwrite()
  generations.purge({ tags: ['t'] })
  edge.store.remove('https://cache.test/a')

  slow.gates[0]?.()
  await (await early).text()
  const late = edge.get('/a')
  await Promise.race([late, until(() => slow.gates.length === 2)])
  slow.gates[1]?.()
  return (await late).text()
}

test('a purge during a slow fetch is not undone by it', async () => {
  expect(await servedAfterRace(createPurgeGenerations())).toBe('version 2')
})

test('without generations it would be: the test above can fail', async () => {
  expect(await servedAfterRace(withoutGenerations())).toBe('version 1')
})

test('a request that comes after a purge does not share a fetch that began before it', async () => {
  const slow = setUpSlowOrigin()
  await using edge = setUpCache({ origin: slow.origin })
  const before = edge.get('/a')
  await until(() => slow.gates.length === 1)
  slow.overwrite()
  edge.generations.purge({ urls: ['/a'] })
  const after = edge.get('/a')
  slow.gates[0]?.()
  await before
  await until(() => slow.gates.length === 2)
  slow.gates[1]?.()

  expect(await (await after).text()).toBe('version 2')
})

test('an overwrite behind a POST is not undone by a slow fetch either', async () => {
  const gate = Promise.withResolvers<void>()
  await using edge = setUpCache({
    origin: async (request, count) => {
      if (request.method === 'POST') return new Response(null, { status: 204 })
      if (count === 1) await gate.promise
      return new Response(`fetch ${count}`, { headers: { 'cache-control': 'max-age=60' } })
    },
  })
  const early = edge.get('/a')
  await until(() => edge.asked.length === 1)
  await edge.send('POST', '/a')
  gate.resolve()
  await (await early).text()

  expect(await (await edge.get('/a')).text()).toBe('fetch 3')
})

test('of two fetches of one address the one that began later is kept, whichever ends last', async () => {
  const gate = Promise.withResolvers<void>()
  await using edge = setUpCache({
    origin: async (_request, count) => {
      if (count === 1) await gate.promise
      return new Response(`fetch ${count}`, { headers: { 'cache-control': 'public, max-age=60' } })
    },
  })
  const older = edge.get('/a', { authorization: 'Basic eA==' })
  await until(() => edge.asked.length === 1)
  edge.passSeconds(1)
  await (await edge.get('/a', { authorization: 'Basic eQ==' })).text()
  gate.resolve()
  await (await older).text()

  expect(await (await edge.get('/a')).text()).toBe('fetch 2')
})

test('never an older answer after a newer one, with 8 readers through 200 overwrites', async () => {
  let version = 0
  await using edge = setUpCache({
    origin: async () => {
      const mine = version
      await Bun.sleep(0)
      return new Response(String(mine), { headers: { 'cache-control': 'max-age=60' } })
    },
  })
  const over = new AbortController()
  const read = async () => {
    let newest = 0
    while (!over.signal.aborted) {
      const floor = version
      const seen = Number(await (await edge.get('/a')).text())
      expect(seen).toBeGreaterThanOrEqual(Math.max(newest, floor))
      newest = seen
      await Bun.sleep(0)
    }
  }
  const readers = Array.from({ length: 8 }, read)
  for (let round = 0; round < 200; round += 1) {
    version += 1
    edge.generations.raise({ counters: countersRaisedBy({ urls: ['/a'] }), soft: false })
    await Bun.sleep(0)
  }
  over.abort()
  await Promise.all(readers)
})

test('a soft purge validates: the bytes stay, and are served stale where that is allowed', async () => {
  await using edge = setUpCache({
    origin: (request) =>
      request.headers.has('if-none-match')
        ? new Response(null, { status: 304, headers: { etag: '"a"' } })
        : new Response('body', {
            headers: { etag: '"a"', 'cache-control': 'max-age=60, stale-while-revalidate=60' },
          }),
  })
  await (await edge.get('/a')).text()
  edge.generations.purge({ everything: true, soft: true })
  const stale = await edge.get('/a')
  await until(() => edge.asked.length === 2)
  await Bun.sleep(0)

  expect(statusOf(stale)).toBe('sedge; hit; ttl=0')
  expect(statusOf(await edge.get('/a'))).toBe('sedge; hit; ttl=60')
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(0)
}
