import { expect, test } from 'bun:test'

import { ClientConnection } from './client-connection.ts'
import { createKnownFields } from './request-heads.ts'
import type { InnerConnection, InnerConnections, InnerUser } from './inner-connections.ts'

const request = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a.example\r\n\r\n`)
const response = (length: number) =>
  Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`)

/** A connection to the full server that says whether it is read from. */
function openInner() {
  const inner = { isPaused: false, asked: [] as string[] }
  const connection: InnerConnection = {
    write(bytes) {
      inner.asked.push(Buffer.from(bytes).toString())
      return bytes.length
    },
    pause: () => void (inner.isPaused = true),
    resume: () => void (inner.isPaused = false),
    close: () => {},
  }
  const connections: InnerConnections = {
    open: (_user: InnerUser) => connection,
    giveBack: () => {},
    peerOf: () => undefined,
    sweep: () => {},
    closeIdle: () => {},
    opened: async () => {},
  }
  return { inner, connections }
}

test('a response whose end the client does not take at once leaves the full server to be heard by the next', () => {
  const { inner, connections } = openInner()
  let room = 50
  const sent: string[] = []
  const client = new ClientConnection(
    {
      fd: -1,
      write(data) {
        const bytes = Buffer.from(data as Uint8Array)
        const taken = Math.min(room, bytes.length)
        room -= taken
        sent.push(bytes.toString('latin1', 0, taken))
        return taken
      },
      end: () => 0,
      terminate: () => {},
      pause: () => {},
      resume: () => {},
    },
    { address: '192.0.2.1', port: 1 },
    {
      respond: () => undefined,
      respondHere: () => Promise.reject(new Error('the full server is to be asked')),
      inner: connections,
      fields: createKnownFields(),
      fileSender: undefined,
      second: () => 0,
    },
  )
  client.onData(request('/one'))
  client.onInnerData(response(500))
  expect(sent.join('')).toHaveLength(50)
  room = 10_000
  client.onDrain()
  client.onData(request('/two'))

  expect(inner.asked).toHaveLength(2)
  expect(inner.isPaused).toBe(false)
  client.onInnerData(response(3))
  expect(sent.join('')).toEndWith('\r\n\r\nxxx')
})

test('a client that takes what comes in pieces is not idle, however fast it takes them', async () => {
  const { connections } = openInner()
  const sent: string[] = []
  let give: (piece: string) => void = () => undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      give = (piece) => controller.enqueue(Buffer.from(piece))
    },
  })
  const client = new ClientConnection(
    {
      fd: -1,
      write(data) {
        sent.push(Buffer.from(data as Uint8Array).toString())
        return (data as Uint8Array).length
      },
      end: () => 0,
      terminate: () => {},
      pause: () => {},
      resume: () => {},
    },
    { address: '192.0.2.1', port: 1 },
    {
      respond: () => undefined,
      respondHere: async () => new Response(body, { headers: { 'Content-Length': '10' } }),
      inner: connections,
      fields: createKnownFields(),
      fileSender: undefined,
      second: () => 0,
    },
  )
  client.onData(request('/api/one'))
  await client.decided
  client.idleSweeps = 5
  give('piece')
  await new Promise(setImmediate)
  expect(sent.at(-1)).toBe('piece')
  expect(client.idleSweeps).toBe(0)
})
