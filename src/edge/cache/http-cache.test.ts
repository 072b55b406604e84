import { expect, test } from 'bun:test'

import { counting, setUpCache, startOfTime, statusOf, type Origin } from './testing.ts'

const httpDate = (secondsFromStart: number): string =>
  new Date(startOfTime + secondsFromStart * 1000).toUTCString()

/** Asks twice, `pauseSeconds` apart, and tells whether the second answer came from the cache. */
async function isReused(
  headers: Readonly<Record<string, string>>,
  { status = 200, pauseSeconds = 1, request = {}, policy = {} } = {},
): Promise<boolean> {
  await using edge = setUpCache({ origin: counting(headers, status), policy })
  await (await edge.get('/a', request)).text()
  edge.passSeconds(pauseSeconds)
  await (await edge.get('/a', request)).text()
  return edge.asked.length === 1
}

const cases: readonly (readonly [
  sentence: string,
  headers: Readonly<Record<string, string>>,
  reused: boolean,
  options?: Parameters<typeof isReused>[1],
])[] = [
  // RFC 9111 §4.2.1
  ['max-age makes fresh', { 'cache-control': 'max-age=10' }, true],
  ['max-age ends', { 'cache-control': 'max-age=10' }, false, { pauseSeconds: 10 }],
  ['s-maxage beats max-age', { 'cache-control': 's-maxage=1, max-age=99' }, false],
  ['a longer s-maxage beats max-age', { 'cache-control': 'max-age=0, s-maxage=99' }, true],
  ['max-age beats Expires', { 'cache-control': 'max-age=0', expires: httpDate(99) }, false],
  ['Expires counts from Date', { date: httpDate(0), expires: httpDate(5) }, true],
  ['Expires in the past', { date: httpDate(0), expires: httpDate(-5) }, false],
  ['an Expires that is no date is past', { expires: '0', 'last-modified': httpDate(-999) }, false],
  ['Age is spent already', { 'cache-control': 'max-age=10', age: '9' }, false],
  ['of two Ages the first counts', { 'cache-control': 'max-age=10', age: '9, 0' }, false],
  ['an Age that is no number is ignored', { 'cache-control': 'max-age=10', age: 'old' }, true],
  ['an old Date is age', { 'cache-control': 'max-age=10', date: httpDate(-60) }, false],
  ['of two max-age the first counts', { 'cache-control': 'max-age=0, max-age=60' }, false],
  ['a max-age that is no number is zero', { 'cache-control': 'max-age=1.5' }, false],
  ['a negative max-age is zero', { 'cache-control': 'max-age=-1' }, false],
  ['a quoted max-age is read', { 'cache-control': 'max-age="60"' }, true],
  ['directives have no case', { 'cache-control': 'MAX-AGE=60' }, true],
  ['max-age inside a quoted string is text', { 'cache-control': 'x="max-age=60"' }, false],
  ['a huge max-age is for ever', { 'cache-control': 'max-age=99999999999' }, true],
  // §4.2.2
  ['without any word nothing is fresh', {}, false],
  ['a tenth of the time since Last-Modified', { 'last-modified': httpDate(-100) }, true],
  ['and no more', { 'last-modified': httpDate(-100) }, false, { pauseSeconds: 10 }],
  ['no heuristics for a 302', { 'last-modified': httpDate(-999) }, false, { status: 302 }],
  [
    'but where it says public',
    { 'last-modified': httpDate(-999), 'cache-control': 'public' },
    true,
    { status: 302 },
  ],
  // §3, §5.2.2
  ['no-store', { 'cache-control': 'no-store, max-age=60' }, false],
  ['private', { 'cache-control': 'private, max-age=60' }, false],
  ['no-cache', { 'cache-control': 'no-cache, max-age=60' }, false],
  ['must-revalidate, while fresh', { 'cache-control': 'must-revalidate, max-age=60' }, true],
  [
    'must-understand lifts no-store for a known status',
    { 'cache-control': 'must-understand, no-store, max-age=60' },
    true,
  ],
  [
    'must-understand forbids an unknown one',
    { 'cache-control': 'must-understand, max-age=60' },
    false,
    { status: 299 },
  ],
  ['Vary: * is never the same', { 'cache-control': 'max-age=60', vary: 'accept, *' }, false],
  ['a partial answer is not stored', { 'cache-control': 'max-age=60' }, false, { status: 206 }],
  ['an explicit lifetime on a redirect', { 'cache-control': 'max-age=60' }, true, { status: 307 }],
  // §3.5
  [
    'Authorization',
    { 'cache-control': 'max-age=60' },
    false,
    { request: { authorization: 'Basic x' } },
  ],
  ...['public', 'must-revalidate', 's-maxage=60'].map(
    (directive) =>
      [
        `Authorization and ${directive}`,
        { 'cache-control': `${directive}, max-age=60` },
        true,
        { request: { authorization: 'Basic x' } },
      ] as const,
  ),
  // §5.2.1
  [
    'request max-age',
    { 'cache-control': 'max-age=60' },
    false,
    { request: { 'cache-control': 'max-age=0' } },
  ],
  [
    'request no-cache',
    { 'cache-control': 'max-age=60' },
    false,
    { request: { 'cache-control': 'no-cache' } },
  ],
  [
    'request no-store',
    { 'cache-control': 'max-age=60' },
    false,
    { request: { 'cache-control': 'no-store' } },
  ],
  [
    'request min-fresh',
    { 'cache-control': 'max-age=60' },
    false,
    { request: { 'cache-control': 'min-fresh=60' } },
  ],
  [
    'request max-stale',
    { 'cache-control': 'max-age=1', etag: '"a"' },
    true,
    { pauseSeconds: 5, request: { 'cache-control': 'max-stale=9' } },
  ],
  [
    'max-stale does not beat must-revalidate',
    { 'cache-control': 'max-age=1, must-revalidate', etag: '"a"' },
    false,
    { pauseSeconds: 5, request: { 'cache-control': 'max-stale=9' } },
  ],
  [
    'Pragma where there is no Cache-Control',
    { 'cache-control': 'max-age=60' },
    false,
    { request: { pragma: 'no-cache' } },
  ],
  [
    'Pragma beside Cache-Control',
    { 'cache-control': 'max-age=60' },
    true,
    { request: { pragma: 'no-cache', 'cache-control': 'max-age=9' } },
  ],
  [
    'request directives where the operator ignores them',
    { 'cache-control': 'max-age=60' },
    true,
    { request: { 'cache-control': 'no-cache' }, policy: { honoursRequestDirectives: false } },
  ],
  // RFC 9213 §2.2
  ['CDN-Cache-Control replaces', { 'cdn-cache-control': 'max-age=60' }, true],
  [
    'also what Cache-Control forbids',
    { 'cdn-cache-control': 'max-age=60', 'cache-control': 'no-store' },
    true,
  ],
  [
    'and Expires',
    { 'cdn-cache-control': 'max-age=0', expires: httpDate(99), date: httpDate(0) },
    false,
  ],
  [
    'the own name beats the general one',
    { 'sedge-cache-control': 'no-store', 'cdn-cache-control': 'max-age=60' },
    false,
  ],
  [
    'what does not parse is absent',
    { 'cdn-cache-control': 'max-age=60, &&', 'cache-control': 'no-store' },
    false,
  ],
  [
    'and so is a lifetime of the wrong type',
    { 'cdn-cache-control': 'max-age="60"', 'cache-control': 'no-store' },
    false,
  ],
  ['and an empty field', { 'cdn-cache-control': '', 'cache-control': 'max-age=60' }, true],
  ['members that are off', { 'cdn-cache-control': 'no-store=?0, max-age=60' }, true],
  // Precautions of the policy
  ['a 404 with a lifetime', { 'cache-control': 'max-age=600' }, true, { status: 404 }],
  [
    'but not for longer than errors may live',
    { 'cache-control': 'max-age=600' },
    false,
    { status: 404, pauseSeconds: 61 },
  ],
  ['no other error', { 'cache-control': 'max-age=600' }, false, { status: 400 }],
  [
    'unless all that is permitted is stored',
    { 'cache-control': 'max-age=600' },
    true,
    { status: 400, policy: { storing: 'permitted' } },
  ],
  ['a cookie', { 'cache-control': 'max-age=600', 'set-cookie': 'a=b' }, false],
  [
    'a cookie declared public',
    { 'cache-control': 'public, max-age=600', 'set-cookie': 'a=b' },
    true,
  ],
]

