import { expect, test } from 'bun:test'

import type { ObjectMetadata } from '../../../ports/records/asset-metadata.ts'
import { objectMetadataOf, objectOf } from './object-metadata.ts'

const sha256 = 'a'.repeat(64)
const read = (members: Readonly<Record<string, unknown>>) =>
  objectMetadataOf({ sha256, ...members }, 'object')

test('what a client said is read back, in order and without what says nothing', () => {
  const object: ObjectMetadata = {
    sha256,
    user: { a: '1', b: 'ä "quoted"' },
    tags: { Stage: 'in use', ключ: '' },
    headers: { 'cache-control': 'max-age=1' },
    etag: `${'0'.repeat(32)}-10000`,
    parts: [{ sizeBytes: 5, count: 10_000 }],
    checksum: { algorithm: 'CRC32', type: 'COMPOSITE', value: 'AAAAAA==-2' },
  }
  expect(read(object as unknown as Record<string, unknown>)).toEqual(object)
  expect(Object.keys(read({ user: { b: '2', a: '1' } })?.user ?? {})).toEqual(['a', 'b'])
  expect(read({ user: {}, tags: {}, headers: {}, parts: [], etag: null })).toBeUndefined()
})

test.each([
  ['other bytes than a SHA-256 names', { sha256: 'A'.repeat(64) }],
  ['more than 2 KB of metadata', { user: { a: 'x'.repeat(2048) } }],
  ['a name that is no field', { user: { 'a b': 'x' } }],
  ['a line end in a value', { user: { a: 'x\r\nSet-Cookie: y' } }],
  ['a value that is no text', { user: { a: 1 } }],
  ['half a surrogate pair', { user: { a: '\ud800' } }],
  ['eleven tags', { tags: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [at, ''])) }],
  ['a key of a tag that is too long', { tags: { ['k'.repeat(129)]: '' } }],
  ['a value of a tag that is too long', { tags: { a: 'v'.repeat(257) } }],
  ['a tag of other characters', { tags: { 'a<b': '' } }],
  ['another field of a response', { headers: { 'set-cookie': 'a=b' } }],
  ['a field that is too long', { headers: { expires: 'x'.repeat(1025) } }],
  ['an entity-tag that is not of parts', { etag: '0'.repeat(32) }],
  ['too many parts', { parts: [{ sizeBytes: 1, count: 10_001 }] }],
  ['a part of less than nothing', { parts: [{ sizeBytes: -1, count: 1 }] }],
  ['an unknown checksum', { checksum: { algorithm: 'ADLER', type: 'COMPOSITE', value: 'AAAA' } }],
  ['a list for an object', { user: [] }],
])('%s is refused', (_, members) => {
  expect(() => read(members)).toThrow('object')
})

test('it holds for the bytes that it names', () => {
  const object: ObjectMetadata = { sha256, user: { a: '1' } }
  expect(objectOf({ sha256, metadata: { object } })).toBe(object)
  expect(objectOf({ sha256: 'b'.repeat(64), metadata: { object } })).toBeUndefined()
  expect(objectOf({ sha256 })).toBeUndefined()
})
