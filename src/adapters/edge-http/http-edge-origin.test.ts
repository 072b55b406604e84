import { expect, test } from 'bun:test'

import { contentDigest } from '../../lib/bytes/checksums.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { EdgeOriginError, type FeedMessage } from '../../ports/edges/edge-origin.ts'
import { readEvents } from './event-reader.ts'
import { HttpEdgeOrigin } from './http-edge-origin.ts'

type Answer = (request: Request) => Response | Promise<Response>

function openOrigin(response: Answer) {
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).pathname + new URL(request.url).search)
      return response(request)
    },
  })
  let clockMs = 0
  const origin = new HttpEdgeOrigin({
    url: () => server.url,
    token: new Secret('cdnsk_test'),
    userAgent: 'test',
    monotonicMs: () => clockMs,
    timeouts: { silenceMs: 300, firstMs: 300, pollForMs: 1_000 },
  })
  return {
    origin,
    asked,
    wait: (ms: number) => void (clockMs += ms),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

async function messagesOf(origin: HttpEdgeOrigin, count: number) {
  const found: FeedMessage[] = []
  for await (const message of origin.feed('1.2', new AbortController().signal)) {
    found.push(message)
    if (found.length === count) break
  }
  return found
}

/** A stream that says `text` and then nothing, for ever. */
const streamOf = (text: string) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    }),
    { headers: { 'Content-Type': 'text/event-stream' } },
  )

test('events are read however they are cut into pieces, and a half one at the end is none', async () => {
  const text =
    ': hi\n\nid: 1.2\nevent: change\ndata: {"a":"ü"}\n\nevent: resync\ndata: {}\n\nevent: half\n'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 2, 7, bytes.length]) {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const events = await Array.fromAsync(readEvents(pieces()))
    expect(events).toEqual([
      { kind: 'comment' },
      { kind: 'event', name: 'change', data: '{"a":"ü"}' },
      { kind: 'event', name: 'resync', data: '{}' },
    ])
  }
})

test('a feed that falls silent is lost', async () => {
  await using world = openOrigin(() => streamOf('event: change\ndata: {"a":1}\n\n'))

  expect(messagesOf(world.origin, 2)).rejects.toThrow(EdgeOriginError)
  await messagesOf(world.origin, 2).catch(() => undefined)
  expect(world.asked.every((path) => path === '/api/edges/feed?since=1.2')).toBe(true)
})

test('a feed is not lost while whoever follows it is busy with a message', async () => {
  const [first, second] = [1, 2].map((n) =>
    new TextEncoder().encode(`event: change\ndata: {"n":${n}}\n\n`),
  )
  const later = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(first ?? new Uint8Array())
      await later.promise
      controller.enqueue(second ?? new Uint8Array())
    },
  })
  await using world = openOrigin(
    () => new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }),
  )
  const messages: FeedMessage[] = []
  for await (const message of world.origin.feed('1.2', new AbortController().signal)) {
    messages.push(message)
    if (messages.length === 2) break
    // Twice as long as it may be silent.
    await Bun.sleep(600)
    later.resolve()
  }

  expect(messages).toEqual([
    { kind: 'change', text: '{"n":1}' },
    { kind: 'change', text: '{"n":2}' },
  ])
})

test('where a stream does not get through, single responses are asked for, for a while', async () => {
  let position = 2
  await using world = openOrigin((request) =>
    new URL(request.url).pathname.endsWith('/feed')
      ? streamOf('')
      : Response.json({
          Position: `${(position += 1)}.0`,
          Kind: 'change',
          Change: { n: position },
        }),
  )
  await messagesOf(world.origin, 1).catch(() => undefined)
  const messages = await messagesOf(world.origin, 2)

  expect(messages).toEqual([
    { kind: 'change', text: '{"n":3}' },
    { kind: 'change', text: '{"n":4}' },
  ])
  expect(world.asked.slice(1)).toEqual([
    '/api/edges/changes?since=1.2&wait=0',
    '/api/edges/changes?since=3.0&wait=20',
  ])
  world.wait(1_001)
  await messagesOf(world.origin, 1).catch(() => undefined)
  expect(world.asked.at(-1)).toBe('/api/edges/feed?since=1.2')
})

