import { expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'

import { MemoryStore } from '../store/memory-store.ts'
import { createPurgeGenerations } from '../../purge/purge-generations.ts'
import { createReverseProxy, type ReverseProxyOptions } from '../reverse-proxy.ts'
import { statusOf } from '../testing.ts'

type Given = Pick<ReverseProxyOptions, 'headersTimeoutMs' | 'idleTimeoutMs' | 'country'>

function setUpProxy(origin: URL, given: Given = {}) {
  const proxy = createReverseProxy({
    origin,
    clientAddressOf: () => '192.0.2.7',
    ...given,
    cache: {
      store: new MemoryStore({ maxBytes: 2 ** 24, maxVariants: 32 }),
      generations: createPurgeGenerations(),
      now: Date.now,
    },
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => proxy.fetch(request),
    development: false,
  })
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
      await proxy[Symbol.asyncDispose]()
    },
  }
}

const serveOrigin = (answer: (request: Request) => Response | Promise<Response>) => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop(true) }
}

/** An origin that writes `text` once it has been asked, and then does as `then` says. */
async function rawOrigin(text: string, then: 'ends' | 'stalls') {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => (then === 'ends' ? socket.end(text) : socket.write(text)))
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: new URL(`http://127.0.0.1:${address.port}/`),
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

test('the origin hears who asked, by what host, and nothing a client claims of it', async () => {
  await using origin = serveOrigin(({ headers }) => Response.json(Object.fromEntries(headers)))
  await using proxy = setUpProxy(origin.url)
  const claims = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-host': 'evil.test', te: 'trailers' }
  const heard = (await (await fetch(proxy.url, { headers: claims })).json()) as Record<
    string,
    string
  >

  expect(heard['x-forwarded-for']).toBe('192.0.2.7')
  expect(heard['x-forwarded-host']).toBe(proxy.url.host)
  expect(heard['x-forwarded-proto']).toBe('http')
  expect(heard['host']).toBe(origin.url.host)
  expect(heard['via']).toBe('1.1 sedge')
  expect(heard['te']).toBeUndefined()
})

test('the origin is told the country that the edge believes, not what a client says', async () => {
  await using origin = serveOrigin(({ headers }) => Response.json(Object.fromEntries(headers)))
  const country = { header: 'X-Our-Country', of: () => 'AT' }
  for (const [given, expected] of [
    [{ country }, 'AT'],
    [{ country: { ...country, of: () => undefined } }, undefined],
  ] as const) {
    await using proxy = setUpProxy(origin.url, given)
    const headers = { 'X-Our-Country': 'FR', 'CF-IPCountry': 'FR', 'True-Client-IP': '10.0.0.1' }
    const heard = (await (await fetch(proxy.url, { headers })).json()) as Record<string, string>
    expect(heard['x-our-country']).toBe(expected as string)
    expect(heard['cf-ipcountry']).toBeUndefined()
    expect(heard['true-client-ip']).toBeUndefined()
  }
})

test('a coded body stays as it is', async () => {
  const packed = Bun.gzipSync('hello '.repeat(100))
  await using origin = serveOrigin(
    () =>
      new Response(packed, {
        headers: { 'content-encoding': 'gzip', 'cache-control': 'max-age=60' },
      }),
  )
  await using proxy = setUpProxy(origin.url)
  for (const round of [1, 2]) {
    const answer = await fetch(proxy.url, { decompress: false })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(Buffer.compare(await answer.bytes(), packed)).toBe(0)
    expect(statusOf(answer)).toContain(round === 1 ? 'fwd=uri-miss' : 'hit')
  }
})

test('bodies stream both ways: the origin reads while the client still writes', async () => {
  const heard = Promise.withResolvers<void>()
  await using origin = serveOrigin(async (request) => {
    let bytes = 0
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length
      heard.resolve()
    }
    return new Response(String(bytes))
  })
  await using proxy = setUpProxy(origin.url)
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const answer = fetch(proxy.url, { method: 'PUT', body: readable })
  await writer.write(new Uint8Array(5))
  await heard.promise
  await writer.write(new Uint8Array(1000))
  await writer.close()

  expect(await (await answer).text()).toBe('1005')
})