for (const [sentence, headers, reused, options] of cases)
  test(`${reused ? 'reused' : 'not reused'}: ${sentence}`, async () => {
    expect(await isReused(headers, options)).toBe(reused)
  })

test('a reused answer carries the stored fields, its Age, our Via and why it is a hit', async () => {
  const headers = { 'cache-control': 'max-age=60', age: '5', via: '1.1 before', x: 'y' }
  await using edge = setUpCache({ origin: counting(headers) })
  await (await edge.get('/a')).text()
  edge.passSeconds(7)
  const answer = await edge.get('/a')

  expect(await answer.text()).toBe('body 1')
  expect(answer.headers.get('age')).toBe('12')
  expect(answer.headers.get('x')).toBe('y')
  expect(answer.headers.get('via')).toBe('1.1 before, 1.1 sedge')
  expect(statusOf(answer)).toBe('sedge; hit; ttl=48')
  expect(answer.headers.get('date')).toBe(httpDate(0))
})

test('Cache-Status is a list, the caches nearer to the origin first', async () => {
  const headers = { 'cache-control': 'max-age=60', 'cache-status': 'inner; hit' }
  await using edge = setUpCache({ origin: counting(headers), policy: { showsKey: true } })
  const miss = statusOf(await edge.get('/a'))

  expect(miss).toStartWith('inner; hit, sedge; fwd=uri-miss; fwd-status=200; ttl=60; stored')
  expect(miss).toEndWith('key="https://cache.test/a"')
})

