import { expect, test } from 'bun:test'

import { headWith, preparedResponse } from '../../http/wire/prepared-response.ts'
import { ClientConnection } from './client-connection.ts'
import { openInner, openSocket, optionsWith, peer } from './testing.ts'

const request = Buffer.from('GET /one HTTP/1.1\r\nHost: a.example\r\n\r\n')

test('what a client has not taken is its own, whatever its place is used for next', () => {
  const head = headWith('HTTP/1.1 200 OK\r\n', 500)
  const place = Buffer.from(head + 'x'.repeat(500))
  const { socket, client } = openSocket({ room: head.length + 100 })
  const { connections } = openInner()
  const connection = new ClientConnection(client, peer, {
    ...optionsWith(connections, () => Promise.reject(new Error('nobody is to be asked'))),
    respond: () => preparedResponse(place, head.length),
  })
  connection.onData(request)
  place.fill('y')
  socket.room = 10_000
  connection.onDrain()

  expect(socket.sent.join('')).toEndWith('x'.repeat(500))
  expect(socket.sent.join('')).toContain('Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\nx')
})
