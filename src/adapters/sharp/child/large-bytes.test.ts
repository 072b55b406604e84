import { expect, test } from 'bun:test'
import { link, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { taken, toSend } from './large-bytes.ts'

const large = new Uint8Array(3 * 2 ** 20).fill(7)

async function openDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-large-'))
  return {
    directory,
    result: join(directory, 'result'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

test('long bytes go by a file that is gone once they are read', async () => {
  await using opened = await openDirectory()
  const sent = toSend({ format: 'png', bytes: large }, opened.directory)
  expect(sent).toEqual({
    result: { format: 'png', bytes: new Uint8Array() },
    sizeBytes: large.length,
  })

  expect(await taken(sent, opened.directory)).toEqual({ format: 'png', bytes: large })
  expect(await readdir(opened.directory)).toEqual([])
})

test.each([
  { what: 'short bytes', result: { bytes: new Uint8Array([1]) }, isGone: false },
  { what: 'what has none', result: { width: 1 } },
  { what: 'bytes alone', result: new Uint8Array([1]) },
  { what: 'a text', result: 'text' },
  { what: 'long bytes for which there is no room', result: { bytes: large }, isGone: true },
])('$what are sent as they are', async ({ result, isGone }) => {
  await using opened = await openDirectory()
  const sent = toSend(result, isGone ? join(opened.directory, 'gone') : opened.directory)
  expect(sent).toEqual({ result })
  expect(await taken(sent, opened.directory)).toEqual(result)
})

const said = { result: { bytes: new Uint8Array() }, sizeBytes: 4 }

test.each([
  { what: 'nothing', leave: async () => {} },
  { what: 'a link to what it may not read', leave: (path: string) => symlink('/etc/passwd', path) },
  { what: 'another length', leave: (path: string) => writeFile(path, 'longer') },
  {
    what: 'a file of two names',
    leave: async (path: string) => {
      await writeFile(`${path}-other`, 'four')
      await link(`${path}-other`, path)
    },
  },
  {
    what: 'a pipe that nobody writes to',
    leave: async (path: string) => void Bun.spawnSync({ cmd: ['mkfifo', path] }),
  },
])('$what in its place is read by nobody', async ({ leave }) => {
  await using opened = await openDirectory()
  await leave(opened.result)
  expect(await taken(said, opened.directory).catch((error: unknown) => error)).toBeInstanceOf(Error)
  expect(await readdir(opened.directory)).not.toContain('result')
})
