import { expect, test } from 'bun:test'

import { createReadOnce } from './read-once.ts'

const textOf = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes)

test('files that are asked for at once each get their own bytes', async () => {
  const files = createReadOnce()
  const blobs = ['one', '', 'three'].map((text) => new Blob([text]))
  const read = await Promise.all(blobs.map((blob) => files.first(blob)))
  expect(read.map(textOf)).toEqual(['one', '', 'three'])
  expect(await Promise.all(blobs.map(async (blob) => textOf(await files.last(blob))))).toEqual([
    'one',
    '',
    'three',
  ])
})
