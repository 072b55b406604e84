import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { git, openTestStore, temporaryDirectory } from '../fixtures/open-test-store.ts'

const marker = 'This file was erased.\n'
const refOf = (text: string | Uint8Array) => ({
  sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
  sizeBytes: Buffer.from(text).length,
})
const secret = 'the words that must go'

async function openWorld() {
  const world = await openTestStore()
  const { store, directory } = world
  const remove = (...paths: string[]) =>
    store.commit({ subject: 'gone', author: 'a' }, async () =>
      paths.map((path) => ({ kind: 'delete' as const, path })),
    )
  const textAt = async (commitId: string, path: string) => {
    const bytes = await (await store.at(commitId))?.read(path)
    return bytes === undefined ? undefined : Buffer.from(bytes).toString()
  }
  const objects = () => git(directory, 'cat-file', '--batch-all-objects', '--batch-check')
  return { ...world, remove, textAt, objects }
}

test('commits have the marker in the place of what is erased, and their former ids name them', async () => {
  const { store, directory, write, remove, textAt } = await openWorld()
  await using _ = store
  const before = await write({ 'a/keep.txt': 'kept' })
  const first = await write({ 'a/b/secret.txt': secret, 'c.txt': 'one' })
  const second = await write({ 'a/b/secret.txt': 'harmless', 'd/other.txt': secret })
  const third = await remove('d/other.txt')
  const fourth = await write({ 'e.txt': 'after' })
  const ids = [before, first, second, third, fourth].map((commit) => commit?.id ?? '')
  const [oldest = '', one = '', two = '', three = '', four = ''] = ids

  expect(await store.erase({ blobs: [refOf(secret)], marker })).toEqual({ commits: 2 })

  expect(await textAt(one, 'a/b/secret.txt')).toBe(marker)
  expect(await textAt(one, 'c.txt')).toBe('one')
  expect(await textAt(two, 'a/b/secret.txt')).toBe('harmless')
  expect(await textAt(two, 'd/other.txt')).toBe(marker)
  expect(await textAt(three, 'd/other.txt')).toBeUndefined()
  expect(await textAt(four, 'a/b/secret.txt')).toBe('harmless')
  expect(await store.head()).not.toBe(four)
  expect(await store.commitNamed(four)).toMatchObject({ id: await store.head() })
  expect(await store.commitNamed(four.slice(0, 8))).toMatchObject({ id: await store.head() })
  const head = (await store.head()) ?? ''
  expect([store.former.idsOf(four), store.former.idsOf(head)]).toEqual([
    [head, four],
    [head, four],
  ])
  expect(store.former.idsOf(oldest)).toEqual([oldest])
  expect(await store.commitNamed(oldest)).toMatchObject({ id: oldest })
  expect(await store.buildsOn(four, one)).toBe(true)
  expect(await store.buildsOn(one, four)).toBe(false)
  expect((await Array.fromAsync(store.commitsAfter(three))).map(({ id }) => id)).toEqual([
    (await store.head()) ?? '',
  ])
  expect(await store.history('', 10, { since: one })).toHaveLength(4)
  expect(await store.versions('a/b/secret.txt', { limit: 5, until: one })).toHaveLength(1)
  await write({ 'f.txt': 'later' })
  expect(await store.history('', 10)).toHaveLength(6)
  expect(await store.verify()).toEqual([])
  expect(await git(directory, 'fsck', '--full', '--strict')).toBe('')
})

