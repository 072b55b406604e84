import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { BodyFiles } from './body-files.ts'

const sha256 = new Bun.CryptoHasher('sha256').update('hello').digest('hex')
const name = { sha256, sizeBytes: 5 }

async function setUpFile() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-bodies-'))
  await mkdir(join(directory, 'incoming'))
  const files = new BodyFiles(directory)
  const path = files.newPath()
  await Bun.write(path, 'hello')
  await utimes(path, 1000, 1000)
  await files.adopt(path, name)
  files.retain(name)
  const kept = join(directory, sha256.slice(0, 2), sha256)
  return {
    files,
    kept,
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

test('a file is named by its bytes and read back', async () => {
  await using bodies = await setUpFile()

  expect(await (await bodies.files.read(name))?.text()).toBe('hello')
  expect(await bodies.files.find(name)?.open({ start: 1, end: 3 }).text()).toBe('el')
})

test('bytes that changed behind an unchanged size and date are not read', async () => {
  await using bodies = await setUpFile()
  await Bun.write(bodies.kept, 'jello')
  await utimes(bodies.kept, 1000, 1000)

  expect(bodies.files.find(name)?.isIntact()).toBe(true)
  expect(await bodies.files.read(name)).toBeUndefined()
})

test('bytes that come back soon after their last owner left are still there', async () => {
  await using bodies = await setUpFile()
  bodies.files.release(name)
  bodies.files.retain(name)

  expect(await (await bodies.files.read(name))?.text()).toBe('hello')
})

test('an unknown body has no owner to be', async () => {
  await using bodies = await setUpFile()

  expect(() => bodies.files.retain({ sha256: 'other' })).toThrow('gone')
})
