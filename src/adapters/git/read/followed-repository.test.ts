import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { git, openTestStore } from '../fixtures/open-test-store.ts'
import { FollowedRepository } from './followed-repository.ts'

interface State {
  commitId: string | undefined
  renewals: number
}

/** A repository that the store writes, and a reader that is told where it stands. */
async function openWorld() {
  const world = await openTestStore()
  const state: State = { commitId: undefined, renewals: 0 }
  const followed = new FollowedRepository({
    directory: world.directory,
    blobs: world.blobs,
    state: () => state,
    now: () => new Date(0),
    onWarning: () => {},
  })
  const write = async (contentByPath: Readonly<Record<string, string>>) =>
    (await world.write(contentByPath))?.id ?? ''
  const textAt = async (commitId: string, path: string) => {
    const bytes = await (await followed.at(commitId))?.read(path)
    return bytes === undefined ? undefined : Buffer.from(bytes).toString()
  }
  return { ...world, write, textAt, followed, state }
}

test('everything is read as of where the repository is said to stand, though more is there', async () => {
  const { store, write, textAt, followed, state } = await openWorld()
  await using _ = store
  await using __ = followed
  const first = await write({ 'a.txt': 'one' })
  expect(await followed.history('', 10)).toEqual([])
  expect(await followed.commitNamed(first)).toBeUndefined()
  expect(await followed.head()).toBeUndefined()

  state.commitId = first
  const second = await write({ 'a.txt': 'two', 'b.txt': 'new' })
  expect((await followed.versions('a.txt', { limit: 10 })).map(({ id }) => id)).toEqual([first])
  expect(await followed.at(second)).toBeUndefined()
  expect(await followed.commitNamed(second.slice(0, 8))).toBeUndefined()

  state.commitId = second
  expect((await followed.history('', 10)).map(({ id }) => id)).toEqual([second, first])
  expect(await textAt(first, 'a.txt')).toBe('one')
  const newest = await followed.at(second)
  if (newest === undefined) throw new Error('it is not there')
  const differing = await followed.differing(newest, first, '')
  expect(differing.map(({ path }) => path).toSorted()).toEqual(['a.txt', 'b.txt'])
})

test('what a line beside main has is not found, whatever the repository has of former times', async () => {
  const { store, directory, write, followed, state } = await openWorld()
  await using _ = store
  await using __ = followed
  const first = await write({ 'a.txt': 'one' })
  const second = await write({ 'a.txt': 'two' })
  await git(directory, 'update-ref', 'refs/heads/preview/acme/next', second)
  state.commitId = first

  expect(await followed.at(second)).toBeUndefined()
  expect(await followed.commitNamed(second)).toBeUndefined()
})

test('after commits were written anew nothing is known of what they had, and former ids name them', async () => {
  const { store, directory, write, textAt, followed, state } = await openWorld()
  await using _ = store
  await using __ = followed
  const secret = 'the words that must go'
  const marker = 'This file was erased.\n'
  const first = await write({ 'a.txt': secret })
  const second = await write({ 'a.txt': 'harmless' })
  state.commitId = second
  expect(await textAt(first, 'a.txt')).toBe(secret)

  const sha256 = new Bun.CryptoHasher('sha256').update(secret).digest('hex')
  await store.erase({ blobs: [{ sha256, sizeBytes: secret.length }], marker })
  // A copy has the commits alone, which say what their ids were.
  await rm(join(directory, 'sedge-former-commits'))
  Object.assign(state, { commitId: await store.head(), renewals: 1 })

  expect(await textAt(first, 'a.txt')).toBe(marker)
  expect(await followed.commitNamed(second)).toMatchObject({ id: state.commitId })
  expect(await followed.buildsOn(second, first)).toBe(true)
  expect(await Bun.file(join(directory, 'sedge-former-commits')).exists()).toBe(false)
})
