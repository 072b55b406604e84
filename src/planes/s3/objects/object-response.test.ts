import { expect, test } from 'bun:test'

import { objectResponse } from './object-response.ts'
import type { ObjectState } from './object-state.ts'

const bytes = 'aaabbbccd'
const state: ObjectState = {
  sha256: 'a'.repeat(64),
  sizeBytes: bytes.length,
  contentType: 'text/plain',
  changedAt: new Date('2026-11-20T12:00:00Z'),
  versionId: undefined,
  object: {
    sha256: 'a'.repeat(64),
    parts: [
      { sizeBytes: 3, count: 2 },
      { sizeBytes: 2, count: 1 },
      { sizeBytes: 1, count: 1 },
    ],
  },
}

const ask = (partNumber: string, method = 'GET') =>
  objectResponse(
    {
      request: new Request('http://127.0.0.1/', { method }),
      query: new URLSearchParams({ partNumber }),
    },
    {
      state,
      headers: { etag: '"a-4"' },
      open: async (span) => bytes.slice(span?.start, span?.end),
    },
  )

test.each([
  ['1', 'aaa', '0-2'],
  ['2', 'bbb', '3-5'],
  ['3', 'cc', '6-7'],
  ['4', 'd', '8-8'],
])('part %s is %s, and says how many there are', async (number, text, range) => {
  const response = await ask(number)
  expect([response.status, await response.text()]).toEqual([206, text])
  expect(response.headers.get('content-range')).toBe(`bytes ${range}/9`)
  expect(response.headers.get('x-amz-mp-parts-count')).toBe('4')
  const head = await ask(number, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([206, String(text.length)])
})

test.each(['5', '10000'])('part %s is not there', (number) => {
  expect(ask(number)).rejects.toMatchObject({ code: 'InvalidPart' })
})

test.each(['0', '10001', '-1', '1.5', 'x', ''])('%j is no number of a part', (number) => {
  expect(ask(number)).rejects.toMatchObject({ code: 'InvalidArgument' })
})
