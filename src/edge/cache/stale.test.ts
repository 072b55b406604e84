import { expect, test } from 'bun:test'

import { setUpCache, statusOf, type CacheUnderTest, type Origin } from './testing.ts'

/** Fills `/a`, lets it go stale five seconds ago, and asks again while the origin does `then`. */
async function askStale(
  cacheControl: string,
  then: Origin,
  request: Record<string, string> = {},
): Promise<{ readonly edge: CacheUnderTest; readonly answer: Response | 'failed' }> {
  const edge = setUpCache({
    origin: (asked, count) =>
      count === 1
        ? new Response('old', { headers: { 'cache-control': cacheControl, etag: '"a"' } })
        : then(asked, count),
  })
  await (await edge.get('/a')).text()
  edge.passSeconds(6)
  const answer = await edge.get('/a', request).catch(() => 'failed' as const)
  return { edge, answer }
}

const refuse: Origin = () => {
  throw new Error('refused')
}
const fail =
  (status: number): Origin =>
  () =>
    new Response('broken', { status })

const textOf = async (answer: Response | 'failed') => (answer === 'failed' ? answer : answer.text())

const cases: readonly (readonly [string, string, Origin, string, Record<string, string>?])[] = [
  // RFC 5861 §4
  ['stale-if-error and a 500', 'max-age=1, stale-if-error=60', fail(500), 'old'],
  ['stale-if-error and a 503', 'max-age=1, stale-if-error=60', fail(503), 'old'],
  ['a 404 is no such error', 'max-age=1, stale-if-error=60', fail(404), 'broken'],
  ['past the window', 'max-age=1, stale-if-error=4', fail(500), 'broken'],
  ['without stale-if-error', 'max-age=1', fail(500), 'broken'],
  ['the client’s own', 'max-age=1', fail(500), 'old', { 'cache-control': 'stale-if-error=60' }],
  // RFC 9111 §4.2.4
  ['no answer at all', 'max-age=1', refuse, 'old'],
  ...['must-revalidate', 'proxy-revalidate', 'no-cache', 's-maxage=1'].flatMap((directive) => [
    [`${directive} and no answer`, `max-age=1, ${directive}`, refuse, 'failed'] as const,
    [
      `${directive} and stale-if-error`,
      `max-age=1, stale-if-error=60, ${directive}`,
      fail(500),
      'broken',
    ] as const,
    [
      `${directive} and stale-while-revalidate`,
      `max-age=1, stale-while-revalidate=60, ${directive}`,
      () => new Response('new'),
      'new',
    ] as const,
  ]),
]

for (const [what, cacheControl, then, expected, request = {}] of cases)
  test(`an error behind a stale answer gives ${expected}: ${what}`, async () => {
    const { edge, answer } = await askStale(cacheControl, then, request)
    await using _edge = edge

    expect(await textOf(answer)).toBe(expected)
  })

test('an answer that stands in for an error says so', async () => {
  const { edge, answer } = await askStale('max-age=1, stale-if-error=60', fail(503))
  await using _edge = edge

  expect(answer === 'failed' ? '' : statusOf(answer)).toBe(
    'sedge; fwd=stale; fwd-status=503; ttl=-5; detail="stale-if-error"',
  )
})

test('stale-while-revalidate answers at once and fetches once behind the client’s back', async () => {
  const gate = Promise.withResolvers<void>()
  const { edge, answer } = await askStale('max-age=1, stale-while-revalidate=60', async () => {
    await gate.promise
    return new Response('new', { headers: { 'cache-control': 'max-age=60' } })
  })
  await using _edge = edge
  const again = await edge.get('/a')
  expect(await textOf(answer)).toBe('old')
  expect(statusOf(again)).toBe('sedge; hit; ttl=-5')
  expect(edge.asked).toHaveLength(2)

  gate.resolve()
  while ((await (await edge.get('/a')).text()) === 'old') await Bun.sleep(0)
  expect(edge.asked).toHaveLength(2)
})

test('a refresh that fails leaves the stale answer in place, for as long as it may be served', async () => {
  const { edge } = await askStale('max-age=1, stale-while-revalidate=60', refuse)
  await using _edge = edge
  await Bun.sleep(0)
  expect(await (await edge.get('/a')).text()).toBe('old')

  edge.passSeconds(100)
  expect(await (await edge.get('/a')).text()).toBe('old')
  edge.passSeconds(86_400)
  expect(edge.get('/a')).rejects.toThrow('refused')
})
