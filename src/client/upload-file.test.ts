import { expect, test } from 'bun:test'

import { openUploadApp } from '../planes/uploads/uploads.fixture.ts'
import { createClientOn } from './client.ts'
import { SedgeConnectionError } from './errors.ts'
import type { ClientOptions } from './types.ts'

type Fault = (request: Request, ask: () => Promise<Response>) => Promise<Response>

/** A client of the real uploads, with something in between. */
async function setUp(fault: Fault = (_, ask) => ask()) {
  const app = await openUploadApp()
  const sent: string[] = []
  const pauses: number[] = []
  const options: ClientOptions = { url: 'http://sedge.test', accessKey: 'test-access' }
  const client = createClientOn(
    {
      async fetch(request) {
        sent.push(`${request.method} ${request.headers.get('upload-offset') ?? ''}`.trim())
        const bytes = request.method === 'GET' ? undefined : await request.clone().bytes()
        const headers = Object.fromEntries(request.headers)
        delete headers['accesskey']
        const path = new URL(request.url).pathname + new URL(request.url).search
        return await fault(request, () =>
          Promise.resolve(
            app.ask(request.method, path, { headers, ...(bytes && { body: bytes }) }),
          ),
        )
      },
      async wait(ms, signal) {
        signal?.throwIfAborted()
        pauses.push(ms)
      },
      random: () => 1,
      now: () => Date.parse('2026-01-01T00:00:00Z'),
    },
    options,
  )
  return { client, sent, pauses, ...app }
}

const path = 'acme/v1/a.txt'
const content = 'abcdefghij'
const body = new Blob([content], { type: 'text/plain' })

test('a file goes up piece by piece, and says how far it is', async () => {
  const { client, sent, contentOf } = await setUp()
  const progress: number[] = []
  const ids: string[] = []
  const stored = await client.uploadFile(
    { path, body },
    {
      pieceBytes: 4,
      onBegun: (id) => ids.push(id),
      onProgress: ({ sentBytes }) => progress.push(sentBytes),
    },
  )

  expect(stored).toMatchObject({ Path: `clients/${path}`, Length: 10 })
  expect(await contentOf(path)).toBe(content)
  expect(sent).toEqual(['POST', 'GET', 'PATCH 0', 'PATCH 4', 'PATCH 8'])
  expect(progress).toEqual([0, 4, 8, 10])
  expect(ids).toHaveLength(1)
})

test('after a lost connection it goes on where the service says, whichever half was lost', async () => {
  for (const isDone of [false, true]) {
    let failures = 3
    const { client, contentOf, pauses } = await setUp(async ({ method }, ask) => {
      if (method !== 'PATCH' || failures === 0) return await ask()
      failures -= 1
      if (isDone) await ask()
      throw new TypeError('the connection was lost')
    })
    await client.uploadFile({ path, body }, { pieceBytes: 4 })

    expect(await contentOf(path)).toBe(content)
    expect(pauses.length).toBeLessThanOrEqual(3)
  }
})

test('what was begun before goes on, in another process or after a reload', async () => {
  const { client, contentOf, sent } = await setUp()
  const stop = new AbortController()
  let begun = ''
  const first = client.uploadFile(
    { path, body },
    {
      pieceBytes: 4,
      signal: stop.signal,
      onBegun: (id) => void (begun = id),
      onProgress: ({ sentBytes }) => void (sentBytes === 4 && stop.abort(new Error('closed'))),
    },
  )
  expect(String(await first.catch(String))).toContain('closed')
  sent.length = 0
  await client.uploadFile({ path, body, id: begun }, { pieceBytes: 4 })

  expect(sent[0]).toBe('GET')
  expect(sent).not.toContain('PATCH 0')
  expect(await contentOf(path)).toBe(content)
  const other = client.uploadFile({ path, body: new Blob(['other']), id: begun })
  expect(String(await other.catch(String))).toContain('10 bytes')
})

test('a service that stays away is given up in the end; a refusal is passed on at once', async () => {
  const away = await setUp(async ({ method }, ask) => {
    if (method === 'POST') return await ask()
    throw new TypeError('no route to host')
  })
  const lost = await away.client.uploadFile({ path, body }).catch((error: unknown) => error)
  expect(lost).toBeInstanceOf(SedgeConnectionError)
  expect(away.pauses).toHaveLength(8)
  expect(Math.max(...away.pauses)).toBeLessThanOrEqual(30_000)

  const { client, pauses } = await setUp()
  const headers = { Checksum: '0'.repeat(64) }
  const refused = await client.uploadFile({ path, body, headers }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 400, code: 'ChecksumMismatch' })
  expect(pauses).toEqual([])
})

test('a file of no bytes is stored too', async () => {
  const { client, contentOf } = await setUp()
  expect(await client.uploadFile({ path, body: new Blob([]) })).toMatchObject({ Length: 0 })
  expect(await contentOf(path)).toBe('')
})