test('hop-by-hop fields, and those that Connection names, are neither stored nor passed on', async () => {
  const headers = {
    'cache-control': 'max-age=60',
    connection: 'x, close',
    x: '1',
    'keep-alive': '5',
  }
  await using edge = setUpCache({ origin: counting(headers) })
  for (const answer of [
    await edge.get('/a', { te: 'trailers', connection: 'te' }),
    await edge.get('/a'),
  ])
    for (const name of ['connection', 'x', 'keep-alive'])
      expect(answer.headers.has(name)).toBe(false)

  expect(edge.asked[0]?.headers.has('te')).toBe(false)
  expect(edge.asked[0]?.headers.get('via')).toBe('1.1 sedge')
})

test('fields that private or no-cache name are for the first client alone', async () => {
  const headers = {
    'cache-control': 'private="x", no-cache="y, z", max-age=60',
    x: '1',
    y: '2',
    z: '3',
  }
  await using edge = setUpCache({ origin: counting(headers) })
  const first = await edge.get('/a')
  const second = await edge.get('/a')

  expect(['x', 'y', 'z'].map((name) => first.headers.get(name))).toEqual(['1', '2', '3'])
  expect(['x', 'y', 'z'].map((name) => second.headers.get(name))).toEqual([null, null, null])
  expect(edge.asked).toHaveLength(1)
})

const validated: Origin = (request, count) =>
  request.headers.get('if-none-match') === '"a"'
    ? new Response(null, {
        status: 304,
        headers: {
          etag: '"a"',
          'cache-control': 'max-age=60',
          x: `${count}`,
          'content-type': 'text/css',
        },
      })
    : new Response('body', {
        headers: {
          etag: '"a"',
          'cache-control': 'max-age=1',
          x: `${count}`,
          'content-encoding': 'identity',
        },
      })

