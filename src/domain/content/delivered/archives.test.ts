import { expect, test } from 'bun:test'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import { type Archive, archiveOf, createArchives } from './archives.ts'

const asset = (path: string, sizeBytes = 1) => ({ path, sizeBytes }) as AssetRecord
const small: Archive = { name: 'a', files: new Map(), sizeBytes: 0 }
const one = { credentialId: 'one' }

function setUp() {
  let at = 0
  let count = 0
  const archives = createArchives({
    newSecret: () => `id-${(count += 1)}`,
    now: () => new Date(at),
  })
  return { archives, wait: (ms: number) => void (at += ms) }
}

test('an archive is named for the folder that all of it is in', () => {
  const nameAndFiles = (paths: readonly string[]) => {
    const { name, files } = archiveOf(paths.map((path) => asset(path)))
    return [name, ...files.keys()]
  }
  expect(nameAndFiles(['acme/v1/x/a.svg'])).toEqual(['x', 'a.svg'])
  expect(nameAndFiles(['acme/v1/x/a.svg', 'acme/v1/xy/a.svg'])).toEqual([
    'acme',
    'x/a.svg',
    'xy/a.svg',
  ])
  expect(nameAndFiles(['acme/v1/a.svg', 'other/v1/a.svg'])).toEqual([
    'assets',
    'acme/v1/a.svg',
    'other/v1/a.svg',
  ])
})

test('neither more files nor more bytes than an archive may hold', () => {
  const many = Array.from({ length: 20_001 }, (_, n) => asset(`acme/v1/${n}.svg`))
  expect(() => archiveOf(many)).toThrow('20000 files')
  expect(() => archiveOf([asset('acme/v1/a.mp4', 2 ** 35)])).toThrow('bytes')
})

test('an archive waits five minutes, and is taken once', () => {
  const { archives, wait } = setUp()
  const { id } = archives.prepare(small, one)
  expect(archives.find(id)).toBe(small)
  expect([archives.take(id), archives.take(id)]).toEqual([small, undefined])
  const late = archives.prepare(small, one)
  wait(5 * 60_000)
  expect(archives.take(late.id)).toBeUndefined()
})

test('who asks for many loses the oldest of their own', () => {
  const { archives } = setUp()
  const other = archives.prepare(small, { credentialId: 'two' })
  const first = archives.prepare(small, one)
  for (let count = 0; count < 8; count += 1) archives.prepare(small, one)
  expect(archives.find(first.id)).toBeUndefined()
  expect(archives.find(other.id)).toBe(small)
})