test('keys are not asked for over plain HTTP from another machine, unless that is allowed', async () => {
  const originAt = (url: string, keysOverHttp: boolean) =>
    new HttpEdgeOrigin({
      url: () => new URL(url),
      token: new Secret('cdnsk_test'),
      userAgent: 'test',
      monotonicMs: () => 0,
      keysOverHttp,
      timeouts: { responseMs: 50 },
    })
  // Nobody answers there (RFC 5737).
  for (const url of ['http://192.0.2.1', 'http://localhost.example']) {
    const refused = originAt(url, false)
    expect(refused.certificates()).rejects.toThrow('not asked for over plain HTTP')
    expect(refused.certificate('a.example')).rejects.toThrow('not asked for over plain HTTP')
  }
  for (const [url, isAllowed] of [
    ['http://192.0.2.1', true],
    ['https://192.0.2.1', false],
  ] as const)
    expect(originAt(url, isAllowed).certificates()).rejects.toThrow('does not answer')
  await using world = openOrigin(() => Response.json({ Certificates: {} }))
  expect(await world.origin.certificates()).toBe('{"Certificates":{}}')
})

test('a copy of an image that did not arrive as it was is none', async () => {
  const bytes = new TextEncoder().encode('a picture')
  let etag = `"${contentDigest(bytes)}"`
  await using world = openOrigin(() => new Response(bytes, { headers: { ETag: etag } }))
  expect((await world.origin.copy('k'))?.bytes).toEqual(bytes)
  etag = '"0"'
  await expect(world.origin.copy('k')).rejects.toThrow(EdgeOriginError)
})

for (const [status, isRefusal] of [
  [400, true],
  [413, true],
  [401, false],
  [403, false],
  [429, false],
  [503, false],
] as const)
  test(`a response of ${status} ${isRefusal ? 'is final' : 'may pass'}`, async () => {
    await using world = openOrigin(() => new Response('no', { status }))
    const error = await world.origin.record([]).catch((thrown: unknown) => thrown)

    expect(error).toMatchObject({ name: 'EdgeOriginError', isRefusal })
  })

test('what is not at the origin is not there; a redirect is not followed', async () => {
  await using world = openOrigin(({ url }) =>
    url.includes('manifest')
      ? Response.redirect('http://127.0.0.1:1/')
      : new Response('', { status: 404 }),
  )

  expect(await world.origin.blob('a'.repeat(64), 1_000)).toBeUndefined()
  expect(world.origin.manifest()).rejects.toThrow(EdgeOriginError)
})

/** Answers ranges of `bytes` as the service does. */
function rangesOf(bytes: Uint8Array, digestOf: (part: Uint8Array) => string): Answer {
  return ({ headers }) => {
    const [, start = '', last = ''] = /^bytes=(\d+)-(\d+)$/u.exec(headers.get('range') ?? '') ?? []
    const part = bytes.slice(Number(start), Number(last) + 1)
    if (part.length === 0)
      return new Response(null, {
        status: 416,
        headers: { 'Content-Range': `bytes */${bytes.length}` },
      })
    const range = `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}`
    return new Response(part, {
      status: 206,
      headers: { 'Content-Range': range, 'Content-Digest': `sha-256=:${digestOf(part)}:` },
    })
  }
}

const base64Of = (part: Uint8Array) => new Bun.CryptoHasher('sha256').update(part).digest('base64')

test('a small blob comes whole, of a large one its size, and an empty one is one', async () => {
  await using world = openOrigin(rangesOf(new Uint8Array(1_000), base64Of))
  const sha256 = 'a'.repeat(64)
  const small = await world.origin.blob(sha256, 1_000)
  expect(small?.kind === 'whole' && (await new Response(small.body).bytes()).length).toBe(1_000)
  expect(await world.origin.blob(sha256, 999)).toEqual({ kind: 'large', sizeBytes: 1_000 })

  await using empty = openOrigin(rangesOf(new Uint8Array(), base64Of))
  const none = await empty.origin.blob(sha256, 999)
  expect(none?.kind === 'whole' && (await new Response(none.body).bytes()).length).toBe(0)
})

test('a slice is believed by its digest, of the blob it was asked of, and in full', async () => {
  const slice = { sha256: 'a'.repeat(64), sizeBytes: 1_000, start: 10, end: 20 }
  const { signal } = new AbortController()
  const bytes = crypto.getRandomValues(new Uint8Array(1_000))
  await using world = openOrigin(rangesOf(bytes, base64Of))
  expect(await world.origin.slice(slice, signal)).toEqual(bytes.slice(10, 20))
  expect(world.origin.slice({ ...slice, sizeBytes: 1_001 }, signal)).rejects.toThrow('other bytes')
  expect(world.origin.slice({ ...slice, end: 1_001 }, signal)).rejects.toThrow('as they were')

  await using damaged = openOrigin(rangesOf(bytes, () => base64Of(new Uint8Array(10))))
  expect(damaged.origin.slice(slice, signal)).rejects.toThrow('as they were')
  await using silent = openOrigin(() => new Response('whole'))
  expect(silent.origin.slice(slice, signal)).rejects.toThrow('other bytes')
})
