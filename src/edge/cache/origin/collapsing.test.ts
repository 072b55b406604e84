import { expect, test } from 'bun:test'

import { setUpCache, statusOf, type Origin } from '../testing.ts'

/** An origin that answers only once the gate is open. */
function gated(headers: Record<string, string>, body = (request: Request) => request.url) {
  const gate = Promise.withResolvers<void>()
  const origin: Origin = async (request) => {
    await gate.promise
    return new Response(body(request), { headers })
  }
  return { origin, open: gate.resolve }
}

const many = <T>(ask: (index: number) => Promise<T>, count = 40): Promise<T>[] =>
  Array.from({ length: count }, (_, index) => ask(index))

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Bun.sleep(0)
}

test('40 requests for one address at once ask the origin once', async () => {
  const { origin, open } = gated({ 'cache-control': 'max-age=60' })
  await using edge = setUpCache({ origin })
  const answers = many(() => edge.get('/a'))
  await settle()
  open()
  const statuses = (await Promise.all(answers)).map(statusOf)

  expect(edge.asked).toHaveLength(1)
  expect(
    statuses.filter((status) => status === 'sedge; fwd=uri-miss; ttl=60; collapsed'),
  ).toHaveLength(39)
})

test('followers read a body of known length while it comes in', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const headers = { 'cache-control': 'max-age=60', 'content-length': '200000' }
  await using edge = setUpCache({ origin: () => new Response(readable, { headers }) })
  const [leader, follower] = await Promise.all(many(() => edge.get('/a'), 2))
  const readers = [leader, follower].map((answer) => answer?.body?.getReader())
  void writer.write(new Uint8Array(100_000).fill(1))

  for (const reader of readers) expect((await reader?.read())?.value?.length).toBe(100_000)
  void writer.write(new Uint8Array(100_000).fill(2)).then(() => writer.close())
  for (const reader of readers) expect((await reader?.read())?.value?.[0]).toBe(2)
  expect(edge.asked).toHaveLength(1)
})

test('what must not be shared is asked for by each, and next time nobody waits for another', async () => {
  const { origin, open } = gated({ 'cache-control': 'private' })
  await using edge = setUpCache({ origin })
  const answers = many(() => edge.get('/a'))
  await settle()
  expect(edge.asked).toHaveLength(1)
  open()
  await Promise.all(answers)
  expect(edge.asked).toHaveLength(40)

  const later = many(() => edge.get('/a'))
  await settle()
  expect(edge.asked).toHaveLength(80)
  await Promise.all(later)
})

test('requests with Authorization wait for nobody', async () => {
  const { origin, open } = gated({ 'cache-control': 'public, max-age=60' })
  await using edge = setUpCache({ origin })
  const answers = many((index) => edge.get('/a', { authorization: `Basic ${index}` }), 5)
  await settle()

  expect(edge.asked).toHaveLength(5)
  open()
  await Promise.all(answers)
})

test('each variant is fetched once', async () => {
  const { origin, open } = gated(
    { 'cache-control': 'max-age=60', vary: 'x' },
    (request) => request.headers.get('x') ?? '',
  )
  await using edge = setUpCache({ origin })
  const answers = many(async (index) => (await edge.get('/a', { x: `${index % 4}` })).text())
  await settle()
  open()

  expect(await Promise.all(answers)).toEqual(answers.map((_, index) => `${index % 4}`))
  expect(edge.asked).toHaveLength(4)
})

test('a failure is shared, so that a dead origin is not stormed', async () => {
  await using edge = setUpCache({
    origin: async () => {
      await settle()
      throw new Error('refused')
    },
  })
  const answers = await Promise.allSettled(many(() => edge.get('/a')))

  expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
  expect(edge.asked).toHaveLength(1)
})

test('nobody waits for another longer than the policy says', async () => {
  const never = Promise.withResolvers<Response>()
  await using edge = setUpCache({
    origin: (_request, count) => (count === 1 ? never.promise : new Response('own')),
    policy: { collapseWaitMs: 1 },
  })
  const leader = edge.get('/a')
  await settle()

  expect(await (await edge.get('/a')).text()).toBe('own')
  never.resolve(new Response('late'))
  await leader
})

test('one validation serves all who wait for it', async () => {
  await using edge = setUpCache({
    origin: async (request) => {
      await settle()
      return request.headers.has('if-none-match')
        ? new Response(null, { status: 304, headers: { etag: '"a"' } })
        : new Response('body', { headers: { etag: '"a"', 'cache-control': 'max-age=1' } })
    },
  })
  await (await edge.get('/a')).text()
  edge.passSeconds(5)
  const bodies = await Promise.all(many(async () => (await edge.get('/a')).text()))

  expect(new Set(bodies)).toEqual(new Set(['body']))
  expect(edge.asked).toHaveLength(2)
})
