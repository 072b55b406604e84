import { expect, test } from 'bun:test'

import { createEventStreams, type SendEvent } from './event-streams.ts'

const request = new Request('http://x/')

function opened(options: Parameters<typeof createEventStreams>[0] = {}) {
  const streams = createEventStreams({ heartbeatMs: 60_000, ...options })
  let ended = 0
  let send: SendEvent | undefined
  const open = (asked = request) =>
    streams.open(asked, (given) => {
      send = given
      return { [Symbol.dispose]: () => void (ended += 1) }
    })
  return { streams, open, send: ((...event) => send?.(...event)) as SendEvent, ended: () => ended }
}

test('events are frames of LF lines, and no text in them can begin another', async () => {
  const { streams, open, send } = opened()
  const response = open()
  send('log', { message: 'one\n\nevent: forged\ndata: {}\r\u2028' })
  streams.closeAll()

  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await response.text()).toBe(
    ': open\n\nevent: log\ndata: {"message":"one\\n\\nevent: forged\\ndata: {}\\r\u2028"}\n\n',
  )
})

test('a quiet stream sends comments', async () => {
  const { open } = opened({ heartbeatMs: 1 })
  const reader = open().body?.getReader()
  await reader?.read()

  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(': heartbeat\n\n')
  await reader?.cancel()
})

test('the source is let go once, whether the client leaves or the service stops', async () => {
  const { streams, open, ended } = opened()
  await open().body?.cancel()
  expect(ended()).toBe(1)

  open()
  streams.closeAll()
  streams.closeAll()
  expect(ended()).toBe(2)
})

test('a client that does not read misses events and is told how many', async () => {
  const { open, send } = opened({ maxWaiting: 3 })
  const reader = open().body?.getReader()
  for (let event = 0; event < 10; event += 1) send('tick', event)
  for (let frame = 0; frame < 3; frame += 1) await reader?.read()
  send('tick', 'after')

  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(
    ': 8 events were left out\n\nevent: tick\ndata: "after"\n\n',
  )
  await reader?.cancel()
})

test('there are only so many streams, and none after the end', () => {
  const { streams, open } = opened({ maxStreams: 2 })
  open()
  open()
  expect(() => open()).toThrow('too many')
  streams.closeAll()
  expect(() => open()).toThrow('too many')
})

test('HEAD begins nothing', async () => {
  const { open, ended } = opened()
  const response = open(new Request('http://x/', { method: 'HEAD' }))

  expect(await response.text()).toBe('')
  expect(ended()).toBe(0)
})
