import { expect, test } from 'bun:test'

import { createChunkLog } from './chunk-log.ts'

const bodyOf = async (...chunks: readonly Uint8Array[]) => {
  const log = createChunkLog()
  for (const chunk of chunks) log.push(chunk)
  const body = await log.finish()
  if (body === undefined) throw new Error('it was not kept')
  return body
}
const textOf = async (opened: Blob | ReadableStream<Uint8Array>) =>
  await new Response(opened).text()

test('a body that came in one piece is kept as it came until somebody needs a Blob of it', async () => {
  const chunk = new TextEncoder().encode('one piece')
  const body = await bodyOf(chunk)
  expect(body.held).toBe(chunk)
  expect(await textOf(body.open({ start: 4, end: 9 }))).toBe('piece')
  expect(body.held).toBe(chunk)
  expect(await textOf(body.open())).toBe('one piece')
  expect(body.held).toBeUndefined()
  expect(await textOf(body.open({ start: 0, end: 3 }))).toBe('one')
})

test('several pieces, and a small part of something larger, are kept as copies', async () => {
  expect((await bodyOf(Buffer.from('a'), Buffer.from('b'))).held).toBeUndefined()
  expect((await bodyOf(new Uint8Array(1000).subarray(0, 10))).held).toBeUndefined()
})
