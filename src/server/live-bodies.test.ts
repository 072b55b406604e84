import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import { openListener } from './listener.ts'

/** Bun looks for idle clients every four seconds, so this comes to four to eight. */
const idleTimeoutSeconds = 5
const pieces = 24
const everyMs = 500

async function sendSlowly(port: number, pieceBytes: number, howMany: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  let said = ''
  socket.on('data', (bytes) => (said += String(bytes)))
  const ended = once(socket, 'close')
  const size = pieceBytes * pieces
  socket.write(
    `PATCH /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`,
  )
  for (let count = 0; count < howMany && !socket.destroyed; count += 1) {
    await wait(everyMs)
    socket.write(new Uint8Array(pieceBytes))
  }
  await ended
  return said.split('\r\n\r\n')[1] ?? ''
}

test('a client that sends a large body slowly is not idle, and one that stops is', async () => {
  const broken: number[] = []
  const listener = openListener({
    port: 0,
    hostname: '127.0.0.1',
    sharesPort: false,
    idleTimeoutSeconds,
    async respond(request) {
      let bytes = 0
      try {
        for await (const piece of request.body ?? []) bytes += piece.length
      } catch {
        broken.push(bytes)
      }
      return new Response(`${request.method} ${bytes}`)
    },
  })
  const pieceBytes = 4_000
  const [slow, stopped] = await Promise.all([
    sendSlowly(listener.port, pieceBytes, pieces),
    sendSlowly(listener.port, pieceBytes, 2),
  ])
  await listener.stop(0)
  expect(slow).toBe(`PATCH ${pieceBytes * pieces}`)
  expect(stopped).toBe('')
  expect(broken).toEqual([pieceBytes * 2])
}, 30_000)
