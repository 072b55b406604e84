import { expect, test } from 'bun:test'

import {
  completion,
  leafSighting,
  startVisionServer,
  visionReplies,
  type VisionReply,
} from '../../../test/support/vision-server.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { visionModelContract } from '../../ports/vision/vision-model.contract.ts'
import {
  UnusableSightingError,
  VisionModelUnavailableError,
} from '../../ports/vision/vision-model.ts'
import { OpenaiVisionModel } from './openai-vision-model.ts'

visionModelContract('OpenAI', async (reply) => {
  const server = startVisionServer(() => {
    if (reply === 'unavailable') return visionReplies.failure()
    return completion(reply === 'prose' ? reply : JSON.stringify(reply))
  })
  return {
    model: new OpenaiVisionModel({ baseUrl: server.baseUrl, model: 'm', patienceMs: 5_000 }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

const jpeg = new Uint8Array([0xff, 0xd8, 0xff])

async function seen(reply: VisionReply, patienceMs = 5_000) {
  await using server = startVisionServer(visionReplies[reply])
  const { baseUrl } = server
  const apiKey = new Secret('key-of-nobody')
  const model = new OpenaiVisionModel({ baseUrl, model: 'eyes', apiKey, patienceMs })
  const request = { jpeg, languages: ['en'], signal: new AbortController().signal }
  const outcome = await model.look(request).catch((error: unknown) => error)
  return { outcome, request: server.requests[0] }
}

test('the endpoint is sent the image, the key and the schema, and no name of a file', async () => {
  const { outcome, request } = await seen('good')

  expect(outcome).toEqual(leafSighting)
  expect(request?.path).toBe('/v1/chat/completions')
  expect(request?.headers.get('authorization')).toBe('Bearer key-of-nobody')
  expect(request?.body).toMatchObject({
    model: 'eyes',
    stream: false,
    response_format: { type: 'json_schema', json_schema: { strict: true } },
    messages: [
      { role: 'system' },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/' } }],
      },
    ],
  })
})

test('a block of code around it does no harm', async () => {
  expect((await seen('fenced')).outcome).toEqual(leafSighting)
})

test('whatever is no sighting, or too much of one, is told apart from silence', async () => {
  const unusable: readonly VisionReply[] = [
    'prose',
    'nothing',
    'no completion',
    'no JSON',
    'another shape',
    'further members',
    'another verdict',
    'another language',
    'nested without end',
    '10 MB',
    '10 MB of JSON',
  ]
  for (const reply of unusable)
    expect({ reply, ...(await seen(reply)) }).toMatchObject({
      reply,
      outcome: expect.any(UnusableSightingError),
    })
  for (const reply of ['refusal', 'failure', 'redirect'] as const)
    expect({ reply, ...(await seen(reply)) }).toMatchObject({
      reply,
      outcome: expect.any(VisionModelUnavailableError),
    })
  for (const reply of ['never', 'dripping'] as const)
    expect((await seen(reply, 50)).outcome).toBeInstanceOf(VisionModelUnavailableError)
})

test('an endpoint says how long it wants to be left alone', async () => {
  expect((await seen('refusal')).outcome).toMatchObject({ retryAfterMs: 120_000 })
  expect((await seen('failure')).outcome).toMatchObject({ retryAfterMs: undefined })
})

test('the key is in no fault that anybody could log', async () => {
  const replies = Object.keys(visionReplies) as readonly VisionReply[]
  for (const reply of replies)
    expect(Bun.inspect((await seen(reply, 50)).outcome, { depth: 10 })).not.toContain(
      'key-of-nobody',
    )
})
