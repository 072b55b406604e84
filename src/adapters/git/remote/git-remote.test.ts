import { expect, test } from 'bun:test'
import { chmod, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { Secret } from '../../../lib/secrets/secret.ts'
import type { Put } from '../../../ports/content/content-store.ts'
import type { ForeignCommit, RemoteStanding } from '../../../ports/content/remote-repository.ts'
import { git, openTestStore, temporaryDirectory } from '../fixtures/open-test-store.ts'
import { GitRemote } from './git-remote.ts'

const limits = { silentMs: 20_000, longestMs: 60_000, maxFileBytes: 2 ** 30 }

/** A store, an empty remote beside it, and somebody's clone of that. */
async function openWorld() {
  const opening = new AsyncDisposableStack()
  const parent = await temporaryDirectory()
  opening.defer(() => rm(parent, { recursive: true, force: true }))
  const opened = await openTestStore()
  opening.use(opened.store)
  const url = join(parent, 'remote.git')
  await git(parent, 'init', '-q', '--bare', '--initial-branch=main', url)
  const { directory, blobs } = opened
  const remote = opening.use(new GitRemote({ directory, blobs, url, token: undefined, limits }))
  const clone = join(parent, 'work')
  return {
    ...opened,
    url,
    remote,
    clone,
    async head() {
      return (await opened.store.head()) ?? ''
    },
    atRemote: async () => (await git(url, 'rev-parse', 'refs/heads/main')).trim(),
    async pushAll() {
      expect(await remote.push((await opened.store.head()) ?? '')).toBe('pushed')
      await git(parent, 'clone', '-q', url, clone)
    },
    run: (...args: readonly string[]) => git(clone, ...args),
    /** Somebody commits all that is in the clone, and pushes it. */
    async publish(subject = 'theirs') {
      await git(clone, 'add', '-A')
      await git(clone, 'commit', '-q', '--allow-empty', '-m', subject)
      await git(clone, 'push', '-q', 'origin', 'HEAD:main')
      return (await git(clone, 'rev-parse', 'HEAD')).trim()
    },
    [Symbol.asyncDispose]: () => opening.disposeAsync(),
  }
}

type World = Awaited<ReturnType<typeof openWorld>>

async function foreignCommits({ remote }: World, standing: RemoteStanding) {
  if (standing.kind !== 'ahead') throw new Error(`the remote is ${standing.kind}`)
  const commits: ForeignCommit[] = []
  for await (const commit of remote.commits(standing)) commits.push(commit)
  return commits
}

test('an empty remote is behind, takes everything, and then stands where we do', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  const id = await world.head()

  expect(await world.remote.look(id)).toEqual({ kind: 'behind', id: undefined })
  expect(await world.remote.push(id)).toBe('pushed')
  expect(await world.atRemote()).toBe(id)
  expect(await world.remote.look(id)).toEqual({ kind: 'behind', id })
  expect(await world.remote.push(id)).toBe('pushed')
})

test('a push never goes over what others have put there', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  await world.pushAll()
  await Bun.write(join(world.clone, 'b'), '2')
  const theirs = await world.publish()
  await world.write({ c: '3' })
  expect(await world.remote.push(await world.head())).toBe('moved')
  await world.remote.look(await world.head())

  expect(await world.remote.push(await world.head())).toBe('moved')
  expect(await world.atRemote()).toBe(theirs)
})

test('what others did is told commit by commit, against both sides', async () => {
  await using world = await openWorld()
  await world.write({ a: '1', gone: '1', same: '1' })
  await world.pushAll()
  const commonId = await world.head()
  await Bun.write(join(world.clone, 'a'), '2')
  await rm(join(world.clone, 'gone'))
  const first = await world.publish('one')
  await Bun.write(join(world.clone, 'a'), '3')
  await chmod(join(world.clone, 'same'), 0o755)
  const second = await world.publish('two\n\nContent-Type: text/x-three a')
  await world.write({ c: 'ours' })

  const standing = await world.remote.look(await world.head())
  expect(standing).toEqual({
    kind: 'ahead',
    id: second,
    ours: await world.head(),
    commonId,
    commitCount: 2,
  })
  const commits = await foreignCommits(world, standing)
  expect(commits.map(({ id, author, subject }) => [id, author, subject])).toEqual([
    [first, 'Somebody Else', 'one'],
    [second, 'Somebody Else', 'two'],
  ])
  const told = commits.map(({ changes }) =>
    changes.map(({ path, after }) => [path, after?.sizeBytes, after?.contentType]),
  )
  expect(told).toEqual([
    [
      ['gone', undefined, undefined],
      ['a', 1, undefined],
    ],
    [['a', 1, 'text/x-three']],
  ])
  const [one, two] = commits.map(({ changes }) => changes.at(-1))
  expect(two?.before).toBe(one?.after?.contentId)
  expect(two?.common).toBe(one?.before)
  const { blob } = await putOf(commits[1])
  expect(await world.blobs.read(blob.sha256)).toEqual(new TextEncoder().encode('3'))
})

