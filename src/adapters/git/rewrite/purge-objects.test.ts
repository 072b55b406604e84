import { expect, test } from 'bun:test'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { temporaryDirectory } from '../fixtures/open-test-store.ts'
import { purgeObjects } from './purge-objects.ts'

test('an index stays for as long as its pack cannot be taken away', async () => {
  // Directories are listed in any order: of many packs, some index comes first.
  for (const digit of '0123456789abcdef') {
    const repository = await temporaryDirectory()
    const directory = join(repository, 'objects', 'pack')
    await mkdir(directory, { recursive: true })
    const stem = `pack-${digit.repeat(40)}`
    // What is a directory is not removed as a file is.
    await mkdir(join(directory, `${stem}.pack`))
    for (const ending of ['rev', 'idx']) await writeFile(join(directory, `${stem}.${ending}`), '')

    const failure = await purgeObjects(repository, [`${stem}.idx`], async () => {}).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(Error)
    expect(await readdir(directory)).toContain(`${stem}.idx`)
    await rm(repository, { recursive: true })
  }
})
