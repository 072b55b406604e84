import { expect, test } from 'bun:test'

import { withSentBytes } from './sent-bytes.ts'

const get = new Request('http://x/')

function watched(response: Response, request = get) {
  const told: number[] = []
  return { told, response: withSentBytes(request, response, (bytes) => void told.push(bytes)) }
}

const streamOf = (...sizes: number[]): ReadableStream<Uint8Array> => {
  const left = [...sizes]
  return new ReadableStream({
    pull(controller) {
      const size = left.shift()
      if (size === undefined) controller.close()
      else controller.enqueue(new Uint8Array(size))
    },
  })
}

test('what an answer says of its length is told at once', () => {
  const { told } = watched(new Response('four', { headers: { 'Content-Length': '4' } }))
  expect(told).toEqual([4])
})

test('without a body nothing is sent', () => {
  const head = new Request('http://x/', { method: 'HEAD' })
  expect(watched(new Response(null, { status: 304 })).told).toEqual([0])
  expect(watched(new Response('four', { headers: { 'Content-Length': '4' } }), head).told).toEqual([
    0,
  ])
})

test('a body of unknown length is counted to its end, once, and arrives as it is', async () => {
  const { told, response } = watched(new Response(streamOf(3, 5), { status: 206 }))
  expect(told).toEqual([])

  expect((await response.arrayBuffer()).byteLength).toBe(8)
  expect(response.status).toBe(206)
  expect(told).toEqual([8])
})

test('a client that leaves is told of with what it got', async () => {
  const { told, response } = watched(new Response(streamOf(3, 5, 7)))
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()

  expect(told).toEqual([3])
})

test('a body that breaks is counted as far as it came', async () => {
  let pulls = 0
  const breaking = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1
      if (pulls > 1) controller.error(new Error('broken'))
      else controller.enqueue(new Uint8Array(2))
    },
  })
  const { told, response } = watched(new Response(breaking))

  const outcome = await response.arrayBuffer().catch((error: unknown) => String(error))
  expect(outcome).toContain('broken')
  expect(told).toEqual([2])
})