test('nothing of the bytes is left, and a clone is whole', async () => {
  const { store, directory, write, remove, objects } = await openWorld()
  await using _ = store
  await write({ 'secret.bin': secret })
  await remove('secret.bin')
  await git(directory, 'update-ref', 'refs/abandoned/x', (await store.head()) ?? '')
  await git(directory, 'tag', '-a', '-m', 'a tag', 'v1', `${await store.head()}~1`)
  await git(directory, 'repack', '-q', '-d', '--geometric=2')
  await write({ 'other.txt': 'x' })
  const before = await objects()

  await store.erase({ blobs: [refOf(secret)], marker })

  const secretId = before
    .split('\n')
    .find((line) => line.endsWith(` blob ${secret.length}`))
    ?.slice(0, 40)
  expect(secretId).toBeDefined()
  expect(await objects()).not.toContain(secretId)
  const parent = await temporaryDirectory()
  await git(parent, 'clone', '-q', directory, 'clone')
  const clone = join(parent, 'clone')
  expect(await git(clone, 'fsck', '--full', '--strict')).toBe('')
  expect(await git(clone, 'log', '--all', '--format=%s')).toContain('gone')
  expect(await git(clone, 'show', 'v1:secret.bin')).toBe(marker)
  expect((await readdir(join(directory, 'objects'))).toSorted()).toEqual(['info', 'pack'])
})

test('what is erased twice, and again later, still answers to every former id', async () => {
  const { store, write, remove, textAt, directory } = await openWorld()
  await using _ = store
  const one = await write({ 'a.txt': 'first secret' })
  const two = await write({ 'b.txt': 'second secret' })
  const three = await remove('a.txt', 'b.txt')
  const [first = '', second = ''] = [one, two].map((commit) => commit?.id)
  await store.erase({ blobs: [refOf('first secret')], marker })
  const between = (await store.head()) ?? ''
  expect(await store.erase({ blobs: [refOf('first secret')], marker })).toEqual({ commits: 0 })
  await store.erase({ blobs: [refOf('second secret')], marker })

  for (const id of [three?.id ?? '', between])
    expect(await store.commitNamed(id)).toMatchObject({ id: await store.head() })
  expect(await textAt(first, 'a.txt')).toBe(marker)
  expect(await textAt(second, 'b.txt')).toBe(marker)
  expect(await git(directory, 'fsck', '--full', '--strict')).toBe('')
})

test('a copy of the repository knows former ids by its commits alone', async () => {
  const { store, write, remove, directory } = await openWorld()
  await using _ = store
  const one = await write({ 'a.txt': secret })
  await remove('a.txt')
  await store.erase({ blobs: [refOf(secret)], marker })
  const parent = await temporaryDirectory()
  await git(parent, 'clone', '-q', '--mirror', directory, 'copy.git')

  await using copy = (await openTestStore({ directory: join(parent, 'copy.git') })).store
  const tree = await copy.at(one?.id ?? '')
  expect(Buffer.from((await tree?.read('a.txt')) ?? '').toString()).toBe(marker)
})

test('commits that are made meanwhile are there, in their order, and nobody is refused', async () => {
  const { store, write, remove } = await openWorld()
  await using _ = store
  for (let number = 0; number < 60; number += 1)
    await write({ [`dir${number % 7}/f${number}.txt`]: number === 3 ? secret : `text ${number}` })
  await remove('dir3/f3.txt')
  const told: string[] = []
  store.follow(async (commits) => void told.push(...commits.map(({ id }) => id)))
  const erasing = store.erase({ blobs: [refOf(secret)], marker })
  const written: string[] = []
  const state = { isOver: false }
  void erasing.finally(() => (state.isOver = true))
  for (let number = 0; !state.isOver || number < 10; number += 1)
    written.push((await write({ [`new/${number}.txt`]: `${number}` }))?.id ?? '')
  expect(await erasing).toEqual({ commits: 57 })

  expect(told).toEqual(written)
  const later = await Array.fromAsync(store.commitsAfter(written[0]))
  expect(later).toHaveLength(written.length - 1)
  for (const id of written) expect(await store.commitNamed(id)).toBeDefined()
  expect(await store.verify()).toEqual([])
})

test('the newest commit must not have what is erased', async () => {
  const { store, write } = await openWorld()
  await using _ = store
  const one = await write({ 'a.txt': secret })

  await expect(store.erase({ blobs: [refOf(secret)], marker })).rejects.toThrow('newest')
  expect(await store.head()).toBe(one?.id)
})
