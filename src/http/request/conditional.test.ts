import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  entityTags,
  evaluatePreconditions,
  ifRangeHolds,
  type Precondition,
} from './conditional.ts'
import { formatHttpDate, parseHttpDate } from './http-date.ts'

const etag = '"abc"'
const modified = new Date('2026-04-01T12:00:00.750Z')
const current = { etag, lastModified: modified }
const before = 'Wed, 01 Apr 2026 11:59:59 GMT'
const same = 'Wed, 01 Apr 2026 12:00:00 GMT'
const later = 'Wed, 01 Apr 2026 12:00:01 GMT'

const outcome = (
  headers: Record<string, string>,
  method = 'GET',
  validators: typeof current | undefined = current,
): Precondition => evaluatePreconditions({ method, headers: new Headers(headers) }, validators)

const cases: readonly [string, Record<string, string>, string, Precondition][] = [
  ['nothing asked', {}, 'GET', 'proceed'],
  ['If-None-Match equal', { 'if-none-match': etag }, 'GET', 'not-modified'],
  ['If-None-Match on HEAD', { 'if-none-match': etag }, 'HEAD', 'not-modified'],
  ['If-None-Match on PUT', { 'if-none-match': etag }, 'PUT', 'failed'],
  ['If-None-Match is weak', { 'if-none-match': 'W/"abc"' }, 'GET', 'not-modified'],
  ['If-None-Match list', { 'if-none-match': '"x,y" , W/"abc","z"' }, 'GET', 'not-modified'],
  ['If-None-Match other', { 'if-none-match': '"abd"' }, 'GET', 'proceed'],
  ['If-None-Match any', { 'if-none-match': ' * ' }, 'GET', 'not-modified'],
  ['If-None-Match any on PUT', { 'if-none-match': '*' }, 'PUT', 'failed'],
  ['If-None-Match without quotes', { 'if-none-match': 'abc' }, 'GET', 'proceed'],
  [
    'If-None-Match overrules a newer date',
    { 'if-none-match': '"x"', 'if-modified-since': later },
    'GET',
    'proceed',
  ],
  ['If-Modified-Since same second', { 'if-modified-since': same }, 'GET', 'not-modified'],
  ['If-Modified-Since later', { 'if-modified-since': later }, 'GET', 'not-modified'],
  ['If-Modified-Since before', { 'if-modified-since': before }, 'GET', 'proceed'],
  ['If-Modified-Since garbage', { 'if-modified-since': 'yesterday' }, 'GET', 'proceed'],
  ['If-Modified-Since two', { 'if-modified-since': `${same}, ${later}` }, 'GET', 'proceed'],
  ['If-Modified-Since on PUT', { 'if-modified-since': later }, 'PUT', 'proceed'],
  ['If-Match equal', { 'if-match': etag }, 'PUT', 'proceed'],
  ['If-Match any', { 'if-match': '*' }, 'PUT', 'proceed'],
  ['If-Match other', { 'if-match': '"x"' }, 'PUT', 'failed'],
  ['If-Match is strong', { 'if-match': 'W/"abc"' }, 'PUT', 'failed'],
  ['If-Match garbage', { 'if-match': 'abc' }, 'PUT', 'failed'],
  ['If-Match on GET', { 'if-match': '"x"' }, 'GET', 'failed'],
  [
    'If-Match then If-None-Match',
    { 'if-match': etag, 'if-none-match': etag },
    'GET',
    'not-modified',
  ],
  ['If-Unmodified-Since before', { 'if-unmodified-since': before }, 'PUT', 'failed'],
  ['If-Unmodified-Since same second', { 'if-unmodified-since': same }, 'PUT', 'proceed'],
  ['If-Unmodified-Since garbage', { 'if-unmodified-since': 'x' }, 'PUT', 'proceed'],
  [
    'If-Match overrules If-Unmodified-Since',
    { 'if-match': etag, 'if-unmodified-since': before },
    'PUT',
    'proceed',
  ],
]

for (const [name, headers, method, expected] of cases)
  test(`precondition: ${name} is ${expected}`, () => {
    expect(outcome(headers, method)).toBe(expected)
  })

const missing = (headers: Record<string, string>) =>
  evaluatePreconditions({ method: 'PUT', headers: new Headers(headers) }, undefined)

test('without a representation If-None-Match: * holds and If-Match never does', () => {
  expect(missing({ 'if-none-match': '*' })).toBe('proceed')
  expect(missing({ 'if-match': '*' })).toBe('failed')
  expect(missing({ 'if-unmodified-since': before })).toBe('proceed')
})

