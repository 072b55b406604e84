import { expect, test } from 'bun:test'

import { actor, setUp } from '../../publishing/publisher.fixture.ts'
import { parseAssetPath } from '../asset-path.ts'
import { objectOf } from '../metadata/object-metadata.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'
import { createObjects } from './objects.ts'
import type { ObjectWords } from './object-sidecar.ts'

const path = parseAssetPath('acme/v1/docs/a.bin')
const parted: ObjectWords = {
  etag: `${'a'.repeat(32)}-2`,
  parts: [
    { sizeBytes: 3, count: 1 },
    { sizeBytes: 2, count: 1 },
  ],
  checksum: { algorithm: 'CRC32', type: 'COMPOSITE', value: 'AAAAAA==-2' },
}

async function setUpObjects() {
  const world = await setUp()
  const opened = await world.open()
  await opened.zones.create('acme', actor)
  const objects = createObjects({
    files: opened.files,
    published: opened.catalog,
    publisher: opened.publisher,
  })
  return {
    ...world,
    ...opened,
    objects,
    write: (text: string, words: ObjectWords = {}) =>
      objects.put({ path, source: new TextEncoder().encode(text), words: () => words }, actor),
    known: () => objectOf(opened.catalog.asset(path) ?? { sha256: '' }),
  }
}

test('what came in parts says so until other bytes come, by whatever way', async () => {
  const { write, known, put, content } = await setUpObjects()
  await write('hello', parted)
  expect(known()).toMatchObject(parted)

  await put(path, 'other')
  expect(known()).toBeUndefined()
  await put(path, 'hello')
  expect(known()).toMatchObject(parted)

  await write('hello')
  expect(known()).toBeUndefined()
  expect(await content.find(sidecarPath(path))).toBeUndefined()
})

test('a put that says nothing makes no file beside it', async () => {
  const { write, content } = await setUpObjects()
  await write('hello')
  expect(await content.find(sidecarPath(path))).toBeUndefined()
})

test('a put answers the commit that wrote the bytes, also where they were there already', async () => {
  const { write, content } = await setUpObjects()
  const { versionId } = await write('hello')
  expect(versionId).toBe(await content.head())
  const again = await write('hello', { user: { a: '1' } })
  expect(again.versionId).toBe(versionId)
  expect(await content.head()).not.toBe(versionId)
})

test('words are of the newest bytes', async () => {
  const { objects, write, put, known } = await setUpObjects()
  await write('hello', { user: { a: '1' } })
  await put(path, 'other')
  await objects.describe(path, (words) => ({ ...words, tags: { b: '2' } }), actor)
  expect(known()).toEqual({ sha256: known()?.sha256 ?? '', tags: { b: '2' } })
  const absent = parseAssetPath('acme/v1/absent')
  expect(objects.describe(absent, (words) => words, actor)).rejects.toMatchObject({
    code: 'AssetNotFound',
  })
})
