import { expect, test } from 'bun:test'

import { embedderContract } from '../../ports/media/embedder.contract.ts'
import { EmbedderUnavailableError } from '../../ports/media/embedder.ts'
import { until } from '../../../test/support/until.ts'
import { MemoryEmbedder } from '../memory/media/memory-embedder.ts'
import { startModelServer } from './fixtures/model-server.ts'
import { OpenaiEmbedder } from './openai-embedder.ts'

const now = () => 0

embedderContract('OpenAI', async () => {
  const words = new MemoryEmbedder()
  const server = startModelServer(async () => {
    const input = String(server.requests.at(-1)?.body['input'])
    const vector = await words.embed(input)
    return Response.json({ data: [{ embedding: Array.from(vector, (value) => value * 3) }] })
  })
  const embedder = new OpenaiEmbedder({ baseUrl: server.baseUrl, model: 'm', now })
  return Object.assign(embedder, {
    async [Symbol.asyncDispose]() {
      await OpenaiEmbedder.prototype[Symbol.asyncDispose].call(embedder)
      await server[Symbol.asyncDispose]()
    },
  })
})

test('whatever has no vector in it is a fault, after which questions do not wait for a while', async () => {
  const wrong: readonly (() => Response | Promise<Response>)[] = [
    () => new Response('no', { status: 500 }),
    () => new Response('<html>'),
    () => Response.json({}),
    () => Response.json({ data: [] }),
    () => Response.json({ data: [{ embedding: [] }] }),
    () => Response.json({ data: [{ embedding: [0, 0] }] }),
    () => Response.json({ data: [{ embedding: ['x', null] }] }),
    () => new Promise<Response>(() => {}),
  ]
  for (const respond of wrong) {
    let at = 0
    await using server = startModelServer(respond)
    await using embedder = new OpenaiEmbedder({
      baseUrl: server.baseUrl,
      model: 'm',
      now: () => at,
      patienceMs: 50,
    })
    expect(embedder.isReady).toBe(true)
    const fault = await embedder.embed('house', 'now').catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(EmbedderUnavailableError)
    expect(embedder.isReady).toBe(false)
    at += 60_000
    expect(embedder.isReady).toBe(true)
  }
})

test('while an answer is late no other question waits, and it counts when it comes', async () => {
  const answers: (() => void)[] = []
  await using server = startModelServer(
    () =>
      new Promise<Response>((resolve) => {
        answers.push(() => resolve(Response.json({ data: [{ embedding: [1, 0] }] })))
      }),
  )
  await using embedder = new OpenaiEmbedder({ baseUrl: server.baseUrl, model: 'm', now, lateMs: 1 })
  const waiting = embedder.embed('house', 'now')
  await until(() => !embedder.isReady)
  for (const respond of answers) respond()

  expect((await waiting).length).toBe(2)
  expect(embedder.isReady).toBe(true)
})

test('vectors of two models, or of two servers, are not compared', async () => {
  const embedders = [
    { baseUrl: 'http://a', model: 'm' },
    { baseUrl: 'http://a', model: 'n' },
    { baseUrl: 'http://b', model: 'm' },
  ].map((endpoint) => new OpenaiEmbedder({ ...endpoint, now }))
  const spaces = await Promise.all(embedders.map((embedder) => embedder.space()))
  for (const [place, embedder] of embedders.entries())
    expect(spaces.map((space) => embedder.isLike(space))).toEqual(
      spaces.map((_, other) => other === place),
    )
})
