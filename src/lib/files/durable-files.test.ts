import { expect, test } from 'bun:test'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { flushDirectory, makeDurableDirectory } from './durable-files.ts'

test('a directory is made with its missing parents, and making it again is no error', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sedge-directory-'))
  try {
    await makeDurableDirectory(join(root, 'a/b/c'))
    await makeDurableDirectory(join(root, 'a/b/c'))

    expect((await stat(join(root, 'a/b/c'))).isDirectory()).toBe(true)
    await flushDirectory(join(root, 'a/b/c'))
  } finally {
    await rm(root, { recursive: true })
  }
})