test('a 304 freshens what is stored and brings its fields up to date, but for those of the bytes', async () => {
  await using edge = setUpCache({ origin: validated })
  await (await edge.get('/a')).text()
  edge.passSeconds(5)
  const second = await edge.get('/a')
  edge.passSeconds(5)
  const third = await edge.get('/a')

  expect(statusOf(second)).toBe('sedge; fwd=stale; fwd-status=304; ttl=60; stored')
  expect(statusOf(third)).toBe('sedge; hit; ttl=55')
  for (const answer of [second, third]) {
    expect(await answer.text()).toBe('body')
    expect(answer.headers.get('x')).toBe('2')
    expect(answer.headers.get('content-type')).toBe('text/css')
    expect(answer.headers.get('content-encoding')).toBe('identity')
  }
})

test('a 304 about another representation is not believed', async () => {
  await using edge = setUpCache({
    origin: (request, count) =>
      request.headers.has('if-none-match')
        ? new Response(null, { status: 304, headers: { etag: '"other"' } })
        : new Response(`body ${count}`, { headers: { etag: '"a"', 'cache-control': 'max-age=1' } }),
  })
  await (await edge.get('/a')).text()
  edge.passSeconds(5)

  expect(await (await edge.get('/a')).text()).toBe('body 3')
})

test('validation uses Last-Modified where there is no entity-tag', async () => {
  const headers = { 'cache-control': 'max-age=1', 'last-modified': httpDate(-9) }
  await using edge = setUpCache({ origin: counting(headers) })
  await (await edge.get('/a')).text()
  edge.passSeconds(5)
  await edge.get('/a')

  expect(edge.asked[1]?.headers.get('if-modified-since')).toBe(httpDate(-9))
})

test('a client is answered 304 from what is stored, by entity-tag, by date and by our own Date', async () => {
  const headers = { 'cache-control': 'max-age=60', etag: '"a"', vary: 'x' }
  await using edge = setUpCache({ origin: counting(headers) })
  await (await edge.get('/a')).text()
  const byTag = await edge.get('/a', { 'if-none-match': 'W/"a"' })
  const byDate = await edge.get('/a', { 'if-modified-since': httpDate(0) })

  expect([byTag.status, byDate.status]).toEqual([304, 304])
  expect(byTag.headers.get('etag')).toBe('"a"')
  expect(byTag.headers.get('vary')).toBe('x')
  expect(statusOf(byTag)).toContain('hit')
})

test('a conditional request that misses fetches the whole, stores it, and is answered by it', async () => {
  const headers = { 'cache-control': 'max-age=60', etag: '"a"' }
  await using edge = setUpCache({ origin: counting(headers) })
  const first = await edge.get('/a', { 'if-none-match': '"a"' })
  const second = await edge.get('/a')

  expect(first.status).toBe(304)
  expect(await second.text()).toBe('body 1')
  expect(edge.asked[0]?.headers.has('if-none-match')).toBe(false)
})

test('HEAD is answered from what is stored, with the length and without the body', async () => {
  await using edge = setUpCache({ origin: counting({ 'cache-control': 'max-age=60' }) })
  await (await edge.get('/a')).text()
  const head = await edge.send('HEAD', '/a')

  expect(head.headers.get('content-length')).toBe('6')
  expect(await head.text()).toBe('')
  expect(edge.asked).toHaveLength(1)
})

test('an answer to HEAD is never stored for GET, but shows that what is stored has changed', async () => {
  const headers = { 'cache-control': 'max-age=1', etag: '"a"' }
  await using edge = setUpCache({
    origin: (request, count) =>
      request.method === 'HEAD'
        ? new Response(null, { headers: { etag: '"b"', 'cache-control': 'max-age=60' } })
        : new Response(`body ${count}`, { headers }),
  })
  await (await edge.get('/a')).text()
  edge.passSeconds(5)
  await edge.send('HEAD', '/a')
  const after = await edge.get('/a')

  expect(await after.text()).toBe('body 3')
  expect(edge.asked[2]?.headers.has('if-none-match')).toBe(false)
})

