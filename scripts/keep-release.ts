import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { recordRelease } from '../test/support/kept-release.ts'

// Keeps a data directory of this version, and what it responds, for the tests of every later one. Before a release:
// `npx bun scripts/keep-release.ts`, once for each version; what is kept already is never made anew.

const root = join(import.meta.dir, '..')
const { version } = (await Bun.file(join(root, 'package.json')).json()) as { version: string }
const directory = join(root, 'test', 'fixtures', 'releases', version)

if (await Bun.file(join(directory, 'responses.json')).exists()) {
  console.error(`${version} is kept already: a release is what it was`)
  process.exitCode = 1
} else {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await recordRelease(directory)
  console.log(`kept ${version}`)
}
