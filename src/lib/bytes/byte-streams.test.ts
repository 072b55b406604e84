import { expect, test } from 'bun:test'

import { passingStream, releaseBytes } from './byte-streams.ts'

test('chunks pass one by one, and the memory of each is given back when the next is asked for', async () => {
  const chunks = [1, 2, 3].map((value) => new Uint8Array(4).fill(value))
  const left = [...chunks]
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const seen: string[] = []
  for await (const chunk of passingStream(source)) {
    seen.push(chunk.join(''))
    expect(chunks.map(({ length }) => length).slice(0, seen.length - 1)).not.toContain(4)
  }

  expect(seen).toEqual(['1111', '2222', '3333'])
  expect(chunks.map(({ length }) => length)).toEqual([0, 0, 0])
})

test('a failing source fails the stream, and one that is left is left', async () => {
  const failing = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('the line went dead'))
    },
  })
  expect(await new Response(passingStream(failing)).text().catch(String)).toContain('dead')

  let isCancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(4)),
    cancel: () => void (isCancelled = true),
  })
  const reader = passingStream(endless).getReader()
  await reader.read()
  await reader.cancel()
  expect(isCancelled).toBe(true)
})

test('what is a part of something else keeps its memory', () => {
  const whole = new Uint8Array(8)
  releaseBytes(whole.subarray(0, 4))
  expect(whole).toHaveLength(8)
  releaseBytes(new Uint8Array(0))
  releaseBytes(whole)
  expect(whole).toHaveLength(0)
})
