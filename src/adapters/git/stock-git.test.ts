import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import type { Commit, ContentStore, Tree } from '../../ports/content/content-store.ts'
import { git, openTestStore, temporaryDirectory } from './fixtures/open-test-store.ts'

/** A clone to work in, gone with its disposal. */
async function clone(repository: string) {
  const parent = await temporaryDirectory()
  await git(parent, 'clone', '-q', repository, 'work')
  const directory = join(parent, 'work')
  return {
    directory,
    run: (...args: readonly string[]) => git(directory, ...args),
    async commit(contentByPath: Readonly<Record<string, string>>, subject = 'by hand') {
      for (const [path, content] of Object.entries(contentByPath))
        await Bun.write(join(directory, path), content)
      await git(directory, 'add', '-A')
      await git(directory, 'commit', '-q', '-m', subject)
    },
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  }
}

/** Resolves with what the listener is told of, once that is `count` commits. */
function tellingOf(store: ContentStore, count: number): Promise<readonly Commit[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Commit[]>()
  const told: Commit[] = []
  store.follow(async (commits) => {
    told.push(...commits)
    if (told.length >= count) resolve(told)
  })
  return promise
}

const text = async (tree: Tree, path: string) => {
  const bytes = await tree.read(path)
  return bytes && new TextDecoder().decode(bytes)
}

test('a stock clone has the same files, and git finds nothing wrong', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  await opened.write({ 'a b/ü "x".txt': '1', 'a b.txt': '2', 'a-b/c': '3', empty: '' })
  await opened.write({ 'large.png': 'x'.repeat(1_500_000), 'a b/y': '4' })
  await using work = await clone(opened.directory)

  const listed = await work.run('ls-files', '-z')
  const inByteOrder = ['a b.txt', 'a b/y', 'a b/ü "x".txt', 'a-b/c', 'empty', 'large.png']
  expect(listed.split('\0').slice(0, -1)).toEqual(inByteOrder)
  for (const path of inByteOrder)
    expect(await Bun.file(join(work.directory, path)).text()).toBe((await text(store, path)) ?? '-')
  expect(await store.verify()).toEqual([])
})

test('the message tells author, request and declared media types', async () => {
  const { store, directory, put } = await openTestStore({ now: () => new Date(1_700_000_000_500) })
  await using _ = store
  const request = { subject: 'put\nforged: x', author: 'token:<a>\n', requestId: 'r\n1' }
  await store.commit(request, async () => [
    { ...(await put('a b/%', '1')), contentType: 'text/plain; charset=utf-8' },
  ])
  const shown = await git(directory, 'log', '--format=%an|%ae|%at|%cn|%B')

  expect(shown.trim()).toBe(
    [
      'token: a|token:-a@sedge.invalid|1700000000|Sedge|put forged: x',
      '',
      'Request-Id: r 1',
      'Content-Type: text/plain; charset=utf-8 a%20b/%25',
    ].join('\n'),
  )
})

test('plans that wait together share one pack and are a commit each', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  await opened.write({ first: '1' })
  const before = await packs(opened.directory)
  await Promise.all(Array.from({ length: 40 }, (_, index) => opened.write({ [`f${index}`]: 'x' })))

  expect(Number(await git(opened.directory, 'rev-list', '--count', 'main'))).toBe(41)
  expect((await packs(opened.directory)) - before).toBeLessThanOrEqual(2)
  expect(await store.verify()).toEqual([])
})

test('a stock push is noticed without anybody asking, and told with its blobs', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  const first = await opened.write({ 'a.txt': '1', 'gone.txt': '2' })
  const telling = tellingOf(store, 2)
  await using work = await clone(opened.directory)
  await rm(join(work.directory, 'gone.txt'))
  await work.commit({ 'a.txt': 'pushed', 'b/c.txt': 'new' }, 'one')
  await work.commit({ 'd.txt': 'two' }, 'two')
  await work.run('push', '-q', 'origin', 'HEAD:main')
  const told = await telling

  expect(told.map(({ request }) => [request.subject, request.author])).toEqual([
    ['one', 'Somebody Else'],
    ['two', 'Somebody Else'],
  ])
  expect(told[0]?.parentId).toBe(first?.id)
  expect(told[0]?.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'delete gone.txt',
    'put a.txt',
    'put b/c.txt',
  ])
  expect(await text(store, 'a.txt')).toBe('pushed')
  expect(await store.head()).toBe(told[1]?.id)
  for (const change of told.flatMap(({ changes }) => changes))
    if (change.kind === 'put')
      expect(await opened.blobs.stat(change.blob.sha256)).toEqual(change.blob)
})

