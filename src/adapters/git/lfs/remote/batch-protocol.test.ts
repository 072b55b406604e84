import { expect, test } from 'bun:test'

import { parseBatch } from './batch-protocol.ts'

const refs = [{ sha256: 'a'.repeat(64), sizeBytes: 5 }]
const [ref = { sha256: '', sizeBytes: 0 }] = refs
/** No text can be made of it. */
const textless = { toString: 1 }

const parsed = (...objects: readonly object[]) => parseBatch(JSON.stringify({ objects }), refs)[0]

test('a name that is no text names no object', () => {
  expect(parsed({ oid: textless })?.why).toBe('the remote says nothing of it')
})

test('a reason that is no text is told without it', () => {
  const error = { code: textless, message: 'gone' }
  expect(parsed({ oid: ref.sha256, error })?.why).toBe('the remote says nothing: gone')
})

test('a number and a text are told as they came', () => {
  const error = { code: 404, message: 'Not found' }
  expect(parsed({ oid: ref.sha256, error })?.why).toBe('the remote says 404: Not found')
})

test('an address that is no text is no URL', () => {
  const actions = { download: { href: textless } }
  expect(() => parsed({ oid: ref.sha256, actions })).toThrow('no URL')
})