test('a weak entity-tag of ours answers If-None-Match but never If-Match', () => {
  const weak = { etag: 'W/"abc"', lastModified: undefined }
  const ask = (headers: Record<string, string>) =>
    evaluatePreconditions({ method: 'GET', headers: new Headers(headers) }, weak)
  expect(ask({ 'if-none-match': '"abc"' })).toBe('not-modified')
  expect(ask({ 'if-match': 'W/"abc"' })).toBe('failed')
})

test('If-Range takes the very same strong tag or the very same date', () => {
  expect(ifRangeHolds(null, current)).toBe(true)
  expect(ifRangeHolds(etag, current)).toBe(true)
  expect(ifRangeHolds('W/"abc"', { ...current, etag: 'W/"abc"' })).toBe(false)
  expect(ifRangeHolds('"x"', current)).toBe(false)
  expect(ifRangeHolds(same, current)).toBe(true)
  expect(ifRangeHolds(later, current)).toBe(false)
  expect(ifRangeHolds(before, current)).toBe(false)
  expect(ifRangeHolds('garbage', current)).toBe(false)
  expect(ifRangeHolds(same, { etag, lastModified: undefined })).toBe(false)
})

const opaqueTag = fc
  .string({ unit: fc.constantFrom(...'abcXYZ09,-/W*;'.split('')) })
  .map((text) => `"${text}"`)
const anyTag = fc.tuple(fc.boolean(), opaqueTag).map(([weak, tag]) => (weak ? `W/${tag}` : tag))

test('a list of entity-tags is read back as written, commas inside them and out', () => {
  fc.assert(
    fc.property(fc.array(anyTag), fc.constantFrom(',', ', ', ' ,\t', ',,'), (tags, separator) => {
      expect(entityTags(tags.join(separator))).toEqual(tags)
    }),
  )
})

test('a tag that is in the If-None-Match list always ends in 304, one that is not never does', () => {
  fc.assert(
    fc.property(fc.array(anyTag), opaqueTag, (tags, own) => {
      const isListed = tags.some((tag) => tag === own || tag === `W/${own}`)
      const result = evaluatePreconditions(
        { method: 'GET', headers: new Headers({ 'if-none-match': tags.join(', ') }) },
        { etag: own, lastModified: undefined },
      )
      expect(result).toBe(isListed ? 'not-modified' : 'proceed')
    }),
  )
})

test('arbitrary field values never throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const get = (name: string) => (name.startsWith('if-none') ? a : b)
      expect(['proceed', 'not-modified', 'failed']).toContain(
        evaluatePreconditions({ method: 'GET', headers: { get } }, current),
      )
    }),
  )
})

test('a long hostile list is read in linear time', () => {
  const started = performance.now()
  entityTags('W/'.repeat(50_000))
  entityTags('"'.repeat(100_000))
  entityTags('"a" '.repeat(25_000))
  expect(performance.now() - started).toBeLessThan(500)
})

const date = fc.date({
  min: new Date('1977-01-01T00:00:00Z'),
  max: new Date('2075-12-31T23:59:59Z'),
  noInvalidDate: true,
})
const now = Date.parse('2026-04-01T00:00:00Z')
const dayNames = ['Sun', 'Mon', 'Tues', 'Wednes', 'Thurs', 'Fri', 'Satur']

test('all three forms of a date mean the same second', () => {
  fc.assert(
    fc.property(date, (value) => {
      const fixdate = formatHttpDate(value)
      const [, day = '', month = '', year = '', time = ''] = fixdate.split(' ')
      const seconds = Math.floor(value.getTime() / 1000) * 1000
      const rfc850 = `${dayNames[value.getUTCDay()]}day, ${day}-${month}-${year.slice(2)} ${time} GMT`
      const asctime = `${fixdate.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`
      expect(parseHttpDate(fixdate, now)).toBe(seconds)
      expect(parseHttpDate(rfc850, now)).toBe(seconds)
      expect(parseHttpDate(asctime, now)).toBe(seconds)
    }),
  )
})

test('days that do not exist and other notations are not dates', () => {
  for (const text of [
    'Wed, 31 Feb 2026 12:00:00 GMT',
    'Wed, 01 Abc 2026 12:00:00 GMT',
    'Wed, 01 Apr 2026 25:00:00 GMT',
    'Wed, 01 Apr 2026 12:00:00 UTC',
    '2026-04-01T12:00:00Z',
    '1775044800',
    '',
  ])
    expect(parseHttpDate(text, now)).toBeUndefined()
})
