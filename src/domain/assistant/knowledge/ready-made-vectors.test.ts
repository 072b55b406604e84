import { expect, test } from 'bun:test'

import { readReadyMade, writeReadyMade } from './ready-made-vectors.ts'

const vectors = new Map([
  ['one', new Uint8Array([1, 2, 3])],
  ['two', new Uint8Array([10, 10, 10])],
])

test('what is written is read, in whatever order it was', () => {
  const written = writeReadyMade('some model 1.2', vectors)
  const read = readReadyMade(written)

  expect(read?.space).toBe('some model 1.2')
  for (const [text, vector] of vectors) expect(read?.vectorOf(text)).toEqual(vector)
  expect(read?.vectorOf('three')).toBeUndefined()
  expect(writeReadyMade('some model 1.2', new Map([...vectors].toReversed()))).toEqual(written)
})

test('what is cut off or something else is nothing', () => {
  const written = writeReadyMade('model', vectors)

  expect(readReadyMade(written.subarray(0, -1))).toBeUndefined()
  expect(readReadyMade(new TextEncoder().encode('version https://example.org\n'))).toBeUndefined()
  expect(readReadyMade(new Uint8Array(0))).toBeUndefined()
})