/** The first file of a commit, as a change of ours. */
async function putOf(commit: ForeignCommit | undefined): Promise<Put> {
  const [change] = commit?.changes ?? []
  if (change?.after === undefined) throw new Error('nothing to take')
  const { path, after } = change
  return {
    kind: 'put',
    path,
    blob: (await after.keep()) ?? { sha256: '', sizeBytes: 0 },
    content: { id: after.contentId, from: 'fetched' },
  }
}

test('a commit of ours that merges theirs makes the remote lead on to us, and fsck is content', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  await world.pushAll()
  await Bun.write(join(world.clone, 'b'), 'theirs')
  const theirs = await world.publish()
  const before = await world.write({ c: 'ours' })
  const [commit] = await foreignCommits(world, await world.remote.look(await world.head()))
  const put = await putOf(commit)
  const request = { subject: 'taken up', author: 'Ada', mergedId: theirs }
  const merged = await world.store.commit(request, async () => [put])

  expect(await world.remote.push(merged?.id ?? '')).toBe('pushed')
  expect((await git(world.url, 'log', '-1', '--format=%P|%an')).trim()).toBe(
    `${before?.id} ${theirs}|Ada`,
  )
  await world.run('pull', '-q', '--ff-only', 'origin', 'main')
  expect(await Bun.file(join(world.clone, 'b')).text()).toBe('theirs')
  expect(await world.store.verify()).toEqual([])
  await git(world.url, 'fsck', '--strict')
})

test('links, submodules and names that are not UTF-8 are told apart from files', async () => {
  await using world = await openWorld()
  await world.write({ a: '1', file: '1' })
  await world.pushAll()
  await rm(join(world.clone, 'file'))
  await symlink('a', join(world.clone, 'file'))
  await world.run('update-index', '--add', '--cacheinfo', `160000,${await world.head()},module`)
  await Bun.write(Buffer.concat([Buffer.from(join(world.clone, 'x-')), Buffer.of(0xff)]), 'x')
  await world.run('add', '-A', '--', 'file', ':(glob)x-*')
  await world.run('commit', '-q', '-m', 'odd')
  await world.run('push', '-q', 'origin', 'HEAD:main')
  const [commit] = await foreignCommits(world, await world.remote.look(await world.head()))

  expect(commit?.changes.map(({ path, after }) => [path, after])).toEqual([['file', undefined]])
  expect(commit?.unfit.map(({ why }) => why).toSorted()).toEqual([
    'it is a submodule',
    'it is a symbolic link',
    'its name is not UTF-8',
  ])
})

test('names that no tree of ours may hold are told apart, and the rest of the commit is told', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  await world.pushAll()
  await Bun.write(join(world.clone, 'new\nline.txt'), 'x')
  await Bun.write(join(world.clone, 'fine.txt'), 'x')
  await world.publish('odd')
  const blobId = (await world.run('rev-parse', 'HEAD:fine.txt')).trim()
  const tree = Bun.spawn(['git', 'mktree', '-z'], {
    cwd: world.url,
    stdin: new Blob([`100644 blob ${blobId}\t.git\0`, `100644 blob ${blobId}\tnext.txt\0`]),
  })
  const treeId = (await new Response(tree.stdout).text()).trim()
  const parent = await world.atRemote()
  const id = (await git(world.url, 'commit-tree', treeId, '-p', parent, '-m', 'worse')).trim()
  await git(world.url, 'update-ref', 'refs/heads/main', id)

  const commits = await foreignCommits(world, await world.remote.look(await world.head()))
  const added = commits.map(({ changes }) =>
    changes.flatMap(({ path, after }) => (after === undefined ? [] : [path])),
  )
  expect(added).toEqual([['fine.txt'], ['next.txt']])
  expect(commits.map(({ unfit }) => unfit.map(({ path }) => path))).toEqual([
    ['new\nline.txt'],
    ['.git', 'new\nline.txt'],
  ])
})

test('objects that are none are not taken', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  await world.pushAll()
  const treeId = (await git(world.url, 'rev-parse', 'main^{tree}')).trim()
  const commit = Bun.spawn(['git', 'hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], {
    cwd: world.url,
    stdin: new Blob([`tree ${treeId}\nparent ${await world.atRemote()}\n\nby nobody\n`]),
  })
  const id = (await new Response(commit.stdout).text()).trim()
  await git(world.url, 'update-ref', 'refs/heads/main', id)

  expect(world.remote.look(await world.head())).rejects.toThrow(/fetch failed.*missingAuthor/u)
  expect(git(world.directory, 'cat-file', '-e', id)).rejects.toThrow()
})

