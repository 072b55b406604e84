import { expect, test } from 'bun:test'
import { z } from 'zod'

import type { Responses } from './operation.ts'
import { createResponseCheck, ResponseFault } from './response-check.ts'
import { listeningLog, uncheckedApp, testEndpoint } from './testing.ts'

const thing = z.object({ Name: z.string(), Tags: z.array(z.object({ Tag: z.string() })) })
const good = { Name: 'one', Tags: [{ Tag: 'a' }] }

/** An app of one operation that answers whatever it is given, of which nothing was checked before. */
function answering(answer: object, responses: Responses) {
  const { log, lines } = listeningLog()
  const app = uncheckedApp(
    [
      testEndpoint({
        id: 'getThing',
        plane: 'things',
        method: 'get',
        path: '/api/thing',
        summary: 'A thing',
        access: 'public',
        envelope: 'standard',
        responses,
        handle: async () => answer as never,
      }),
    ],
    { responseCheck: createResponseCheck(log) },
  )
  return {
    lines,
    ask: () => app.fetch(new Request('http://sedge.test/api/thing'), '192.0.2.1'),
  }
}

const declared = { 200: { description: 'It', schema: thing } }

test('what is declared goes out as it is', async () => {
  const response = await answering({ json: good }, declared).ask()
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(good)
})

test('a member that is missing, of another type or not declared is a fault, at every depth', async () => {
  const faultOf = async (json: unknown) =>
    await answering({ json }, declared)
      .ask()
      .then(
        () => 'none',
        (error: unknown) => (error instanceof ResponseFault ? error.message : 'another'),
      )
  expect(await faultOf({ Name: 'one' })).toContain('/Tags: ')
  expect(await faultOf({ ...good, Name: 1 })).toContain('/Name: ')
  expect(await faultOf({ ...good, Size: 1 })).toEndWith('/Size: is not declared')
  expect(await faultOf({ ...good, Tags: [{ Tag: 'a', Note: '' }] })).toEndWith(
    '/Tags/0/Note: is not declared',
  )
  expect(await faultOf({ ...good, Note: undefined })).toBe('none')
})

test('a record may have a key of any name', async () => {
  const counts = { 200: { description: 'How often', schema: z.record(z.string(), z.int()) } }
  const json = Object.fromEntries([
    ['__proto__', 1],
    ['constructor', 2],
  ])
  expect(await (await answering({ json }, counts).ask()).text()).toBe(
    '{"__proto__":1,"constructor":2}',
  )
})

test('a status or a content type that is not declared is a fault', async () => {
  const { ask: other } = answering({ status: 201, json: good }, declared)
  expect(other()).rejects.toThrow('getThing sent a 201')
  const { ask: bare } = answering(new Response(null, { status: 304 }), declared)
  expect(bare()).rejects.toThrow('no such status')
  const image = new Response('x', { headers: { 'Content-Type': 'image/png' } })
  const { ask: bytes } = answering(image, { 200: { description: 'It', contentType: 'text/*' } })
  expect(bytes()).rejects.toThrow('"image/png" is not declared')
  const { ask: same } = answering(image, { 200: { description: 'It', contentType: 'image/*' } })
  expect((await same()).status).toBe(200)
})

test('an event or a line that is not as declared ends the stream, and is logged', async () => {
  const stream = (type: string, text: string) =>
    new Response(text, { headers: { 'Content-Type': type } })
  const events = { description: 'Events', contentType: 'text/event-stream', events: { thing } }
  const frame = (name: string, data: object) =>
    `: heartbeat\n\nid: 1\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  const right = frame('thing', good)
  const told = answering(stream('text/event-stream', right), { 200: events })
  expect(await (await told.ask()).text()).toBe(right)

  for (const wrong of [frame('other', good), frame('thing', { Name: 'one' })]) {
    const { ask, lines } = answering(stream('text/event-stream', right + wrong), { 200: events })
    const response = await ask()
    expect(response.text()).rejects.toThrow(ResponseFault)
    await Bun.sleep(0)
    expect(lines.map(({ msg }) => msg)).toContain('a response is not as declared')
  }

  const rows = { description: 'Rows', contentType: 'application/x-ndjson', lines: thing }
  const text = `${JSON.stringify(good)}\n{}\n`
  const faulty = await answering(stream('application/x-ndjson', text), { 200: rows }).ask()
  expect(faulty.text()).rejects.toThrow('getThing sent a 200')
})

test('JSON of which there is no schema is a fault, and a refusal that is not in its envelope', () => {
  const { ask } = answering({ json: good }, { 200: { description: 'Nothing of the kind' } })
  expect(ask()).rejects.toThrow('no JSON is declared')
  const check = createResponseCheck(listeningLog().log)
  const refusal = Response.json({ error: 'no' }, { status: 404 })
  expect(check.refusal(undefined, refusal)).rejects.toThrow('nobody sent a 404')
})
