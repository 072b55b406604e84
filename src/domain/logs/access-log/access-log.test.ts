import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'

import { lineOf } from '../../../ports/traffic/request-log-store.contract.ts'
import { lineText } from '../../../ports/traffic/request-log-store.ts'
import { createAccessLogFiles } from './access-log-files.ts'
import { accessLogLine } from './access-log-line.ts'
import { createAccessLogStream } from './access-log-stream.ts'
import type { AccessLine } from './file-of-lines.ts'

const noon = Date.parse('2026-11-28T12:00:00Z')

function setUp() {
  const files = new Map<string, string>()
  const warnings: string[] = []
  const state = { isAway: false, puts: 0 }
  const outlet = createAccessLogFiles({
    target: {
      place: 'memory',
      async put(name, source) {
        state.puts += 1
        if (state.isAway) throw new Error('the target is away')
        const bytes = await source.bytes(0, source.sizeBytes)
        files.set(name, gunzipSync(bytes).toString())
      },
    },
    everyMs: 3_600_000,
    process: 'p1',
    extension: '.ndjson',
    log: { warn: (message) => void warnings.push(message), info: () => undefined },
  })
  return { files, warnings, state, outlet }
}

const at = (milliseconds: number, text: string): AccessLine => ({ at: noon + milliseconds, text })

test('a clean end loses nothing, and lines of two hours are in two files whose names sort', async () => {
  const { files, outlet } = setUp()
  outlet.add([at(-1, 'a'), at(0, 'b')])
  outlet.add([at(1_000, 'c')])
  await outlet[Symbol.asyncDispose]()

  expect([...files]).toEqual([
    ['2026/11/28/11/20261128T115959Z-p1-1.ndjson.gz', 'a\n'],
    ['2026/11/28/12/20261128T120000Z-p1-2.ndjson.gz', 'b\nc\n'],
  ])
  expect([...files.keys()].toSorted()).toEqual([...files.keys()])
})

test('a target that is away is said once, what waits is bounded, and the rest is counted as lost', async () => {
  const { files, warnings, state, outlet } = setUp()
  state.isAway = true
  // What compresses to nothing takes no room once it is compressed: all of this comes in one turn.
  const line = 'x'.repeat(2 ** 20)
  for (let each = 0; each < 70; each += 1) outlet.add([at(each, line)])
  expect(outlet.lost).toBe(7)
  await outlet[Symbol.asyncDispose]()

  expect(files.size).toBe(0)
  expect(outlet.lost).toBe(70)
  expect(warnings).toEqual([
    'the access log could not be written',
    'the end of the access log is lost',
  ])
})

test('a large file is closed before its time', async () => {
  const { files, outlet } = setUp()
  const line = 'x'.repeat(2 ** 20)
  for (let each = 0; each < 17; each += 1) outlet.add([at(each, line)])
  await outlet[Symbol.asyncDispose]()
  expect([...files.values()].map(({ length }) => Math.round(length / 2 ** 20))).toEqual([8, 8, 1])
})

test('a reader that is slow loses lines, not memory', async () => {
  const warnings: string[] = []
  const written: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const outlet = createAccessLogStream(
    async (text) => {
      written.push(text.length)
      await promise
    },
    { warn: (message) => void warnings.push(message) },
  )
  for (let each = 0; each < 6; each += 1) outlet.add([at(each, 'x'.repeat(2 ** 20))])
  expect(outlet.lost).toBe(3)
  expect(warnings).toHaveLength(1)
  resolve()
  await outlet[Symbol.asyncDispose]()
  expect(written).toHaveLength(3)
})

test('JSON has all that is kept, with a time that other programs read', () => {
  const line = lineOf({ at: noon, path: '/a"\n', network: '203.0.113.0/24' })
  const text = accessLogLine('json', line)
  expect(text).not.toContain('\n')
  expect(JSON.parse(text)).toEqual({
    ...JSON.parse(JSON.stringify({ ...line, at: undefined })),
    time: '2026-11-28T12:00:00.000Z',
  })
})

test('the time comes first, in whatever order a line was put together', () => {
  const { at: _at, ...rest } = lineOf({ path: '/a' })
  const [first, last] = [
    { at: noon, ...rest },
    { ...rest, at: noon },
  ]
  expect(accessLogLine('json', last)).toBe(accessLogLine('json', first))
  expect(lineText(last)).toStartWith(`{"at":${noon},`)
})

test('the combined format lets nobody begin a field or a line of their own', () => {
  const line = lineOf({
    at: noon,
    method: 'GET',
    path: '/a" 200 1\n\u2028é',
    status: 404,
    bytes: 12,
    network: '203.0.113.0/24',
    by: { kind: 'token', id: 'token:1"' },
    referrer: 'www.example.org',
    agent: 'Firefox',
  })
  expect(accessLogLine('combined', line)).toBe(
    String.raw`203.0.113.0 - token:1_ [28/Nov/2026:12:00:00 +0000] "GET /a\x22 200 1\x0A\xE2\x80\xA8\xC3\xA9 HTTP/1.1" 404 12 "https://www.example.org/" "Firefox"`,
  )
})