test('a plan runs on what was pushed before it, and foreign commits are told first', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  await opened.write({ n: '1' })
  const told: string[] = []
  store.follow(async (commits) => {
    told.push(...commits.map(({ request }) => request.subject))
  })
  await using work = await clone(opened.directory)
  await work.commit({ n: '10' }, 'foreign')
  const pushed = await work.run('rev-parse', 'HEAD')
  await work.run('push', '-q', 'origin', 'HEAD:main')
  const ours = await store.commit({ subject: 'ours', author: 'x' }, async (tree) => [
    await opened.put('n', `${await text(tree, 'n')}1`),
  ])

  expect(ours?.parentId).toBe(pushed.trim())
  expect(await text(store, 'n')).toBe('101')
  expect(told).toEqual(['foreign', 'ours'])
})

test('a branch that moves while a plan runs makes the plan run again', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  await opened.write({ n: '1' })
  await using work = await clone(opened.directory)
  await work.commit({ n: '10' })
  let runs = 0
  await store.commit({ subject: 'ours', author: 'x' }, async (tree) => {
    runs += 1
    const seen = await text(tree, 'n')
    if (runs === 1) await work.run('push', '-q', 'origin', 'HEAD:main')
    return [await opened.put('n', `${seen}!`)]
  })

  expect(runs).toBe(2)
  expect(await text(store, 'n')).toBe('10!')
  expect(await store.verify()).toEqual([])
})

test('pushes and writes at the same time all land, each once', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  const told: Commit[] = []
  store.follow(async (commits) => {
    told.push(...commits)
  })
  await opened.write({ start: '' })
  await using work = await clone(opened.directory)
  const pushing = pushUntilLanded(work, 6)
  for (let index = 0; index < 60; index += 1) await opened.write({ [`ours-${index}`]: `${index}` })
  await pushing
  await opened.write({ end: '' })

  const names = (await store.children('')).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('ours-'))).toHaveLength(60)
  expect(names.filter((name) => name.startsWith('pushed-'))).toHaveLength(6)
  expect(told.slice(1).map(({ parentId }) => parentId)).toEqual(
    told.slice(0, -1).map(({ id }) => id),
  )
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
  expect(await store.verify()).toEqual([])
}, 60_000)

async function pushUntilLanded(work: Awaited<ReturnType<typeof clone>>, count: number) {
  for (let index = 0; index < count; index += 1) {
    await work.commit({ [`pushed-${index}`]: `${index}` })
    for (;;) {
      await work.run('pull', '-q', '--rebase', 'origin', 'main')
      const pushed = await work.run('push', '-q', 'origin', 'HEAD:main').then(
        () => true,
        () => false,
      )
      if (pushed) break
    }
  }
}

test('a branch moved by force is told as the difference of the two trees', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  const first = await opened.write({ a: '1', b: '1' })
  const second = await opened.write({ a: '2', 'c/d': '2' })
  const telling = tellingOf(store, 1)
  await git(opened.directory, 'update-ref', 'refs/heads/main', first?.id ?? '')
  const [told] = await telling

  expect(told?.id).toBe(first?.id)
  expect(told?.parentId).toBe(second?.id)
  expect(told?.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['delete c/d', 'put a'])
  expect(await text(store, 'a')).toBe('1')
})

test('a merge whose first parent is not ours is told as one commit', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  await opened.write({ base: '1' })
  await using work = await clone(opened.directory)
  await work.commit({ theirs: '1' })
  const ours = await opened.write({ ours: '1' })
  const telling = tellingOf(store, 1)
  await work.run('pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main')
  await work.run('push', '-q', 'origin', 'HEAD:main')
  const [told] = await telling

  expect(told?.parentId).toBe(ours?.id)
  expect(told?.changes.map(({ path }) => path)).toEqual(['theirs'])
})