test('redirects, cookies and odd statuses are handed on as they are', async () => {
  await using origin = serveOrigin(({ url }) => {
    const headers = new Headers({ location: '/elsewhere' })
    for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie)
    return new Response(null, { status: url.endsWith('/odd') ? 299 : 302, headers })
  })
  await using proxy = setUpProxy(origin.url)
  const redirect = await fetch(proxy.url, { redirect: 'manual' })

  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/elsewhere'])
  expect(redirect.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect((await fetch(new URL('/odd', proxy.url))).status).toBe(299)
})

const faults: readonly (readonly [string, string, 'ends' | 'stalls'])[] = [
  ['closes without a word', '', 'ends'],
  ['does not speak HTTP', 'SSH-2.0-x\r\n', 'ends'],
  [
    'sends two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi',
    'ends',
  ],
  ['never begins to answer', '', 'stalls'],
  ['breaks its headers off', 'HTTP/1.1 200 OK\r\nCache-Con', 'ends'],
]

for (const [what, text, then] of faults)
  test(`an origin that ${what} is a 503 in the standard envelope`, async () => {
    await using origin = await rawOrigin(text, then)
    await using proxy = setUpProxy(origin.url, { headersTimeoutMs: 50 })
    const answer = await fetch(proxy.url)

    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: { code: 'Unavailable' } })
    expect(statusOf(answer)).toContain('origin-failed')
  })

for (const [what, text, then] of [
  [
    'ends too early',
    'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 99999\r\n\r\nhi',
    'ends',
  ],
  [
    'falls silent',
    `HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n`,
    'stalls',
  ],
] as const)
  test(`a body that ${what} never ends properly and is never stored`, async () => {
    await using origin = await rawOrigin(text, then)
    await using proxy = setUpProxy(origin.url, { idleTimeoutMs: 50 })
    const read = async () => {
      const answer = await fetch(proxy.url)
      expect(statusOf(answer)).not.toContain('hit')
      return answer.text()
    }

    for (const _round of [1, 2]) expect(await read().catch(() => 'broken')).toBe('broken')
  })

test('interim answers are passed over and the final one arrives', async () => {
  await using origin = await rawOrigin(
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    'ends',
  )
  await using proxy = setUpProxy(origin.url)

  expect(await (await fetch(proxy.url)).text()).toBe('hi')
})

test('a process whose client left in the middle of a silent body can end', async () => {
  await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'stalls')
  const program = `
    import { createOriginClient } from ${JSON.stringify(import.meta.resolve('./origin-client.ts'))}
    const forward = createOriginClient({
      origin: new URL(${JSON.stringify(origin.url.href)}),
      clientAddressOf: () => undefined,
      idleTimeoutMs: 600_000,
    })
    const leaving = new AbortController()
    const request = new Request('http://sedge.test/a', { signal: leaving.signal })
    const reader = (await forward(request, request)).body.getReader()
    await reader.read()
    const waiting = reader.read().catch(() => {})
    leaving.abort()
    await waiting
  `
  const child = Bun.spawn([process.execPath, '--eval', program], { stderr: 'inherit' })

  expect(await child.exited).toBe(0)
})

test('a body may take longer than the origin may; only an origin that does not take it is silent', async () => {
  await using origin = serveOrigin(async (request) => new Response(await request.text()))
  await using proxy = setUpProxy(origin.url, { headersTimeoutMs: 150 })
  const pieces = ['a', 'b', 'c', 'd', 'e', 'f']
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = pieces.shift()
      await Bun.sleep(60)
      if (piece === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(piece))
    },
  })
  const response = await fetch(proxy.url, { method: 'PATCH', body })
  expect([response.status, await response.text()]).toEqual([200, 'abcdef'])

  await using deaf = await rawOrigin('', 'stalls')
  await using stalled = setUpProxy(deaf.url, { headersTimeoutMs: 150 })
  const whole = { method: 'PATCH', body: new Uint8Array(1000) }
  expect((await fetch(stalled.url, whole)).status).toBe(503)
})
