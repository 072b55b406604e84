import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  contentRange,
  decideRange,
  maxRangeParts,
  multipartLayout,
  selectRange,
  type RangeDecision,
} from './ranges.ts'

const none = { kind: 'none' }
const unsatisfiable = { kind: 'unsatisfiable' }
const single = (start: number, end: number) => ({ kind: 'single', span: { start, end } })

const cases: readonly [string, number, unknown][] = [
  ['bytes=0-0', 10, single(0, 1)],
  ['bytes=2-5', 10, single(2, 6)],
  ['bytes=2-', 10, single(2, 10)],
  ['bytes=-3', 10, single(7, 10)],
  ['bytes=-30', 10, single(0, 10)],
  [`bytes=5-${'9'.repeat(400)}`, 10, single(5, 10)],
  [`bytes=-${'9'.repeat(400)}`, 10, single(0, 10)],
  ['BYTES = 2-5', 10, single(2, 6)],
  ['bytes=,2-5, ,', 10, single(2, 6)],
  ['bytes=10-', 10, unsatisfiable],
  [`bytes=${'9'.repeat(400)}-`, 10, unsatisfiable],
  ['bytes=-0', 10, unsatisfiable],
  ['bytes=10-20,-0', 10, unsatisfiable],
  ['bytes=10-20,1-2', 10, single(1, 3)],
  ['bytes=0-3,2-6', 10, single(0, 7)],
  ['bytes=4-6,0-3', 10, single(0, 7)],
  ['bytes=5-2', 10, none],
  ['bytes=1-2,5-2', 10, none],
  ['bytes=', 10, none],
  ['bytes=-', 10, none],
  ['bytes=a-b', 10, none],
  ['bytes=0x1-5', 10, none],
  ['bytes=1-2;3-4', 10, none],
  ['items=0-1', 10, none],
  ['bytes 0-1', 10, none],
  ['bytes=0-', 0, none],
]

for (const [field, size, expected] of cases)
  test(`${field.slice(0, 40)} of ${size} bytes`, () => {
    expect(decideRange(field, size)).toEqual(expected as RangeDecision)
  })

test('separate ranges keep the order they were asked in', () => {
  expect(decideRange('bytes=8-9,0-1', 10)).toEqual({
    kind: 'multiple',
    spans: [
      { start: 8, end: 10 },
      { start: 0, end: 2 },
    ],
  })
})

const parts = (count: number) =>
  `bytes=${Array.from({ length: count }, (_, index) => `${index * 2}-${index * 2}`).join(',')}`

test('too many parts are answered with the whole', () => {
  expect(decideRange(parts(maxRangeParts), 1e6).kind).toBe('multiple')
  expect(decideRange(parts(maxRangeParts + 1), 1e6)).toEqual({ kind: 'none' })
  expect(decideRange(`bytes=${'0-,'.repeat(5000)}`, 1e6)).toEqual({ kind: 'none' })
})

test('a Range counts on GET alone, and only where If-Range holds', () => {
  const current = { etag: '"a"', lastModified: undefined, sizeBytes: 10 }
  const ask = (method: string, headers: Record<string, string>) =>
    selectRange({ method, headers: new Headers(headers) }, current).kind
  expect(ask('GET', { range: 'bytes=0-1' })).toBe('single')
  expect(ask('HEAD', { range: 'bytes=0-1' })).toBe('none')
  expect(ask('GET', { range: 'bytes=0-1', 'if-range': '"a"' })).toBe('single')
  expect(ask('GET', { range: 'bytes=0-1', 'if-range': '"b"' })).toBe('none')
  expect(ask('GET', {})).toBe('none')
})

const bound = fc.option(fc.nat({ max: 300 }), { nil: undefined })
const member = fc.tuple(bound, bound).filter(([a, b]) => a !== undefined || b !== undefined)

/** Which bytes the members cover, by trying each byte: slow, and plainly what RFC 9110 §14.1.2 says. */
function coveredBytes(members: readonly [number | undefined, number | undefined][], size: number) {
  const covered = new Set<number>()
  for (let byte = 0; byte < size; byte += 1)
    for (const [first, last] of members)
      if (
        first === undefined ? byte >= size - (last ?? 0) : byte >= first && byte <= (last ?? size)
      )
        covered.add(byte)
  return covered
}

test('exactly the asked bytes are sent, each once', () => {
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 12 }), fc.nat(200), (members, size) => {
      const field = `bytes=${members.map(([a, b]) => `${a ?? ''}-${b ?? ''}`).join(',')}`
      const decision = decideRange(field, size)
      const isMalformed = members.some(([a, b]) => a !== undefined && b !== undefined && b < a)
      if (isMalformed || size === 0) {
        expect(decision).toEqual({ kind: 'none' })
        return
      }
      const expected = coveredBytes(members, size)
      if (decision.kind === 'none') throw new Error('a well-formed range was ignored')
      const spans = decision.kind === 'single' ? [decision.span] : []
      if (decision.kind === 'multiple') spans.push(...decision.spans)
      const sent = spans.flatMap(({ start, end }) =>
        Array.from({ length: end - start }, (_, index) => start + index),
      )
      expect(new Set(sent)).toEqual(expected)
      expect(sent.length).toBe(expected.size)
      expect(decision.kind === 'unsatisfiable').toBe(expected.size === 0)
    }),
  )
})

test('arbitrary fields never throw and never leave the representation', () => {
  const text = fc.string({ unit: fc.constantFrom(...'bytes=0123456789-, \t'.split('')) })
  fc.assert(
    fc.property(text, fc.nat(50), (tail, size) => {
      for (const field of [tail, `bytes=${tail}`]) {
        const decision = decideRange(field, size)
        const spans = decision.kind === 'single' ? [decision.span] : []
        if (decision.kind === 'multiple') spans.push(...decision.spans)
        for (const { start, end } of spans) {
          expect(start).toBeLessThan(end)
          expect(end).toBeLessThanOrEqual(size)
          expect(start).toBeGreaterThanOrEqual(0)
        }
      }
    }),
  )
})

test('a multipart frame has the length it announces and a header for every part', () => {
  const spans = [
    { start: 8, end: 10 },
    { start: 0, end: 2 },
  ]
  const layout = multipartLayout(spans, {
    sizeBytes: 10,
    contentType: 'text/plain',
    boundary: 'x1',
  })
  const bytes = '0123456789'
  const body =
    layout.parts.map(({ head, span }) => head + bytes.slice(span.start, span.end)).join('') +
    layout.tail
  expect(layout.contentType).toBe('multipart/byteranges; boundary=x1')
  expect(layout.contentLength).toBe(body.length)
  expect(body).toBe(
    '--x1\r\nContent-Type: text/plain\r\nContent-Range: bytes 8-9/10\r\n\r\n89' +
      '\r\n--x1\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/10\r\n\r\n01\r\n--x1--\r\n',
  )
  expect(contentRange({ start: 2, end: 4 }, 10)).toBe('bytes 2-3/10')
})
