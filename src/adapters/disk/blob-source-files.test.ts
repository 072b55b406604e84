import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openBlobSourceFiles } from './blob-source-files.ts'

async function setUp(ownPath?: (sha256: string) => string | undefined) {
  const root = await mkdtemp(join(tmpdir(), 'sedge-sources-'))
  let opened = 0
  let at = 0
  const files = await openBlobSourceFiles({
    blobs: {
      async open(sha256) {
        opened += 1
        return sha256 === 'missing' ? undefined : new Blob([sha256.repeat(100)])
      },
    },
    directory: join(root, 'copies'),
    maxBytes: 250,
    now: () => at,
    ...(ownPath && { ownPath }),
  })
  return {
    root,
    files,
    opened: () => opened,
    wait(ms: number) {
      at += ms
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

const textAt = (path: string | undefined) => Bun.file(path ?? '').text()

test('a file holds exactly the bytes of the blob', async () => {
  await using house = await setUp()

  expect(await textAt(await house.files.path('a'))).toBe('a'.repeat(100))
  expect(await house.files.path('missing')).toBeUndefined()
})

test('the file that a store has already is not copied', async () => {
  await using house = await setUp((sha256) =>
    sha256 === 'a' ? import.meta.path : '/nowhere/at/all',
  )

  expect(await house.files.path('a')).toBe(import.meta.path)
  expect(house.opened()).toBe(0)
  expect(await textAt(await house.files.path('b'))).toBe('b'.repeat(100))
})

test('who asks at the same time, or again, shares one copy', async () => {
  await using house = await setUp()
  await Promise.all([house.files.path('a'), house.files.path('a')])
  await house.files.path('a')

  expect(house.opened()).toBe(1)
})

test('copies over the limit go, but none that was asked for within a minute', async () => {
  await using house = await setUp()
  const paths: (string | undefined)[] = []
  for (const name of ['a', 'b', 'c']) paths.push(await house.files.path(name))
  for (const path of paths) expect(await Bun.file(path ?? '').exists()).toBe(true)

  house.wait(61_000)
  await house.files.path('a')
  await house.files.path('d')
  const exists = await Promise.all(paths.map((path) => Bun.file(path ?? '').exists()))
  expect(exists).toEqual([true, false, false])
})
