import { expect, test } from 'bun:test'

import { openContentWorld, operator, tenantOf } from '../../../../../test/fixtures/content-world.ts'
import { ServiceError } from '../../../errors.ts'
import { parseAssetPath } from '../../asset-path.ts'
import type { ArrivingFile, RefusedFile } from './arriving-groups.ts'
import type { StoredOrRefused } from './put-each.ts'

const file = (path: string, text = path): ArrivingFile => ({
  path: parseAssetPath(path),
  source: new TextEncoder().encode(text),
})

async function setUp() {
  const world = await openContentWorld()
  await world.zones.create('acme', operator)
  const store = async (
    files: Iterable<ArrivingFile | RefusedFile> | AsyncIterable<ArrivingFile | RefusedFile>,
    actor = operator,
  ) => await Array.fromAsync(world.files.putEach(iterated(files), actor))
  return { ...world, store }
}

async function* iterated<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items
}

const told = (files: readonly StoredOrRefused[]) =>
  files.map((each) => [each.path, 'refusal' in each ? each.refusal.code : each.outcome])

test('files are one commit, and each is told what became of it', async () => {
  const { store, put, read } = await setUp()
  await put('acme/v1/a.txt', 'old')
  await put('acme/v1/b.txt', 'same')
  const [group = [], ...others] = await store([
    file('acme/v1/a.txt', 'new'),
    file('acme/v1/b.txt', 'same'),
    file('acme/v1/c.txt'),
  ])
  expect(others).toEqual([])
  expect(told(group)).toEqual([
    ['acme/v1/a.txt', 'updated'],
    ['acme/v1/b.txt', 'unchanged'],
    ['acme/v1/c.txt', 'created'],
  ])
  const commits = group.map((each) => ('commitId' in each ? each.commitId : undefined))
  expect(commits[0]).toBe(commits[2] as string)
  expect(commits[1]).not.toBe(commits[0] as string)
  expect(await read('acme/v1/a.txt')).toBe('new')
})

test('the same files once more make no commit', async () => {
  const { store, content } = await setUp()
  await store([file('acme/v1/a.txt'), file('acme/v1/b.txt')])
  const before = await content.head()
  const [group = []] = await store([file('acme/v1/a.txt'), file('acme/v1/b.txt')])
  expect(told(group).map(([, outcome]) => outcome)).toEqual(['unchanged', 'unchanged'])
  expect(await content.head()).toBe(before as string)
})

test('a file that is refused keeps no other from being stored', async () => {
  const { store, put, read } = await setUp()
  await put('acme/v1/dir/x.txt', 'x')
  const refusal = new ServiceError('InvalidParameter', 'path is none')
  const [group = []] = await store([
    file('acme/v1/dir'),
    file('acme/v1/DIR/y.txt'),
    file('nobody/v1/a.txt'),
    { path: '../../etc/passwd', refusal },
    { ...file('acme/v1/damaged.txt'), expectedSha256: '0'.repeat(64) },
    file('acme/v1/New.txt'),
    file('acme/v1/new.txt'),
    file('acme/v1/good.txt'),
  ])
  expect(told(group)).toEqual([
    ['acme/v1/dir', 'PathConflict'],
    ['acme/v1/DIR/y.txt', 'PathConflict'],
    ['nobody/v1/a.txt', 'ZoneNotFound'],
    ['../../etc/passwd', 'InvalidParameter'],
    ['acme/v1/damaged.txt', 'ChecksumMismatch'],
    ['acme/v1/New.txt', 'created'],
    ['acme/v1/new.txt', 'PathConflict'],
    ['acme/v1/good.txt', 'created'],
  ])
  expect(await read('acme/v1/good.txt')).toBe('acme/v1/good.txt')
  expect(await read('acme/v1/damaged.txt')).toBeUndefined()
})

test('whoever is for one zone stores nothing in another, and learns nothing of it', async () => {
  const { store, zones, read } = await setUp()
  await zones.create('other', operator)
  const [group = []] = await store(
    [file('other/v1/a.txt'), file('acme/v1/a.txt')],
    tenantOf('acme'),
  )
  expect(told(group)).toEqual([
    ['other/v1/a.txt', 'ZoneNotFound'],
    ['acme/v1/a.txt', 'created'],
  ])
  expect(await read('other/v1/a.txt')).toBeUndefined()
})

test('of a path that comes twice the last one counts', async () => {
  const { store, read } = await setUp()
  const groups = await store([
    file('acme/v1/a.txt', 'first'),
    file('acme/v1/b.txt'),
    file('acme/v1/a.txt', 'second'),
  ])
  expect(groups.map(told)).toEqual([
    [
      ['acme/v1/a.txt', 'created'],
      ['acme/v1/b.txt', 'created'],
    ],
    [['acme/v1/a.txt', 'updated']],
  ])
  expect(await read('acme/v1/a.txt')).toBe('second')
})

test('where the files break off, what was committed is told, and nothing else is stored', async () => {
  const { files, read } = await setUp()
  async function* breakingOff() {
    yield file('acme/v1/a.txt', 'first')
    yield file('acme/v1/a.txt', 'second')
    throw new Error('the line went dead')
  }
  const groups = files.putEach(breakingOff(), operator)
  expect(told((await groups.next()).value ?? [])).toEqual([['acme/v1/a.txt', 'created']])
  const failure: unknown = await groups.next().catch((error: unknown) => error)
  expect(String(failure)).toContain('the line went dead')
  expect(await read('acme/v1/a.txt')).toBe('first')
})
