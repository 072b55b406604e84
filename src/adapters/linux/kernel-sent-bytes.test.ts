import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

import { sentBytesContract } from '../../ports/traffic/sent-bytes.contract.ts'
import { kernelTellsSentBytes } from '../../../test/support/sent-bytes-need.ts'
import { have } from '../../../test/support/needs.ts'
import { openKernelSentBytes } from './kernel-sent-bytes.ts'
import { addressBytes } from './socket-question.ts'

const canRun = have('bytes sent, as the kernel tells', kernelTellsSentBytes)

async function open(hostname: string, clientAddress: string) {
  const sentBytes = openKernelSentBytes(() => performance.now())
  if (sentBytes === undefined) throw new Error('not on this system')
  const server = createServer()
  server.listen(0, hostname)
  await once(server, 'listening')
  const address = server.address()
  const localPort = typeof address === 'object' && address !== null ? address.port : 0
  const sockets = new Set<Socket>()
  return {
    sentBytes,
    async connect() {
      const accepted = once(server, 'connection') as Promise<[Socket]>
      const client = connect(localPort, clientAddress)
      const [socket] = await accepted
      sockets.add(client).add(socket)
      return {
        ends: {
          localPort,
          peerAddress: socket.remoteAddress ?? '',
          peerPort: socket.remotePort ?? 0,
        },
        async receive(bytes: number) {
          let left = bytes
          const { promise, resolve } = Promise.withResolvers<void>()
          client.on('data', ({ length }) => {
            left -= length
            if (left === 0) resolve()
          })
          socket.write(new Uint8Array(bytes))
          await promise
        },
        async close() {
          const closed = [client, socket].map((each) => once(each, 'close'))
          client.resetAndDestroy()
          socket.destroy()
          await Promise.all(closed)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      sentBytes[Symbol.dispose]()
    },
  }
}

/** As a process knows connections that it holds itself. */
async function openOwn() {
  const sentBytes = openKernelSentBytes(() => performance.now())
  if (sentBytes === undefined) throw new Error('not on this system')
  let accepted = Promise.withResolvers<Bun.Socket<Held>>()
  const listener = Bun.listen<Held>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { isClosed: false, closed: Promise.withResolvers() }
        accepted.resolve(socket)
      },
      data() {},
      close({ data }) {
        data.isClosed = true
        data.closed.resolve()
      },
    },
  })
  return {
    sentBytes,
    async connect() {
      accepted = Promise.withResolvers()
      const client = connect(listener.port, '127.0.0.1')
      const socket = await accepted.promise
      return {
        ends: {
          localPort: listener.port,
          peerAddress: socket.remoteAddress,
          peerPort: socket.remotePort,
          socket: {
            get descriptor() {
              return socket.data.isClosed ? undefined : Number(Reflect.get(socket, 'fd'))
            },
          },
        },
        async receive(bytes: number) {
          for (let left = bytes; left > 0;) {
            left -= Math.max(socket.write(new Uint8Array(Math.min(left, 5_000))), 0)
            await once(client, 'data')
          }
          // What came by then is not all of it.
          while (client.bytesRead < bytes) await once(client, 'data')
        },
        async close() {
          client.resetAndDestroy()
          await socket.data.closed.promise
        },
      }
    },
    [Symbol.asyncDispose]() {
      listener.stop(true)
      sentBytes[Symbol.dispose]()
      return Promise.resolve()
    },
  }
}

interface Held {
  isClosed: boolean
  readonly closed: PromiseWithResolvers<void>
}

if (canRun) {
  sentBytesContract('Linux, a socket of this process', openOwn)
  sentBytesContract('Linux, IPv4', () => open('127.0.0.1', '127.0.0.1'))
  sentBytesContract('Linux, IPv4 on a socket of IPv6', () => open('::', '127.0.0.1'))
  sentBytesContract('Linux, IPv6', () => open('::1', '::1'))
}

test('addresses are read in every spelling of them', () => {
  const hex = (text: string) => Buffer.from(addressBytes(text) ?? []).toString('hex')
  expect(hex('192.0.2.1')).toBe('c0000201')
  expect(hex('::ffff:192.0.2.1')).toBe('c0000201')
  expect(hex('::1')).toBe('00000000000000000000000000000001')
  expect(hex('2001:db8::a:1')).toBe('20010db80000000000000000000a0001')
  expect(hex('fe80::1%eth0')).toBe('fe800000000000000000000000000001')
  expect(hex('2001:db8:0:1:2:3:4:5')).toBe('20010db8000000010002000300040005')
  expect(addressBytes('unknown')).toBeUndefined()
})
