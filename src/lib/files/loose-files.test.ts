import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { unpacked } from './loose-files.ts'
import { looseFile, packageFile, programFile } from './program-files.ts'

async function scratch() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-loose-'))
  const from = join(directory, 'from')
  await Bun.write(join(from, 'node_modules/a/lib/a.so'), 'library')
  await Bun.write(join(from, 'node_modules/b.ttf'), 'font')
  return {
    places: { from, parent: join(directory, 'data', 'program') },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}
const files = { sha256: 'first', paths: ['node_modules/a/lib/a.so', 'node_modules/b.ttf'] }

test('files are unpacked once, by the hash of what is in them', async () => {
  await using world = await scratch()
  const directory = await unpacked(files, world.places)
  expect(directory).toBe(join(world.places.parent, 'first'))
  expect(await Bun.file(join(directory, 'node_modules/a/lib/a.so')).text()).toBe('library')
  expect(await Bun.file(join(directory, 'node_modules/b.ttf')).text()).toBe('font')
  const { ino } = await stat(directory)
  expect(await unpacked(files, world.places)).toBe(directory)
  expect((await stat(directory)).ino).toBe(ino)
})

test('what another version or a start that was broken off has left is removed', async () => {
  await using world = await scratch()
  const { parent } = world.places
  await mkdir(join(parent, 'begun-x1', 'node_modules'), { recursive: true })
  await unpacked(files, world.places)
  await unpacked({ ...files, sha256: 'second' }, world.places)
  expect(await readdir(parent)).toEqual(['second'])
})

test('a file that is not there is an error, and half of them get no name', async () => {
  await using world = await scratch()
  const paths = [...files.paths, 'node_modules/none']
  const failure = unpacked({ sha256: 'third', paths }, world.places)
  expect(await failure.catch(String)).toContain('ENOENT')
  expect(await readdir(world.places.parent)).not.toContain('third')
})

test('from a checkout files are where they lie, and packages where they are installed', async () => {
  expect(await Bun.file(programFile('docs/concepts.md')).exists()).toBe(true)
  const fonts = '@expo-google-fonts/noto-sans/package.json'
  expect(looseFile(fonts)).toBe(packageFile(fonts))
  expect(() => packageFile('no-such-package/file.wasm')).toThrow()
})
