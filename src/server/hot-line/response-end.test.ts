import { expect, test } from 'bun:test'

import { findResponseEnd } from './response-end.ts'

/** What is found at each byte of a response, and of one more. */
function ended(response: string, method = 'GET'): number | 'never' | 'unknown' {
  const end = findResponseEnd(method)
  const bytes = Buffer.from(response, 'latin1')
  for (let at = 0; at < bytes.length; at += 1) {
    const found = end.take(bytes.subarray(at, at + 1))
    if (found === 'ended') return at + 1
    if (found === 'unknown') return 'unknown'
  }
  return 'never'
}

const atOnce = (response: string, method = 'GET') =>
  findResponseEnd(method).take(Buffer.from(response, 'latin1'))

const sized = 'HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\nhello'
const chunked =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\na;b=c\r\n0123456\r\n9\r\n0\r\n\r\n'

test('a response ends where its length says', () => {
  expect(ended(sized)).toBe(sized.length)
  expect(atOnce(sized)).toBe('ended')
  expect(atOnce(`${sized}!`)).toBe('unknown')
  expect(ended(sized.slice(0, -1))).toBe('never')
})

test('a response ends after its last chunk, and what follows it', () => {
  expect(ended(chunked)).toBe(chunked.length)
  expect(atOnce(chunked)).toBe('ended')
  const withTrailer = chunked.replace(/0\r\n\r\n$/u, '0\r\nDigest: a\r\n\r\n')
  expect(ended(withTrailer)).toBe(withTrailer.length)
  expect(atOnce(`${chunked}!`)).toBe('unknown')
  expect(atOnce(chunked.replace('5\r\n', 'x\r\n'))).toBe('unknown')
})

test('a response without a body ends with its head, whatever that says of a length', () => {
  const head = sized.slice(0, -5)
  expect(ended(head, 'HEAD')).toBe(head.length)
  const unchanged = head.replace('200 OK', '304 Not Modified')
  expect(ended(unchanged)).toBe(unchanged.length)
})

test('where it is not told, a response ends with its connection', () => {
  expect(atOnce('HTTP/1.1 200 OK\r\n\r\n')).toBe('unknown')
  expect(atOnce('HTTP/1.1 100 Continue\r\n\r\n')).toBe('unknown')
  expect(atOnce(sized.replace('X: y', 'Connection: close'))).toBe('unknown')
  expect(atOnce('X'.repeat(70_000))).toBe('unknown')
})