test('a packed branch is read, and moved on as a loose one', async () => {
  const opened = await openTestStore()
  await using _ = opened.store
  const first = await opened.write({ a: '1' })
  await git(opened.directory, 'pack-refs', '--all')
  expect(existsSync(join(opened.directory, 'refs/heads/main'))).toBe(false)
  const second = await opened.write({ a: '2' })

  expect(second?.parentId).toBe(first?.id)
  expect((await git(opened.directory, 'rev-parse', 'main')).trim()).toBe(second?.id ?? '')
})

test('links, submodules and names that are not UTF-8 are left out with a warning', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  const first = await opened.write({ a: '1' })
  const telling = tellingOf(store, 1)
  const blob = (await git(opened.directory, 'rev-parse', 'main:a')).trim()
  const lines = [
    `100644 blob ${blob}\ta`,
    `120000 blob ${blob}\tlink`,
    `160000 commit ${first?.id}\tmodule`,
    `100644 blob ${blob}\tnew\nline "quoted"\t.txt`,
    `100755 blob ${blob}\trunnable`,
  ]
  const child = Bun.spawn(['git', 'mktree', '-z'], {
    cwd: opened.directory,
    stdin: Buffer.concat([
      Buffer.from([...lines, `100644 blob ${blob}\t`].join('\0')),
      Buffer.of(0xff, 0xfe, 0),
    ]),
    stdout: 'pipe',
  })
  const tree = (await new Response(child.stdout).text()).trim()
  const commit = await git(
    opened.directory,
    'commit-tree',
    tree,
    '-p',
    first?.id ?? '',
    '-m',
    'odd',
  )
  await git(opened.directory, 'update-ref', 'refs/heads/main', commit.trim())
  const [told] = await telling

  const paths = ['new\nline "quoted"\t.txt', 'runnable']
  expect(told?.changes.map(({ path }) => path)).toEqual(paths)
  expect((await store.children('')).map(({ name }) => name)).toEqual(['a', ...paths])
  expect(await store.find('link')).toBeUndefined()
  expect(await store.find('module')).toBeUndefined()
  expect(opened.warnings.filter((warning) => warning.includes('left out'))).toHaveLength(3)
  await opened.write({ b: '2' })
  expect(await git(opened.directory, 'ls-tree', '--name-only', 'main')).toContain('module')
})

test('a lock that a git process left behind is removed, and the write goes through', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  await opened.write({ a: '1' })
  const lock = join(opened.directory, 'refs/heads/main.lock')
  await Bun.write(lock, '')
  await utimes(lock, 1, 1)

  expect(await opened.write({ a: '2' })).toBeDefined()
  expect(opened.warnings.some((warning) => warning.includes('main.lock'))).toBe(true)
  expect(await store.verify()).toEqual([])
})

test('without its branch the repository takes no writes, and with it again it does', async () => {
  const opened = await openTestStore()
  await using store = opened.store
  const first = await opened.write({ a: '1' })
  await git(opened.directory, 'update-ref', '-d', 'refs/heads/main')

  expect(opened.write({ a: '2' })).rejects.toMatchObject({
    name: 'StoreUnavailableError',
    store: 'content',
    final: false,
  })
  expect(await text(store, 'a')).toBe('1')
  await git(opened.directory, 'update-ref', 'refs/heads/main', first?.id ?? '')
  expect((await opened.write({ a: '3' }))?.parentId).toBe(first?.id)
})

test('many small packs are joined beside the work, and nothing is lost', async () => {
  const parent = await temporaryDirectory()
  const directory = join(parent, 'repository.git')
  try {
    const opened = await openTestStore({ directory })
    for (let index = 0; index < 510; index += 1)
      await opened.write({ [`d${index % 9}/f${index}`]: `${index}` })
    // What is under way beside the work ends before the store does.
    await opened.store[Symbol.asyncDispose]()
    expect(await packs(directory)).toBeLessThan(100)

    const reopened = await openTestStore({ directory })
    await using store = reopened.store
    expect(await store.verify()).toEqual([])
    for (const index of [0, 200, 509])
      expect(await text(store, `d${index % 9}/f${index}`)).toBe(`${index}`)
    expect(opened.warnings).toEqual([])
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}, 60_000)

const packs = async (repository: string) =>
  (await readdir(join(repository, 'objects', 'pack'))).filter((name) => name.endsWith('.pack'))
    .length
