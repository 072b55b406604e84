import { expect, test } from 'bun:test'

import { headWith, preparedResponse } from '../../http/wire/prepared-response.ts'
import { ClientConnection } from './client-connection.ts'
import { createKnownFields } from './request-heads.ts'

const request = Buffer.from('GET /one HTTP/1.1\r\nHost: a.example\r\n\r\n')

test('what a client has not taken is its own, whatever its place is used for next', () => {
  const head = headWith('HTTP/1.1 200 OK\r\n', 500)
  const place = Buffer.from(head + 'x'.repeat(500))
  let room = head.length + 100
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
      respond: () => preparedResponse(place, head.length),
      respondHere: () => Promise.reject(new Error('nobody is to be asked')),
      inner: {
        open: () => {
          throw new Error('nobody is to be asked')
        },
        giveBack: () => {},
        peerOf: () => undefined,
        sweep: () => {},
        closeIdle: () => {},
        heard: async () => {},
      },
      fields: createKnownFields(),
      fileSender: undefined,
      second: () => 0,
    },
  )
  client.onData(request)
  place.fill('y')
  room = 10_000
  client.onDrain()

  expect(sent.join('')).toEndWith('x'.repeat(500))
  expect(sent.join('')).toContain('Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\nx')
})
