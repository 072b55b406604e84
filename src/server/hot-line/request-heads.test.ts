import { expect, test } from 'bun:test'

import { createHeadReader, createKnownFields } from './request-heads.ts'

const read = (text: string) => createHeadReader().read(text, 0)

const plain = 'GET /a/v1/b.svg?w=1 HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nAccept: */*\r\n\r\n'

test('a plain head is understood', () => {
  const head = read(`${plain}GET /next`)
  expect(head?.request.url).toBe('http://127.0.0.1:3000/a/v1/b.svg?w=1')
  expect(head?.request.method).toBe('GET')
  expect(head?.request.headers.get('accept')).toBe('*/*')
  expect(head).toMatchObject({ isLast: false, end: plain.length })
  expect(read(plain.replace('Accept: */*', 'Connection: Close'))?.isLast).toBe(true)
})

test('a head says how many bytes of a body follow it, and of GET and HEAD none do', () => {
  const put = plain.replace('GET', 'PUT')
  expect(read(plain)?.bodyBytes).toBeUndefined()
  expect(read(put)?.bodyBytes).toBe(0)
  const sized = put.replace('Accept: */*', 'Content-Length: 123456789012345')
  expect(read(sized)?.bodyBytes).toBe(123_456_789_012_345)
})

test('the fields of one head are not those of the next', () => {
  const reader = createHeadReader()
  const tagged = plain.replace('\r\n\r\n', '\r\nIf-None-Match: "a"\r\n\r\n')
  const text = tagged + plain + plain
  const first = reader.read(text, 0)
  const second = reader.read(text, first?.end ?? 0)
  const third = reader.read(text, second?.end ?? 0)
  expect([first, second, third].map((head) => head?.request.headers.get('if-none-match'))).toEqual([
    '"a"',
    null,
    null,
  ])
})

test('no head that is cut off is understood', () => {
  for (let length = 0; length < plain.length; length += 1)
    expect(read(plain.slice(0, length))).toBeUndefined()
})

/** What some read one way and some another. */
const doubtful: readonly string[] = [
  plain.replaceAll('\r\n', '\n'),
  plain.replace('GET ', 'GET  '),
  plain.replace('GET', 'get'),
  plain.replace('GET', 'TRACE'),
  plain.replace('HTTP/1.1', 'HTTP/1.0'),
  plain.replace('HTTP/1.1', 'HTTP/1.1 '),
  plain.replace('/a/', 'http://b/a/'),
  plain.replace('/a/', '/a\u00e9/'),
  plain.replace('/a/', '/a\u0000/'),
  plain.replace('/a/', '/a\t/'),
  plain.replace('Host: 127.0.0.1:3000', 'X-Host: b'),
  plain.replace('127.0.0.1:3000', ''),
  plain.replace('127.0.0.1:3000', 'a.test:80'),
  plain.replace('127.0.0.1:3000', 'A.test'),
  plain.replace('127.0.0.1:3000', 'a.test:080'),
  plain.replace('127.0.0.1:3000', 'a@b.test'),
  plain.replace('127.0.0.1:3000', 'a.test, b.test'),
  plain.replace('127.0.0.1:3000', '[::1]:3000'),
  plain.replace('Accept: */*', 'Host: b'),
  plain.replace('Accept: */*', 'Accept : */*'),
  plain.replace('Accept: */*', ' Accept: */*'),
  plain.replace('Accept: */*', 'Accept: a\r\n b'),
  plain.replace('Accept: */*', 'Accept: a\rb'),
  plain.replace('Accept: */*', 'Accept: a\nb'),
  plain.replace('Accept: */*', 'Accept: a\u0000b'),
  plain.replace('Accept: */*', 'Accept: \u00e9'),
  plain.replace('Accept: */*', 'Accept'),
  plain.replace('Accept: */*', 'Accept: a\r\naccept: b'),
  plain.replace('Accept: */*', 'Content-Length: 0'),
  plain.replace('Accept: */*', 'content-length: 5'),
  plain.replace('Accept: */*', 'Transfer-Encoding: chunked'),
  plain.replace('Accept: */*', 'Upgrade: h2c'),
  plain.replace('Accept: */*', 'Connection: keep-alive, Upgrade'),
  plain.replace('Accept: */*', 'Connection: close, accept'),
  plain.replace('Accept: */*', 'Expect: 100-continue'),
  plain.replace('Accept: */*', 'TE: trailers'),
  plain.replace('Accept: */*', `Cookie: ${'a'.repeat(9_000)}`),
  ...['', '+5', '-1', '00', '05', '5, 5', '0x5', '1e3', '5;a', '1'.repeat(16), '5 5'].map(
    (length) => plain.replace('GET', 'PUT').replace('Accept: */*', `Content-Length: ${length}`),
  ),
  plain.replace('GET', 'PUT').replace('Accept: */*', 'Content-Length: 5\r\nContent-Length: 5'),
  plain.replace('GET', 'PUT').replace('Accept: */*', 'Transfer-Encoding: chunked'),
  `\r\n${plain}`,
  ` ${plain}`,
]

test('what is in doubt is not understood', () => {
  expect(doubtful.filter((text) => read(text) !== undefined)).toEqual([])
})

test('fields that another connection has sent are not read again, whoever sends them', () => {
  const known = createKnownFields()
  const sent = 'GET /a HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\n\r\n'
  const [first, second] = [createHeadReader(known), createHeadReader(known)]
  const headers = first.read(sent, 0)?.request.headers
  expect(headers?.get('accept')).toBe('*/*')
  expect(second.read(sent, 0)?.request.headers).toBe(headers)
  for (let other = 0; other < 200; other += 1) first.read(sent.replace('*/*', `text/x-${other}`), 0)
  expect(createHeadReader(known).read(sent, 0)?.request.headers).not.toBe(headers)
})
