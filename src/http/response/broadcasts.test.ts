import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import { until } from '../../../test/support/until.ts'
import { createBroadcasts, eventFrame, type Send } from './broadcasts.ts'

const first = eventFrame('change', '1.0', '{"n":1}')

function openWorld(options: Parameters<typeof createBroadcasts>[0] = {}) {
  const broadcasts = createBroadcasts(options)
  const sends = new Set<Send>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) =>
      broadcasts.open(request, first, (send) => {
        sends.add(send)
        return { [Symbol.dispose]: () => void sends.delete(send) }
      }),
  })
  return {
    broadcasts,
    url: server.url,
    send: (frame: Uint8Array) => sends.forEach((send) => send(frame)),
    listeners: () => sends.size,
    async [Symbol.asyncDispose]() {
      broadcasts.closeAll()
      await server.stop(true)
    },
  }
}

test('every client hears the first event and all that follow, until the stream is ended', async () => {
  await using world = openWorld()
  const answers = await Promise.all([fetch(world.url), fetch(world.url)])
  await until(() => world.listeners() === 2)
  world.send(eventFrame('change', '2.0', '{"n":2}'))
  world.broadcasts.closeAll()
  const expected = [1, 2].map((n) => `id: ${n}.0\nevent: change\ndata: {"n":${n}}\n\n`).join('')

  for (const answer of answers) expect(await answer.text()).toBe(expected)
  expect(world.listeners()).toBe(0)
})

test('a client that leaves is forgotten', async () => {
  await using world = openWorld()
  const leaving = new AbortController()
  await fetch(world.url, { signal: leaving.signal })
  await until(() => world.listeners() === 1)
  leaving.abort()

  await until(() => world.broadcasts.count === 0 && world.listeners() === 0)
})

test('a client that reads too slowly is cut off, and misses nothing in between', async () => {
  await using world = openWorld({ maxWaitingBytes: 2 ** 20 })
  const quick = await fetch(world.url)
  const slow = await connectAndPause(Number(world.url.port))
  await until(() => world.listeners() === 2)
  const reading = quick.bytes()
  const frame = new Uint8Array(2 ** 18)
  let sent = 0
  while (world.listeners() === 2 && sent < 400) {
    world.send(frame)
    sent += 1
    // The quick one gets its turn.
    await wait(1)
  }
  world.broadcasts.closeAll()

  expect(sent).toBeLessThan(400)
  expect((await reading).length).toBe(first.length + sent * frame.length)
  slow.destroy()
})

test('quiet streams carry a sign of life, and HEAD has no body', async () => {
  await using world = openWorld({ heartbeatMs: 20 })
  const { body } = await fetch(world.url)
  let text = ''
  for await (const chunk of body ?? []) {
    text += new TextDecoder().decode(chunk)
    if (text.includes(': heartbeat')) break
  }

  expect(text).toContain('event: change')
  expect(await (await fetch(world.url, { method: 'HEAD' })).text()).toBe('')
})

test('there is an end to how many there may be', async () => {
  const broadcasts = createBroadcasts({ maxStreams: 1 })
  const open = () =>
    broadcasts.open(new Request('http://x/'), first, () => ({ [Symbol.dispose]: () => {} }))
  open()

  expect(open).toThrow('too many')
  broadcasts.closeAll()
})

async function connectAndPause(port: number): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect({ port, host: '127.0.0.1' }, () => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  })
  socket.on('error', () => undefined).once('data', () => resolve())
  await promise
  socket.pause()
  return socket
}
