import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { git, openTestStore, temporaryDirectory } from '../fixtures/open-test-store.ts'
import { GitRemote } from './git-remote.ts'

const limits = { silentMs: 20_000, longestMs: 60_000, maxFileBytes: 2 ** 30 }
const secret = 'the words that must go'
const blobs = [
  {
    sha256: new Bun.CryptoHasher('sha256').update(secret).digest('hex'),
    sizeBytes: secret.length,
  },
]

/** A store whose first commits are at a remote, and that has erased some of them since. */
async function openWorld() {
  await using opening = new AsyncDisposableStack()
  const parent = await temporaryDirectory()
  opening.defer(() => rm(parent, { recursive: true, force: true }))
  const opened = await openTestStore()
  const { store, directory, write } = opened
  opening.use(store)
  const url = join(parent, 'remote.git')
  await git(parent, 'init', '-q', '--bare', '--initial-branch=main', url)
  const given = { directory, blobs: opened.blobs, url, token: undefined, limits }
  const remote = opening.use(new GitRemote({ ...given, former: store.former }))
  await write({ 'secret.txt': secret })
  await write({ 'secret.txt': 'harmless' })
  const head = async () => (await store.head()) ?? ''
  await remote.push(await head())
  const clone = join(parent, 'work')
  await git(parent, 'clone', '-q', url, clone)
  await store.erase({ blobs, marker: 'gone\n' })
  const objects = () => git(directory, 'cat-file', '--batch-all-objects', '--batch-check')
  const moved = opening.move()
  const atRemote = async () => (await git(url, 'rev-parse', 'main')).trim()
  const dispose = { [Symbol.asyncDispose]: () => moved.disposeAsync() }
  return { store, remote, write, head, clone, objects, atRemote, ...dispose }
}

test('nothing is fetched of a remote that has the former history, and ours takes its place', async () => {
  await using world = await openWorld()
  const { remote, head, write, objects, atRemote } = world
  const before = await objects()
  expect(await remote.look(await head())).toEqual({ kind: 'former', id: await atRemote() })
  expect(await objects()).toBe(before)
  await write({ 'later.txt': 'x' })

  expect(await remote.replaceFormer(await head())).toBe(true)
  expect(await atRemote()).toBe(await head())
  expect(await remote.look(await head())).toEqual({ kind: 'behind', id: await head() })
  await write({ 'more.txt': 'x' })
  expect(await remote.push(await head())).toBe('pushed')
})

test('what others have put on the former history is not taken away, and not fetched', async () => {
  await using world = await openWorld()
  const { remote, head, clone, objects } = world
  await git(clone, 'commit', '-q', '--allow-empty', '-m', 'theirs')
  await git(clone, 'push', '-q', 'origin', 'HEAD:main')
  const theirs = (await git(clone, 'rev-parse', 'HEAD')).trim()
  const before = await objects()

  expect(await remote.look(await head())).toEqual({ kind: 'former', id: theirs })
  expect(await remote.replaceFormer(await head())).toBe(false)
  expect(await objects()).toBe(before)
})

test('what others put on the new history is taken up as ever', async () => {
  await using world = await openWorld()
  const { remote, head, clone, atRemote } = world
  await remote.replaceFormer(await head())
  await git(clone, 'fetch', '-q')
  await git(clone, 'reset', '-q', '--hard', 'origin/main')
  await git(clone, 'commit', '-q', '--allow-empty', '-m', 'theirs')
  await git(clone, 'push', '-q', 'origin', 'HEAD:main')

  expect(await remote.look(await head())).toMatchObject({ kind: 'ahead', id: await atRemote() })
})