test('ranges are cut from what is stored; without that they are the origin’s', async () => {
  await using edge = setUpCache({
    origin: (request) =>
      request.headers.has('range')
        ? new Response('part', { status: 206, headers: { 'content-range': 'bytes 0-3/9' } })
        : new Response('0123456789', { headers: { 'cache-control': 'max-age=60', etag: '"a"' } }),
  })
  const missed = await edge.get('/a', { range: 'bytes=0-3' })
  await (await edge.get('/a')).text()
  const first = await edge.get('/a', { range: 'bytes=2-4' })
  const last = await edge.get('/a', { range: 'bytes=-2' })
  const several = await edge.get('/a', { range: 'bytes=0-1,8-' })
  const beyond = await edge.get('/a', { range: 'bytes=99-' })
  const changed = await edge.get('/a', { range: 'bytes=0-1', 'if-range': '"b"' })

  expect([missed.status, await missed.text()]).toEqual([206, 'part'])
  expect([first.status, first.headers.get('content-range'), await first.text()]).toEqual([
    206,
    'bytes 2-4/10',
    '234',
  ])
  expect(await last.text()).toBe('89')
  expect(several.headers.get('content-type')).toStartWith('multipart/byteranges')
  expect(beyond.status).toBe(416)
  expect([changed.status, await changed.text()]).toEqual([200, '0123456789'])
  expect(edge.asked).toHaveLength(2)
})

test('only-if-cached without anything stored is a 504 that never reaches the origin', async () => {
  await using edge = setUpCache({ origin: counting({}) })

  expect((await edge.get('/a', { 'cache-control': 'only-if-cached' })).status).toBe(504)
  expect(edge.asked).toHaveLength(0)
})

test('variants are told apart by what Vary names, however that is spelled', async () => {
  await using edge = setUpCache({
    origin: (request) =>
      new Response(request.headers.get('accept-encoding'), {
        headers: { 'cache-control': 'max-age=60', vary: 'Accept-Encoding, X-Kind' },
      }),
  })
  const body = async (headers: Record<string, string>) => (await edge.get('/a', headers)).text()

  expect(await body({ 'accept-encoding': 'gzip, br' })).toBe('gzip, br')
  expect(await body({ 'accept-encoding': 'BR;q=1.0 ,gzip' })).toBe('gzip, br')
  expect(await body({ 'accept-encoding': 'gzip' })).toBe('gzip')
  expect(await body({ 'accept-encoding': 'gzip, br', 'x-kind': 'b' })).toBe('gzip, br')
  expect(edge.asked).toHaveLength(3)
  expect(statusOf(await edge.get('/a', { 'x-kind': 'other' }))).toContain('fwd=vary-miss')
})

for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'M-SEARCH'])
  test(`a ${method} that succeeds invalidates its address and that of Location; one that fails does not`, async () => {
    let status = 500
    await using edge = setUpCache({
      origin: (request, count) =>
        request.method === 'GET'
          ? new Response(`body ${count}`, { headers: { 'cache-control': 'max-age=60' } })
          : new Response(null, { status, headers: { location: '/b', 'content-location': '/c' } }),
    })
    const fill = () =>
      Promise.all(['/a', '/b', '/c', '/d'].map(async (path) => (await edge.get(path)).text()))
    await fill()
    await edge.send(method, '/a')
    await fill()
    expect(edge.asked).toHaveLength(5)

    status = 204
    await edge.send(method, '/a')
    await fill()
    expect(edge.asked).toHaveLength(9)
  })

test('Location on another origin invalidates nothing', async () => {
  await using edge = setUpCache({
    origin: (request, count) =>
      new Response(`body ${count}`, {
        headers:
          request.method === 'GET'
            ? { 'cache-control': 'max-age=60' }
            : { location: 'https://other.test/b' },
      }),
  })
  await (await edge.get('/b')).text()
  await edge.send('POST', '/a')

  expect(await (await edge.get('/b')).text()).toBe('body 1')
})

test('a request body streams through, and OPTIONS is passed on without harm', async () => {
  await using edge = setUpCache({ origin: async (request) => new Response(await request.text()) })
  const answer = await edge.send('POST', '/a', { body: 'hello' })

  expect(await answer.text()).toBe('hello')
  expect(statusOf(answer)).toBe('sedge; fwd=method; fwd-status=200')
  expect((await edge.send('OPTIONS', '/a')).status).toBe(200)
})