test('what a remote sends is bounded, and nothing of more than that stays', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  await world.pushAll()
  await Bun.write(join(world.clone, 'large.bin'), crypto.getRandomValues(new Uint8Array(65_536)))
  for (let copy = 0; copy < 40; copy += 1)
    await Bun.write(
      join(world.clone, `${copy}.bin`),
      crypto.getRandomValues(new Uint8Array(65_536)),
    )
  await world.publish('much')
  const { directory, blobs, url } = world
  const narrow = { ...limits, maxFileBytes: 2 ** 20 }
  const options = { directory, blobs, url, token: undefined, limits: narrow }
  await using remote = new GitRemote(options)

  expect(remote.look(await world.head())).rejects.toThrow('over 1048576 bytes at once')
  const left = await Array.fromAsync(new Bun.Glob('objects/pack/tmp_*').scan({ cwd: directory }))
  expect(left).toEqual([])
  expect((await world.remote.look(await world.head())).kind).toBe('ahead')
})

test('a history that was rewritten, or is another one, is told from one that goes on', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  await world.write({ a: '2' })
  await world.pushAll()
  const ours = await world.head()
  await world.run('reset', '-q', '--hard', 'HEAD~1')
  await Bun.write(join(world.clone, 'a'), 'other')
  await world.run('commit', '-q', '-a', '-m', 'instead')
  await world.run('push', '-q', '--force', 'origin', 'HEAD:main')
  const rewritten = await world.atRemote()
  expect(await world.remote.look(ours)).toEqual({ kind: 'rewritten', id: rewritten })
  expect(await world.remote.push(ours)).toBe('moved')

  await world.run('push', '-q', '--force', 'origin', `${ours}~1:main`)
  expect((await world.remote.look(ours)).kind).toBe('behind')
  expect(await world.remote.push(ours)).toBe('pushed')

  await using other = await openWorld()
  await other.write({ b: '1' })
  const { directory, blobs } = other
  const options = { directory, blobs, url: world.url, token: undefined, limits }
  await using elsewhere = new GitRemote(options)
  expect(await elsewhere.look(await other.head())).toEqual({ kind: 'unrelated', id: ours })
})

test('a remote that is not there, or refuses, says why and changes nothing', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  const hook = join(world.url, 'hooks', 'pre-receive')
  await Bun.write(hook, '#!/bin/sh\necho "main is protected" >&2\nexit 1\n')
  await chmod(hook, 0o755)
  expect(world.remote.push(await world.head())).rejects.toThrow('main is protected')
  await rm(world.url, { recursive: true })

  expect(world.remote.look(await world.head())).rejects.toThrow('git fetch failed')
  expect(world.remote.push(await world.head())).rejects.toMatchObject({
    name: 'RemoteUnavailableError',
  })
})

test('what is known of a remote is nobody’s to fetch, and nobody’s to change', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  await world.pushAll()

  expect(await git(world.directory, 'for-each-ref')).toContain('refs/sedge/')
  expect(await git(world.clone, 'ls-remote', world.directory)).not.toContain('refs/sedge/')
  const target = `HEAD:refs/sedge/x`
  expect(git(world.clone, 'push', world.directory, target)).rejects.toThrow(
    'deny updating a hidden',
  )
})

/** Answers nothing, ever. */
function openSilence() {
  return Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
}

test('a remote that says nothing is given up, its processes with it, and no secret is shown', async () => {
  await using world = await openWorld()
  await world.write({ a: '1' })
  const silence = openSilence()
  const url = `http://127.0.0.1:${silence.port}/x.git`
  const { directory, blobs } = world
  const token = new Secret('very-secret-token')
  const options = { directory, blobs, url, token, limits: { ...limits, silentMs: 500 } }
  await using remote = new GitRemote(options)
  const looking = remote.look(await world.head()).then(
    () => 'has an answer',
    (error: unknown) => String(error),
  )
  const over = new AbortController()
  void looking.then(() => over.abort())
  let seen: readonly string[] = []
  while (seen.length === 0 && !over.signal.aborted) seen = await commandLines(url)
  expect(seen.join('\n')).not.toContain('very-secret')

  expect(await looking).toContain('has said nothing for 0.5 seconds')
  if (process.platform === 'linux') {
    expect(seen.length).toBeGreaterThan(0)
    while ((await commandLines(url)).length > 0);
  }
  silence.stop(true)
})

/** Those of running processes that name the URL. */
async function commandLines(address: string): Promise<readonly string[]> {
  if (process.platform !== 'linux') return (await Bun.sleep(1), [])
  const lines = await Promise.all(
    // Not by a pattern over directories: a process that ends meanwhile would be an error.
    (await readdir('/proc'))
      .filter((name) => /^\d+$/u.test(name))
      .map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(address))
}
