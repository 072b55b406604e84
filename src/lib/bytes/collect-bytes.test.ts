import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { collectBytes } from './byte-streams.ts'

const streamOf = (chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

test('what is collected is what came, whatever was said of its size', async () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 0, max: 60_000 }), async (sent, expected) => {
      const collected = await collectBytes(streamOf(sent), expected)
      expect(Buffer.from(collected).equals(Buffer.concat(sent))).toBe(true)
    }),
    { verbose: true },
  )
})

test('memory is taken for what comes, and not for what was announced', async () => {
  const little = await collectBytes(streamOf([new Uint8Array(10)]), 128 * 2 ** 20)
  expect(little.length).toBe(10)
  expect(little.buffer.byteLength).toBe(2 ** 20)

  const more = await collectBytes(streamOf([new Uint8Array(2 * 2 ** 20)]), 128 * 2 ** 20)
  expect(more.buffer.byteLength).toBe(16 * 2 ** 20)
})

test('what is announced rightly is held once in the end', async () => {
  const mib = new Uint8Array(2 ** 20)
  const all = await collectBytes(streamOf(Array.from({ length: 24 }, () => mib)), 24 * 2 ** 20)
  expect(all.buffer.byteLength).toBe(all.length)
})
