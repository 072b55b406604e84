import { expect, test } from 'bun:test'

import { Secret } from '../../lib/secrets/secret.ts'
import { chatModelContract } from '../../ports/media/chat-model.contract.ts'
import { ChatModelUnavailableError } from '../../ports/media/chat-model.ts'
import { delta, done, startModelServer, streamed } from './fixtures/model-server.ts'
import { OpenaiChatModel } from './openai-chat-model.ts'

const patienceMs = 10_000
const question = [{ role: 'user', content: 'How are you?' }] as const
const staying = new AbortController().signal

chatModelContract('OpenAI', async ({ pieces, fails }) => {
  const server = startModelServer(() =>
    streamed(pieces.map((piece) => delta(piece)).concat(fails ? [] : [delta('', 'stop'), done]), {
      after: 'end',
    }),
  )
  return {
    model: new OpenaiChatModel({ baseUrl: server.baseUrl, model: 'm', patienceMs }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

async function heard(answer: () => Response | Promise<Response>, patience = patienceMs) {
  await using server = startModelServer(answer)
  const model = new OpenaiChatModel({
    baseUrl: `${server.baseUrl}/v1`,
    model: 'small',
    apiKey: new Secret('key'),
    patienceMs: patience,
  })
  let text = ''
  try {
    for await (const piece of model.reply(question, staying)) text += piece
    return { text, fault: undefined, request: server.requests[0] }
  } catch (fault) {
    return { text, fault, request: server.requests[0] }
  }
}

test('the endpoint is asked for a stream, with the key, wherever its URL ends', async () => {
  const { request } = await heard(() => streamed([delta('x', 'stop'), done]))

  expect(request?.path).toBe('/v1/chat/completions')
  expect(request?.headers.get('authorization')).toBe('Bearer key')
  expect(request?.body).toMatchObject({ model: 'small', stream: true, messages: question })
  await using server = startModelServer(() => streamed([done]))
  const bare = new OpenaiChatModel({ baseUrl: server.baseUrl, model: 'm', patienceMs })
  for await (const piece of bare.reply(question, staying)) expect(piece).toBe('')
  expect(server.requests[0]?.path).toBe('/v1/chat/completions')
  expect(server.requests[0]?.headers.has('authorization')).toBe(false)
})

test('an answer is read however it is cut into chunks, and whole where it is not streamed', async () => {
  const bytes = new TextEncoder().encode(`: hi\r\n\r\n${delta('héllo ⚙️')}${delta('!', 'stop')}`)
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
  expect((await heard(() => streamed(single))).text).toBe('héllo ⚙️!')
  const whole = { choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] }
  expect(await heard(() => Response.json(whole))).toMatchObject({ text: 'whole', fault: undefined })
})

test('whatever is no answer, or none to the end, is a fault', async () => {
  const wrong: Readonly<Record<string, () => Response>> = {
    'an error status': () => new Response('no', { status: 500 }),
    'a redirect': () => Response.redirect('http://127.0.0.1:1/', 302),
    'a page': () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
    'no body': () => new Response(null, { status: 200 }),
    'bad JSON': () => streamed(['data: {"choices": [\n\n']),
    'an error in the stream': () => streamed([delta('I '), 'data: {"error": {"code": 1}}\n\n']),
    'JSON of another shape': () => Response.json({ choices: 'none' }),
    'an end in mid-answer': () => streamed([delta('I am')]),
    'a broken connection': () => streamed([delta('I am')], { after: 'break' }),
    'a line without an end': () => streamed(Array.from({ length: 40 }, () => 'x'.repeat(8_192))),
  }
  for (const [what, answer] of Object.entries(wrong)) {
    const { fault } = await heard(answer)
    expect({ what, fault }).toEqual({ what, fault: expect.any(ChatModelUnavailableError) })
  }
})

test('silence is a fault, at the beginning, in the middle, and among signs that mean nothing', async () => {
  const patience = 50
  const silent: Readonly<Record<string, () => Response | Promise<Response>>> = {
    'no answer': () => new Promise<Response>(() => {}),
    'no first word': () => streamed([], { after: 'silence' }),
    'no next word': () => streamed([delta('I am')], { after: 'silence' }),
    'empty words': () =>
      streamed(
        Array.from({ length: 9 }, () => delta('')),
        { after: 'silence' },
      ),
    comments: () =>
      streamed(
        Array.from({ length: 9 }, () => ': ping\n\n'),
        { after: 'silence' },
      ),
  }
  for (const [what, answer] of Object.entries(silent)) {
    const { fault } = await heard(answer, patience)
    expect({ what, fault }).toEqual({ what, fault: expect.any(ChatModelUnavailableError) })
  }
})

test('an endpoint that is not there is a fault', async () => {
  const model = new OpenaiChatModel({ baseUrl: 'http://127.0.0.1:1', model: 'm', patienceMs })
  const listening = model.reply(question, staying).next()
  expect(await listening.catch((fault: unknown) => fault)).toBeInstanceOf(ChatModelUnavailableError)
})

test('the endpoint is left when nobody reads on, and when the answer is not wanted any more', async () => {
  for (const leave of ['return', 'abort'] as const) {
    await using server = startModelServer((left) =>
      streamed([delta('I am')], { after: 'silence', left }),
    )
    const leaving = new AbortController()
    const model = new OpenaiChatModel({ baseUrl: server.baseUrl, model: 'm', patienceMs })
    const pieces = model.reply(question, leaving.signal)
    expect((await pieces.next()).value).toBe('I am')
    if (leave === 'return') await pieces.return(undefined)
    else {
      const next = pieces.next().catch((fault: unknown) => fault)
      leaving.abort()
      expect(await next).toBeInstanceOf(ChatModelUnavailableError)
    }
    await server.left
  }
})
