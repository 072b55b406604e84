import { expect, test } from 'bun:test'

import { createTakeWhole } from './whole-bodies.ts'

const answerOf = (sizeBytes: number) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(sizeBytes))
        controller.close()
      },
    }),
    { headers: { 'Content-Length': String(sizeBytes), ETag: '"a"' } },
  )

/** Bun tells the length of what it was given whole, and sends a stream in chunks. */
async function lengthOf(answer: Response): Promise<string | null> {
  await using server = Bun.serve({ port: 0, fetch: () => answer })
  const { headers } = await fetch(server.url)
  return headers.get('content-length')
}

test('an answer keeps its length as long as there is room for it', async () => {
  const takeWhole = createTakeWhole({ smallBytes: 10, roomBytes: 100_000 })
  const first = await takeWhole(answerOf(80_000))
  expect(first.headers.get('etag')).toBe('"a"')
  const tooMuch = answerOf(80_000)
  expect(await takeWhole(tooMuch)).toBe(tooMuch)
  expect(await lengthOf(await takeWhole(answerOf(10)))).toBe('10')
  expect(await lengthOf(first)).toBe('80000')
})

test('an answer that breaks off gives its room back', async () => {
  const takeWhole = createTakeWhole({ smallBytes: 10, roomBytes: 100 })
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error('broken off'))
    },
  })
  const failed = takeWhole(new Response(broken, { headers: { 'Content-Length': '100' } }))
  expect(await failed.catch(String)).toContain('broken off')
  expect(await lengthOf(await takeWhole(answerOf(100)))).toBe('100')
})
