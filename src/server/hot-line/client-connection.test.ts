import { expect, test } from 'bun:test'

import { ClientConnection } from './client-connection.ts'
import type { PeerRequest } from './peer-request.ts'
import { openInner, openSocket, optionsWith, peer } from './testing.ts'

const request = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a.example\r\n\r\n`)
const response = (length: number) =>
  Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`)

test('a response whose end the client does not take at once leaves the full server to be heard by the next', () => {
  const { inner, connections } = openInner()
  const { socket, client } = openSocket({ room: 50 })
  const connection = new ClientConnection(
    client,
    peer,
    optionsWith(connections, () => Promise.reject(new Error('the full server is to be asked'))),
  )
  connection.onData(request('/one'))
  connection.onInnerData(response(500))
  expect(socket.sent.join('')).toHaveLength(50)
  socket.room = 10_000
  connection.onDrain()
  connection.onData(request('/two'))

  expect(inner.asked).toHaveLength(2)
  expect(inner.isPaused).toBe(false)
  connection.onInnerData(response(3))
  expect(socket.sent.join('')).toEndWith('\r\n\r\nxxx')
})

test('a client that takes what comes in pieces is not idle, however fast it takes them', async () => {
  const { socket, client } = openSocket()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const made = new Response(readable, { headers: { 'Content-Length': '10' } })
  const options = optionsWith(openInner().connections, async () => made)
  const connection = new ClientConnection(client, peer, options)
  connection.onData(request('/api/one'))
  await connection.decided
  connection.idleSweeps = 5
  await writable.getWriter().write(Buffer.from('piece'))
  await new Promise(setImmediate)
  expect(socket.sent.at(-1)).toBe('piece')
  expect(connection.idleSweeps).toBe(0)
})

test('what was made for a client that leaves before the full server sends it is let go of', async () => {
  const cancelled = Promise.withResolvers<void>()
  const made = new Response(new ReadableStream({ cancel: () => cancelled.resolve() }))
  const options = optionsWith(openInner().connections, async () => made)
  const connection = new ClientConnection(openSocket().client, peer, options)
  connection.onData(request('/api/one'))
  await connection.decided
  connection.onClose()
  await cancelled.promise
})

test('what is kept open on purpose may be silent, and nothing else that is asked for here', async () => {
  const asked: PeerRequest[] = []
  const options = optionsWith(openInner().connections, (each) => {
    asked.push(each)
    return new Promise(() => undefined)
  })
  const connection = new ClientConnection(openSocket().client, peer, options)
  connection.onData(request('/api/one'))
  expect(connection.mayBeSilent).toBe(false)
  for (const each of asked) each.isKeptOpen = true
  expect(connection.mayBeSilent).toBe(true)
})
