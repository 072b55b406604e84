import { expect, test } from 'bun:test'

import { createWireTemplate, withRoom, type WireResponse } from './wire-response.ts'

const second = 1_795_906_388
const textOf = (wire: WireResponse, at = second): string => {
  wire.setDate(at)
  return Buffer.from(wire.bytes).toString('latin1')
}
const headers = (etag: string) => new Headers({ ETag: etag })
const headOf = (status: string, fields: string, id: string) =>
  `HTTP/1.1 ${status}\r\n${fields}X-Request-ID: ${id}\r\nDate: ${new Date(second * 1000).toUTCString()}\r\n\r\n`

test('each of a template has the id of its own request, and the date of its own second', () => {
  const template = createWireTemplate({ status: 304, headers: headers('"a"'), body: undefined })
  const is304 = (id: string) => headOf('304 Not Modified', 'ETag: "a"\r\n', id)
  expect(textOf(template('one'), second - 1)).not.toBe(is304('one'))
  expect(textOf(template('two'))).toBe(is304('two'))
  expect(textOf(template('longer'))).toBe(is304('longer'))
  expect(textOf(template('one'))).toBe(is304('one'))
})

test('two templates of one body do not take the head of the other for theirs', () => {
  const body = withRoom(Buffer.from('body'))
  const [one, other] = ['"a"', '"bb"'].map((etag) =>
    createWireTemplate({ status: 200, headers: headers(etag), body }),
  )
  const is200 = (etag: string, id: string) =>
    `${headOf('200 OK', `ETag: ${etag}\r\nContent-Length: 4\r\n`, id)}body`
  for (const id of ['one', 'two']) {
    expect(one && textOf(one(id))).toBe(is200('"a"', id))
    expect(other && textOf(other(id))).toBe(is200('"bb"', id))
    expect(other && textOf(other('six'))).toBe(is200('"bb"', 'six'))
  }
})

test('a head for which there is no room stands before a copy of the body', () => {
  const body = withRoom(Buffer.from('body'))
  const long = 'x'.repeat(5_000)
  const template = createWireTemplate({ status: 200, headers: headers(long), body })
  const is200 = (id: string) =>
    `${headOf('200 OK', `ETag: ${long}\r\nContent-Length: 4\r\n`, id)}body`
  expect(textOf(template('one'))).toBe(is200('one'))
  expect(textOf(template('two'))).toBe(is200('two'))
})
