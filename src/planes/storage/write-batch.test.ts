import { expect, test } from 'bun:test'

import type { Files } from '../../domain/content/files/files.ts'
import { authenticateWith } from '../../http/access/authorize.ts'
import { testApp } from '../../http/testing.ts'
import { maxBatchBytes } from './batch-body.ts'
import { putFiles } from './write-batch.ts'

const files = {
  putAll: async () => ({ commitId: 'c', paths: [] }),
} as unknown as Files

/** Each bearer is a caller of its own, for the zone of that name; `all` is for every zone. */
const grantTo = (request: Request) => {
  const id = (request.headers.get('authorization') ?? '').slice('Bearer '.length)
  const zones = id.startsWith('all') ? undefined : new Set([id])
  return { kind: 'token', id, scopes: new Set(['storage:write']), zones } as const
}

function setUp() {
  const app = testApp(
    [
      putFiles.endpoint({
        files,
        catalog: { zone: () => undefined, asset: () => undefined },
        similarAssets: { ofUpload: async () => undefined },
        ofPreview: async () => expect.unreachable(),
        now: () => new Date(0),
        batchPatienceMs: 1,
      }),
    ],
    { authenticate: authenticateWith([(request: Request) => [grantTo(request)]]) },
  )
  const send = (caller: string, body: BodyInit, headers: Record<string, string> = {}) =>
    app.fetch(
      new Request('http://x/api/storage/batch', {
        method: 'POST',
        headers: { Authorization: `Bearer ${caller}`, ...headers },
        body,
      }),
      '192.0.2.1',
    )
  /** A batch of the largest size that has not all come yet. */
  function begin(caller: string, headers?: Record<string, string>) {
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const { promise: rest, resolve: end } = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          resolve()
          await rest
          controller.enqueue(new TextEncoder().encode(small))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return {
      answer: send(caller, body, headers ?? { 'Content-Length': String(maxBatchBytes) }),
      begun,
      end,
    }
  }
  return { begin, small: (caller: string) => send(caller, small, length) }
}

const small = '{"files":[{"path":"acme/v1/a/b.txt","content":"YQ=="}]}'
const length = { 'Content-Length': String(small.length) }

test('a caller holds as much as one largest batch, in chunks or announced; others go on', async () => {
  const { begin, small: sendSmall } = setUp()
  for (const headers of [undefined, { 'Transfer-Encoding': 'chunked' }]) {
    const held = begin('acme', headers)
    await held.begun
    const refused = await sendSmall('acme')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await sendSmall('other')).status).toBe(201)
    held.end()
    expect((await held.answer).status).toBe(201)
    expect((await sendSmall('acme')).status).toBe(201)
  }
})

test('all tenants together hold two, and whoever is for all zones has room besides', async () => {
  const { begin, small: sendSmall } = setUp()
  const held = [begin('a'), begin('b')]
  await Promise.all(held.map(({ begun }) => begun))
  expect((await sendSmall('c')).status).toBe(503)
  expect((await sendSmall('all')).status).toBe(201)
  for (const { end } of held) end()
  await Promise.all(held.map(({ answer }) => answer))
  expect((await sendSmall('c')).status).toBe(201)
})
