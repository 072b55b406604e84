import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readSync } from 'node:fs'
import { join } from 'node:path'

import { temporaryDirectory } from '../../../test/support/service-process.ts'
import { openSpan, sliceOf, wholeFile } from './file-spans.ts'

const text = 'abcdefghij'
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let path: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  path = join(directory.path, 'file')
  await Bun.write(path, text)
})
afterAll(() => directory[Symbol.asyncDispose]())

/** What would be sent from the disk. */
function sent(blob: Blob): string | undefined {
  const file = openSpan(blob)
  if (file === undefined) return undefined
  const bytes = Buffer.alloc(file.end - file.start)
  if (bytes.length > 0) readSync(file.descriptor, bytes, 0, bytes.length, file.start)
  file.close()
  return bytes.toString()
}

test.each([
  [undefined, undefined],
  [{ start: 2, end: 8 }, undefined],
  [
    { start: 2, end: 8 },
    { start: 1, end: 3 },
  ],
  [
    { start: 2, end: 8 },
    { start: 4, end: 100 },
  ],
  [
    { start: 2, end: 8 },
    { start: 50, end: 100 },
  ],
  [{ start: 0, end: 0 }, undefined],
])('a part of a file, and a part of that, is known by its bytes: %j %j', async (first, second) => {
  const part = sliceOf(sliceOf(wholeFile(path, text.length), first), second)
  expect(sent(part)).toBe(await part.text())
})

test('what is in no file, was cut by others or has become another file is not known', () => {
  expect(sent(sliceOf(new Blob([text]), { start: 1, end: 3 }))).toBeUndefined()
  expect(sent(wholeFile(path, text.length).slice(1, 3))).toBeUndefined()
  expect(sent(wholeFile(path, text.length + 1))).toBeUndefined()
  expect(sent(wholeFile(join(directory.path, 'none'), text.length))).toBeUndefined()
})
