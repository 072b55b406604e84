import { expect, test } from 'bun:test'

import { respondWith, respondWithLater, type Content } from './respond.ts'

const bytes = new Blob(['0123456789'])
const changedAt = new Date('2026-03-01T00:00:00Z')

const content: Content = {
  validators: { etag: '"a"', lastModified: changedAt },
  sizeBytes: bytes.size,
  headers: { 'Content-Type': 'text/plain', 'Content-Length': '10', ETag: '"a"' },
  open: (span) => (span === undefined ? bytes : bytes.slice(span.start, span.end)),
}

/** For answers that must be known before any byte is read. */
const unreadable: Content = {
  ...content,
  open: () => {
    throw new Error('nothing is to be read')
  },
}

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  new Request('http://sedge.test/a', { method, headers })

test('the whole is a 200 with the very fields', async () => {
  const headers = new Headers({ ETag: '"a"' })
  const response = respondWith(get(), { ...content, headers })

  expect(response.status).toBe(200)
  expect(await response.text()).toBe('0123456789')
  expect([...headers]).toEqual([['etag', '"a"']])
})

test('what has not changed is a 304 without a length, and nothing is read', () => {
  for (const headers of [
    { 'If-None-Match': 'W/"a"' },
    { 'If-Modified-Since': changedAt.toUTCString() },
  ]) {
    const response = respondWith(get(headers), unreadable)

    expect(response.status).toBe(304)
    expect(response.headers.get('etag')).toBe('"a"')
    expect(response.headers.get('content-length')).toBeNull()
  }
})

test('a 304 may have fields of its own', () => {
  const unchangedHeaders = () => new Headers({ 'X-Own': 'yes' })
  const response = respondWith(get({ 'If-None-Match': '*' }), { ...unreadable, unchangedHeaders })

  expect([...response.headers]).toEqual([['x-own', 'yes']])
})

test('a precondition that fails is a 412, before any range is looked at', () => {
  const response = respondWith(get({ 'If-Match': '"b"', Range: 'bytes=90-' }), unreadable)

  expect(response.status).toBe(412)
  expect(response.body).toBeNull()
})

test('a range is a 206 with its place and its length', async () => {
  const response = respondWith(get({ Range: 'bytes=2-4' }), content)

  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBe('bytes 2-4/10')
  expect(response.headers.get('content-length')).toBe('3')
  expect(await response.text()).toBe('234')
})

test('a range of which no byte is there is a 416 that says how many there are', () => {
  const response = respondWith(get({ Range: 'bytes=10-' }), unreadable)

  expect(response.status).toBe(416)
  expect(response.headers.get('content-range')).toBe('bytes */10')
  expect(response.headers.get('content-length')).toBeNull()
})

test('If-Range may hold by other validators than conditions do', () => {
  const ifRange = get({ Range: 'bytes=0-0', 'If-Range': changedAt.toUTCString() })
  const rangeValidators = { etag: '"a"', lastModified: undefined }

  expect(respondWith(ifRange, content).status).toBe(206)
  expect(respondWith(ifRange, { ...content, rangeValidators }).status).toBe(200)
})

test('several ranges are parts of one body where that can be made, else the whole', async () => {
  const request = get({ Range: 'bytes=0-1,8-9' })
  const newBoundary = () => 'between'
  for (const isFile of [false, true]) {
    const response = respondWith(request, { ...content, multipart: { bytes, isFile, newBoundary } })
    const text = await response.text()

    expect(response.status).toBe(206)
    expect(response.headers.get('content-type')).toBe('multipart/byteranges; boundary=between')
    expect(response.headers.get('content-length')).toBe(String(text.length))
    expect(text).toContain('Content-Type: text/plain\r\nContent-Range: bytes 8-9/10\r\n\r\n89')
  }
  expect(respondWith(request, content).status).toBe(200)
})

test('while nobody knows how long it will be, ranges are ignored', () => {
  const response = respondWith(get({ Range: 'bytes=2-4' }), { ...content, sizeBytes: undefined })

  expect(response.status).toBe(200)
})

test('HEAD has the length of the whole, whatever range it names, and nothing is read', () => {
  const response = respondWith(get({ Range: 'bytes=2-4' }, 'HEAD'), { ...unreadable, headers: {} })

  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe('10')
  expect(response.body).toBeNull()
})

test('bytes that are waited for are answered alike', async () => {
  const open = async (span?: { readonly start: number; readonly end: number }) =>
    bytes.slice(span?.start, span?.end)
  const later = { ...content, open }

  expect(await (await respondWithLater(get(), later)).text()).toBe('0123456789')
  expect(await (await respondWithLater(get({ Range: 'bytes=-2' }), later)).text()).toBe('89')
  expect((await respondWithLater(get({ 'If-None-Match': '"a"' }), later)).status).toBe(304)
})
