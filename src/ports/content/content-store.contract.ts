import { expect, test } from 'bun:test'

import type { BlobStore } from './blob-store.ts'
import {
  type Change,
  type Commit,
  type ContentStore,
  type Plan,
  type Put,
  type Tree,
  UnfittingChangeError,
  type Version,
} from './content-store.ts'

interface Opened {
  readonly store: ContentStore
  readonly blobs: BlobStore
}

type Open = (options: { readonly now: () => Date }) => Promise<Opened>

/** What every ContentStore must do. The test of each adapter calls this once. */
export function contentStoreContract(name: string, open: Open): void {
  const run = (what: string, body: (world: World) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const clock = { seconds: 1_700_000_000 }
      const opened = await open({ now: () => new Date(clock.seconds * 1000 + 789) })
      await using _ = opened.store
      await body(createWorld(opened, clock))
    })
  readingContract(run)
  committingContract(run)
  changeContract(run)
  knownContentContract(run)
  historyContract(run)
  listenerContract(run)
}

type Run = (what: string, body: (world: World) => Promise<void>) => void

function readingContract(run: Run): void {
  run('an empty repository has no head, no commits and an empty root', async ({ store }) => {
    expect(await store.head()).toBeUndefined()
    expect(await store.find('')).toEqual({ kind: 'directory' })
    expect(await store.children('')).toEqual([])
    expect(await all(store.commitsAfter(undefined))).toEqual([])
    expect(await store.history('', 5)).toEqual([])
  })

  run('what is committed can be found, listed and read', async ({ store, write }) => {
    await write({ 'a/x.txt': 'hi', 'b.txt': 'yo' })

    expect(await text(store, 'a/x.txt')).toBe('hi')
    expect((await store.find('a'))?.kind).toBe('directory')
    expect((await store.find('a/x.txt'))?.kind).toBe('file')
    expect(await store.find('a/y.txt')).toBeUndefined()
    expect(await store.find('b.txt/c')).toBeUndefined()
    expect(await store.children('a')).toEqual([{ name: 'x.txt', kind: 'file' }])
  })

  run('where there is no file there is nothing to read', async ({ store, write }) => {
    await write({ 'a/x.txt': 'hi' })

    expect(await store.read('a')).toBeUndefined()
    expect(await store.read('no.txt')).toBeUndefined()
    expect(await store.children('no')).toEqual([])
    expect(await store.children('a/x.txt')).toEqual([])
  })

  run('children are in byte order of their names', async ({ store, write }) => {
    await write({ 'a.txt': '1', 'a/x': '2', 'a-b': '3', é: '4', z: '5', '\uffee': '6', '😀': '7' })

    const names = (await store.children('')).map(({ name }) => name)
    expect(names).toEqual(['a', 'a-b', 'a.txt', 'z', 'é', '\uffee', '😀'])
  })

  run('a file tells SHA-256 and size, and equal bytes have one id', async ({ store, write }) => {
    await write({ 'a.txt': 'same', 'b.txt': 'same', 'c.txt': 'other' })
    const [a, b, c] = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((path) => store.find(path)))
    if (a?.kind !== 'file' || b?.kind !== 'file' || c?.kind !== 'file') throw new Error('no files')

    expect(await a.blob()).toEqual({ sha256: sha256('same'), sizeBytes: 4 })
    expect(a.contentId).toBe(b.contentId)
    expect(a.contentId).not.toBe(c.contentId)
  })

  run('spelling ignores letter case and Unicode form, segment by segment', async (world) => {
    const { store, write } = world
    await write({ 'Logos/Caf\u00e9.svg': '1', b: '2' })

    expect(await store.spelling('logos/CAFE\u0301.SVG')).toBe('Logos/Caf\u00e9.svg')
    expect(await store.spelling('LOGOS/New/Caf\u00e9.svg')).toBe('Logos/New/Caf\u00e9.svg')
    expect(await store.spelling('New/b')).toBe('New/b')
    expect(await store.spelling('B/c')).toBe('b/c')
  })

  run(
    'spelling knows names that come, and forgets names that go',
    async ({ store, write, commit }) => {
      await write({ 'a/One': '1' })
      expect(await store.spelling('a/two')).toBe('a/two')
      await write({ 'a/Two': '2' })
      expect(await store.spelling('a/two')).toBe('a/Two')
      await commit(async () => [{ kind: 'delete', path: 'a/Two' }])

      expect(await store.spelling('a/two')).toBe('a/two')
      expect(await store.spelling('A/ONE')).toBe('a/One')
    },
  )
}

function committingContract(run: Run): void {
  run('a commit carries its request, its parent, whole seconds and its changes', async (world) => {
    const { store, put, clock } = world
    const request = { subject: 'add a', author: 'access-key', requestId: 'r-1' }
    const first = await store.commit(request, async () => [await put('a', '1')])
    clock.seconds += 5
    const second = await store.commit(request, async () => [await put('a', '2', 'text/plain')])

    expect(first?.request).toBe(request)
    expect(first?.parentId).toBeUndefined()
    expect(first?.committedAt).toEqual(new Date(1_700_000_000_000))
    expect(second?.parentId).toBe(first?.id)
    expect(second?.committedAt).toEqual(new Date(1_700_000_005_000))
    expect(second?.changes).toEqual([await put('a', '2', 'text/plain')])
    expect(await store.head()).toBe(second?.id)
  })

  run('what is to be recorded of a commit comes with it to whoever follows', async (world) => {
    const { store, put } = world
    const audit = {
      at: new Date(0),
      action: 'storage.put',
      actor: 'access-key',
      target: 'a',
      ip: '192.0.2.1',
      userAgent: undefined,
      requestId: 'r-1',
      meta: {},
    }
    const told: unknown[] = []
    store.follow(async (commits) => void told.push(...commits.map((each) => each.request.audit)))
    await store.commit({ ...request, audit }, async () => [await put('a', '1')])

    expect(told).toEqual([audit])
  })

  run('time never runs backwards along the commits', async ({ write, clock }) => {
    const first = await write({ a: '1' })
    clock.seconds -= 100
    const second = await write({ a: '2' })

    expect(second?.committedAt).toEqual(first?.committedAt)
  })

  run('a plan that throws commits nothing and holds up nobody', async ({ store, commit, put }) => {
    const failing = commit(async () => {
      throw new Error('no')
    })
    const landing = commit(async () => [await put('a', 'x')])

    expect(failing).rejects.toThrow('no')
    expect(await landing).toBeDefined()
    expect(await all(store.commitsAfter(undefined))).toHaveLength(1)
  })

  run('a commit that merges another one is made even where nothing changes', async (world) => {
    const { store, write } = world
    const first = await write({ a: '1' })
    await write({ a: '2' })
    const request = { subject: 'taken up', author: 'Ada', mergedId: first?.id ?? '' }
    const merged = await store.commit(request, async () => [])

    expect(merged?.changes).toEqual([])
    expect(merged?.request).toBe(request)
    expect(await store.head()).toBe(merged?.id)
    expect(await text(store, 'a')).toBe('2')
    await write({ a: '3' })
    expect((await all(store.commitsAfter(merged?.id))).length).toBe(1)
  })

  run('a plan that wants no change is answered without a commit', async ({ store, commit }) => {
    expect(await commit(async () => undefined)).toBeUndefined()
    expect(await commit(async () => [])).toBeUndefined()
    expect(await store.head()).toBeUndefined()
  })

  run('plans asked for at once each see what the one before has done', async (world) => {
    const { store, commit, put } = world
    const count = () =>
      commit(async (tree) => [await put('n', String(Number((await text(tree, 'n')) ?? 0) + 1))])
    const commits = await Promise.all(Array.from({ length: 40 }, count))

    expect(await text(store, 'n')).toBe('40')
    expect(new Set(commits.map((commit_) => commit_?.id)).size).toBe(40)
    expect(await all(store.commitsAfter(undefined))).toHaveLength(40)
  })

  run('of many that create one path if absent, one does', async ({ commit, put }) => {
    const create = () =>
      commit(async (tree) => ((await tree.find('a/b')) ? undefined : [await put('a/b', '1')]))
    const commits = await Promise.all(Array.from({ length: 10 }, create))

    expect(commits.filter((commit_) => commit_ !== undefined)).toHaveLength(1)
  })

  run('a plan that names bytes nobody has kept fails', async ({ store, commit }) => {
    const blob = { sha256: sha256('never kept'), sizeBytes: 10 }
    const large = { ...blob, sizeBytes: 5_000_000 }

    expect(commit(async () => [{ kind: 'put', path: 'a', blob }])).rejects.toThrow(blob.sha256)
    expect(commit(async () => [{ kind: 'put', path: 'a', blob: large }])).rejects.toThrow(
      blob.sha256,
    )
    expect(await store.head()).toBeUndefined()
  })

  run('bytes that come with a put need not be in the blob store', async (world) => {
    const { store, commit, blobs } = world
    const told: Change[] = []
    store.follow(async (commits) => void told.push(...commits.flatMap(({ changes }) => changes)))
    const put = putOfBytes('a/b', 'brought along')
    await commit(async () => [put])

    expect(told).toEqual([put])
    expect(await text(store, 'a/b')).toBe('brought along')
    const found = await store.find('a/b')
    if (found?.kind !== 'file') throw new Error('There is no file')
    expect(await found.blob()).toEqual(put.blob)
    expect(await found.keep()).toEqual(put.blob)
    expect(await blobs.stat(put.blob.sha256)).toEqual(put.blob)
  })

  run('commits that are read again have the bytes of each put in the blob store', async (world) => {
    const { store, commit, blobs } = world
    const put = putOfBytes('a', 'brought along')
    await commit(async () => [put])

    const [read] = await all(store.commitsAfter(undefined))
    expect(read?.changes).toMatchObject([{ kind: 'put', path: 'a', blob: put.blob }])
    expect(await blobs.stat(put.blob.sha256)).toEqual(put.blob)
  })

  run('bytes that come with a put and are not as many as it says are refused', async (world) => {
    const { store, commit } = world
    const put = putOfBytes('a', 'brought along')
    const other = { ...put, bytes: new TextEncoder().encode('brought') }

    expect(commit(async () => [other])).rejects.toThrow(put.blob.sha256)
    expect(await store.head()).toBeUndefined()
  })

  run('large files are committed among small ones', async ({ store, commit, put }) => {
    const large = 'large '.repeat(300_000)
    const commits = await Promise.all([
      commit(async () => [await put('small', '1'), await put('large.png', large)]),
      commit(async () => [await put('other', '2')]),
    ])

    expect(commits.every(Boolean)).toBe(true)
    expect(await text(store, 'large.png')).toBe(large)
    expect(await text(store, 'small')).toBe('1')
    expect(await text(store, 'other')).toBe('2')
  })

  run('what was asked for before the end is committed', async ({ store, put, blobs }) => {
    const landing = store.commit(request, async () => [await put('a', '1')])
    await store[Symbol.asyncDispose]()

    expect((await landing)?.changes).toHaveLength(1)
    expect(await blobs.stat(sha256('1'))).toBeDefined()
  })
}

function changeContract(run: Run): void {
  run('changes are applied in order', async ({ store, commit, put }) => {
    await commit(async () => [await put('a', '1'), await put('a', '2'), await put('b', '3')])
    await commit(async () => [
      { kind: 'delete', path: 'b' },
      await put('b/c', '4'),
      { kind: 'delete', path: 'a' },
    ])

    expect(await paths(store)).toEqual(['b/c'])
    expect(await text(store, 'b/c')).toBe('4')
  })

  run(
    'deleting a directory takes everything below it, and empty parents with it',
    async (world) => {
      const { store, commit, write } = world
      await write({ 'a/b/c/1': '1', 'a/b/c/2': '2', z: '3' })
      await commit(async () => [{ kind: 'delete', path: 'a/b/c' }])

      expect(await paths(store)).toEqual(['z'])
      expect(await store.find('a')).toBeUndefined()
    },
  )

  run('the last file can go and another can come', async ({ store, commit, write }) => {
    await write({ 'a/b': '1' })
    await commit(async () => [{ kind: 'delete', path: 'a/b' }])
    expect(await store.children('')).toEqual([])
    await write({ 'a/b': '2' })

    expect(await text(store, 'a/b')).toBe('2')
  })

  run('deleting what is not there happens without a fault', async ({ store, commit, write }) => {
    await write({ 'a/b': '1' })
    const deleted = await commit(async () => [
      { kind: 'delete', path: 'a/b/c' },
      { kind: 'delete', path: 'x/y' },
    ])

    expect(deleted).toBeDefined()
    expect(await paths(store)).toEqual(['a/b'])
  })

  run('a put of the bytes that are there already is committed', async ({ store, write }) => {
    const first = await write({ a: '1' })
    const second = await write({ a: '1' })

    expect(second?.parentId).toBe(first?.id)
    expect(await store.head()).toBe(second?.id)
  })

  run('a put on a directory or below a file fails, with all of its plan', async (world) => {
    const { store, commit, put, write } = world
    await write({ 'a/b': '1' })

    for (const path of ['a', 'a/b/c']) {
      const refused = commit(async () => [await put('x', '2'), await put(path, '2')])
      const error: unknown = await refused.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UnfittingChangeError)
      expect(error).toMatchObject({ path })
    }
    expect(await paths(store)).toEqual(['a/b'])
  })
}

/** Content that is in the tree already, under a path of its own again. */
function knownContentContract(run: Run): void {
  run('a put of content that is stored needs no byte of it', async (world) => {
    const { store, blobs, write, commit } = world
    await write({ 'a/x': 'bytes' })
    const found = await store.find('a/x')
    if (found?.kind !== 'file') throw new Error('There is no file')
    const blob = await found.blob()
    await blobs.remove(blob.sha256)
    const content = { id: found.contentId, from: 'stored' } as const
    await commit(async () => [
      { kind: 'delete', path: 'a/x' },
      { kind: 'put', path: 'b/y', blob, content },
    ])

    const moved = await store.find('b/y')
    expect(await paths(store)).toEqual(['b/y'])
    expect(moved?.kind === 'file' && moved.contentId).toBe(found.contentId)
    expect(moved?.kind === 'file' && (await moved.blob())).toEqual(blob)
  })

  run('content that is stored and large is put again as it is', async (world) => {
    const { store, write, commit } = world
    const large = 'large '.repeat(200_000)
    await write({ 'a.bin': large })
    const found = await store.find('a.bin')
    if (found?.kind !== 'file') throw new Error('There is no file')
    const content = { id: found.contentId, from: 'stored' } as const
    const blob = await found.blob()
    await commit(async () => [{ kind: 'put', path: 'b.bin', blob, content }])

    expect(await text(store, 'b.bin')).toBe(large)
    expect(await text(store, 'a.bin')).toBe(large)
  })

  run('a file that is kept is in the blob store', async ({ store, write, blobs }) => {
    await write({ 'a/x': 'bytes' })
    const found = await store.find('a/x')

    expect(found?.kind === 'file' && (await found.keep())).toEqual({
      sha256: sha256('bytes'),
      sizeBytes: 5,
    })
    expect(await blobs.stat(sha256('bytes'))).toBeDefined()
  })

  run('the files below a directory are told with their content', async ({ store, write }) => {
    await write({ 'a/b/c': '1', 'a/b.txt': '2', 'a.txt': '1', ab: '3' })
    const below = async (directory: string) =>
      (await store.filesBelow(directory)).map(({ path }) => path).toSorted()
    const [c] = (await store.filesBelow('a/b')).map(({ contentId }) => contentId)
    const same = await store.find('a.txt')

    expect(await below('a')).toEqual(['a/b.txt', 'a/b/c'])
    expect(await below('')).toEqual(['a.txt', 'a/b.txt', 'a/b/c', 'ab'])
    expect(await below('a.txt')).toEqual([])
    expect(await below('never')).toEqual([])
    expect(same?.kind === 'file' && same.contentId).toBe(c ?? '')
  })
}

function historyContract(run: Run): void {
  run('commits after one are told oldest first, with changes and kept blobs', async (world) => {
    const { store, blobs, write, commit, put } = world
    const first = await write({ a: '1', 'b c/d': '2' })
    const second = await commit(async () => [
      { kind: 'delete', path: 'a' },
      await put('e.bin', '3', 'image/x-odd; v="1 2"'),
    ])
    const third = await write({ 'b c/d': '4' })

    expect(await all(store.commitsAfter(undefined))).toEqual([first, second, third].map(plain))
    expect(await all(store.commitsAfter(first?.id))).toEqual([second, third].map(plain))
    expect(await all(store.commitsAfter(third?.id))).toEqual([])
    expect(await blobs.stat(sha256('3'))).toEqual({ sha256: sha256('3'), sizeBytes: 1 })
  })

  run('a media type declared anew for the same bytes is told again', async (world) => {
    const { store, commit, put } = world
    await commit(async () => [await put('a/b c', '1', 'text/plain')])
    const second = await commit(async () => [await put('a/b c', '1', 'text/html')])
    const [, told] = await all(store.commitsAfter(undefined))

    expect(told).toEqual(plain(second))
  })

  run('to ask for what comes after a commit that is not there fails', async ({ store, write }) => {
    await write({ a: '1' })

    expect(all(store.commitsAfter('f'.repeat(40)))).rejects.toThrow('f'.repeat(40))
    expect(all(store.commitsAfter('--output=/tmp/x'))).rejects.toThrow('no commit')
  })

  run('the history of a path is newest first, limited, and of that path alone', async (world) => {
    const { store, write } = world
    const [one, two, three] = [
      await write({ 'a/x': '1', b: '1' }),
      await write({ b: '2' }),
      await write({ 'a/x': '3' }),
    ].map((commit) => {
      const { changes: _, ...rest } = plain(commit)
      return rest
    })

    expect(await store.history('a/x', 10)).toEqual([three, one] as never)
    expect(await store.history('a', 1)).toEqual([three] as never)
    expect(await store.history('', 10)).toEqual([three, two, one] as never)
    expect(await store.history('never', 10)).toEqual([])
    expect(await store.history('a/x', 0)).toEqual([])
    expect(await store.history('', 10, { until: two?.id })).toEqual([two, one] as never)
    expect(await store.history('', 10, { since: two?.id })).toEqual([three, two] as never)
  })

  run('the versions of a file are what each commit made of it', async (world) => {
    const { store, write, commit, put } = world
    await commit(async () => [await put('a/x', 'old', 'text/x-odd')])
    await write({ b: '1' })
    await commit(async () => [{ kind: 'delete', path: 'a' }])
    await write({ 'a/x': 'newer' })

    const versions = await store.versions('a/x', { limit: 10 })
    const history = await store.history('a/x', 10)
    expect(versions).toMatchObject([...history])
    const read = async ({ file }: Version) =>
      file && {
        text: await textOf(await file.open()),
        type: file.contentType,
        blob: await file.blob(),
      }
    expect(await Promise.all(versions.map(read))).toEqual([
      { text: 'newer', type: undefined, blob: { sha256: sha256('newer'), sizeBytes: 5 } },
      undefined,
      { text: 'old', type: 'text/x-odd', blob: { sha256: sha256('old'), sizeBytes: 3 } },
    ])
    expect(await store.versions('a/x', { limit: 1 })).toHaveLength(1)
    expect(await store.versions('never', { limit: 10 })).toEqual([])
  })

  run('versions begin with a commit where one is named, that one among them', async (world) => {
    const { store, write } = world
    const first = await write({ 'a/x': '1' })
    await write({ 'a/x': '2', b: '1' })
    const third = await write({ b: '2' })
    const fourth = await write({ 'a/x': '3' })
    const idsSince = async (since: string | undefined) =>
      (await store.versions('a/x', { limit: 10, since })).map(({ id }) => id)

    expect(await idsSince(first?.id)).toEqual(await idsSince(undefined))
    expect(await idsSince(third?.id)).toEqual([fourth?.id ?? ''])
    expect(await idsSince(fourth?.id)).toEqual([fourth?.id ?? ''])
  })

  run('versions end with a commit where one is named, that one among them', async (world) => {
    const { store, write } = world
    const first = plain(await write({ 'a/x': '1' }))
    const second = plain(await write({ 'a/x': '2' }))
    const third = plain(await write({ b: '1' }))
    await write({ 'a/x': '3' })
    const idsUntil = async (until: string, limit = 10) =>
      (await store.versions('a/x', { limit, until })).map(({ id }) => id)

    expect(await idsUntil(third.id)).toEqual([second.id, first.id])
    expect(await idsUntil(second.id, 1)).toEqual([second.id])
    expect(await idsUntil(first.id)).toEqual([first.id])
  })

  run('a commit that is read again tells what it moved', async (world) => {
    const { store, commit, put, write } = world
    const first = await write({ 'a/ä x': '1' })
    const moves = [{ from: 'a/ä x', to: 'b/100% y' }]
    const moved = await store.commit({ ...request, moves }, async () => [
      { kind: 'delete', path: 'a/ä x' },
      await put('b/100% y', '1'),
    ])
    await commit(async () => [await put('c', '1')])

    expect(moved?.request.moves).toEqual(moves)
    const [told, other] = await all(store.commitsAfter(first?.id))
    expect(told).toEqual(plain(moved))
    expect(other?.request.moves).toBeUndefined()
    expect((await store.versions('b/100% y', { limit: 1 }))[0]?.request.moves).toEqual(moves)
  })

  run('the files as a commit left them can be read after it', async (world) => {
    const { store, write, commit } = world
    const first = await write({ 'a/x': '1', 'a/b/y': '2' })
    const second = await write({ 'a/x': '3' })
    await commit(async () => [{ kind: 'delete', path: 'a' }])
    const [before, after] = await Promise.all(
      [first, second].map((each) => store.at(each?.id ?? '')),
    )

    expect(before && (await text(before, 'a/x'))).toBe('1')
    expect(after && (await text(after, 'a/x'))).toBe('3')
    expect(await text(store, 'a/x')).toBeUndefined()
    for (const id of ['f'.repeat(40), 'HEAD', '--all', ''])
      expect(await store.at(id)).toBeUndefined()
  })

  run('what a commit has otherwise than a tree is told by file', async (world) => {
    const { store, write, commit } = world
    const first = await write({ 'a/x': '1', 'a/b/y': '2', 'a/c/z': '3', d: '4', 'e/f': '5' })
    await write({ 'a/x': '6', 'a/new': '7', 'd/e/f': '8' }).catch(() => undefined)
    await write({ 'a/x': '6', 'a/new': '7' })
    await commit(async () => [
      { kind: 'delete', path: 'a/b' },
      { kind: 'delete', path: 'e' },
    ])
    const idOf = async (tree: Tree | undefined, path: string) => {
      const found = await tree?.find(path)
      return found?.kind === 'file' ? found.contentId : undefined
    }
    const id = first?.id ?? ''
    const former = await store.at(id)
    const differing = async (directory: string) =>
      (await store.differing(store, id, directory)).map(({ path }) => path).toSorted()

    expect(await differing('a')).toEqual(['a/b/y', 'a/new', 'a/x'])
    expect(await differing('')).toEqual(['a/b/y', 'a/new', 'a/x', 'e/f'])
    expect(await differing('a/c')).toEqual([])
    expect(await differing('e')).toEqual(['e/f'])
    expect(await differing('never')).toEqual([])
    const told = await store.differing(store, id, 'a')
    for (const { path, before, after } of told)
      expect([before, after]).toEqual([await idOf(store, path), await idOf(former, path)])
    expect(store.differing(store, 'f'.repeat(40), 'a')).rejects.toThrow()
  })

  run('a commit is found by its id and by the first digits of it', async ({ store, write }) => {
    const first = await write({ a: '1' })
    const second = await write({ a: '2' })
    const { id = '', committedAt } = first ?? {}
    const point = { id, committedAt }

    expect(await store.commitNamed(id)).toMatchObject(point)
    expect(await store.commitNamed(id.slice(0, 7))).toMatchObject(point)
    expect(await store.commitNamed(id.slice(0, 39))).toMatchObject(point)
    expect(await store.commitNamed(second?.id ?? '')).toMatchObject({ id: second?.id })
    for (const name of [
      id.slice(0, 6),
      id.toUpperCase(),
      `${id}0`,
      'f'.repeat(40),
      'HEAD',
      '',
      '--all',
    ])
      expect(await store.commitNamed(name)).toBeUndefined()
  })

  run('the commit of a moment is the newest that was made by then', async (world) => {
    const { store, write, clock } = world
    const begin = clock.seconds
    expect(await store.commitAsOf(new Date(begin * 1000))).toBeUndefined()
    const first = await write({ a: '1' })
    const second = await write({ a: '2' })
    clock.seconds += 10
    const third = await write({ a: '3' })
    const idAt = async (seconds: number) =>
      (await store.commitAsOf(new Date(seconds * 1000 + 999)))?.id

    expect(await idAt(begin - 1)).toBeUndefined()
    expect(await idAt(begin)).toBe(second?.id)
    expect(await idAt(begin + 9)).toBe(second?.id)
    expect(await idAt(begin + 10)).toBe(third?.id)
    expect(await idAt(begin + 1e9)).toBe(third?.id)
    expect(await store.commitAsOf(new Date(-1))).toBeUndefined()
    expect(first).toBeDefined()
  })

  run('a commit builds on itself and on those before it', async ({ store, write }) => {
    const first = (await write({ a: '1' }))?.id ?? ''
    const second = (await write({ a: '2' }))?.id ?? ''

    expect(await store.buildsOn(second, first)).toBe(true)
    expect(await store.buildsOn(first, first)).toBe(true)
    expect(await store.buildsOn(first, second)).toBe(false)
    expect(await store.buildsOn(second, 'f'.repeat(40))).toBe(false)
  })

  run('a media type holds from the commit that declared it to the next put', async (world) => {
    const { store, commit, put, write } = world
    const ids = [
      await write({ 'a/ä x': '1', b: '1' }),
      await commit(async () => [await put('a/ä x', '2', 'text/x-odd')]),
      await write({ b: '2' }),
      await commit(async () => [await put('a/ä x', '2', 'text/x-other; a="b c"')]),
      await write({ b: '3' }),
      await write({ 'a/ä x': '3' }),
    ].map((each) => each?.id ?? '')
    const types = () => Promise.all(ids.map((id) => store.declaredType(id, 'a/ä x')))
    const expected = [
      undefined,
      'text/x-odd',
      'text/x-odd',
      'text/x-other; a="b c"',
      'text/x-other; a="b c"',
      undefined,
    ]

    expect(await types()).toEqual(expected)
    const later = await commit(async () => [await put('b', '4', 'text/x-late')])
    expect(await store.declaredType(later?.id ?? '', 'b')).toBe('text/x-late')
    expect(await types()).toEqual(expected)
    expect(await store.declaredType(ids[1] ?? '', 'b')).toBeUndefined()
    expect(await store.declaredType('f'.repeat(40), 'b')).toBeUndefined()
  })

  run('which paths ever had a media type declared is known, deleted ones too', async (world) => {
    const { store, commit, put, write } = world
    expect(await store.declaredPaths()).toEqual(new Set())
    await commit(async () => [await put('a/ä x', '1', 'text/x-odd'), await put('b', '1')])
    expect(await store.declaredPaths()).toEqual(new Set(['a/ä x']))
    await commit(async () => [{ kind: 'delete', path: 'a/ä x' }])
    await write({ c: '1' })
    await commit(async () => [await put('c', '2', 'text/x-late')])

    expect(await store.declaredPaths()).toEqual(new Set(['a/ä x', 'c']))
  })

  run('a path is taken literally, whatever it looks like', async ({ store, write }) => {
    await write({ 'a/x': '1' })

    for (const path of ['*', ':/', ':(top)a', '--all', '../a', 'a//x', '/a', 'a\0x'])
      for (const told of [await store.history(path, 10), await store.versions(path, { limit: 10 })])
        expect(told).toEqual([])
  })
}

function listenerContract(run: Run): void {
  run('the listener has been told of a commit when its writer is answered', async (world) => {
    const { store, write } = world
    const told: string[] = []
    store.follow(async (commits) => {
      await Promise.resolve()
      told.push(...commits.map(({ id }) => id))
    })
    const commit = await write({ a: '1' })

    expect(told).toEqual([commit?.id ?? ''])
  })

  run(
    'the listener is told of every commit once, in order, each after its parent',
    async (world) => {
      const { store, write } = world
      const told: Commit[] = []
      store.follow(async (commits) => {
        told.push(...commits)
      })
      await Promise.all(Array.from({ length: 30 }, (_, index) => write({ [`f${index}`]: 'x' })))

      expect(told.map(({ id }) => id)).toEqual(
        (await all(store.commitsAfter(undefined))).map(({ id }) => id),
      )
      expect(told.slice(1).map(({ parentId }) => parentId)).toEqual(
        told.slice(0, -1).map(({ id }) => id),
      )
    },
  )

  run(
    'where the listener rejects, so does the writer, and the next one does not',
    async (world) => {
      const { store, write } = world
      let failures = 1
      store.follow(async () => {
        if (failures-- > 0) throw new Error('not told')
      })

      expect(write({ a: '1' })).rejects.toThrow('not told')
      expect(await write({ b: '2' })).toBeDefined()
    },
  )

  run('the tree shows a commit when the listener is told of it', async ({ store, write }) => {
    const seen: (string | undefined)[] = []
    store.follow(async () => {
      seen.push(await text(store, 'a'))
    })
    await write({ a: '1' })
    await write({ a: '2' })

    expect(seen).toEqual(['1', '2'])
  })
}

interface World extends Opened {
  readonly clock: { seconds: number }
  readonly put: (path: string, content: string, contentType?: string) => Promise<Put>
  readonly commit: (plan: Plan) => Promise<Commit | undefined>
  readonly write: (contentByPath: Readonly<Record<string, string>>) => Promise<Commit | undefined>
}

const request = { subject: 'test', author: 'tester' }

function createWorld({ store, blobs }: Opened, clock: { seconds: number }): World {
  async function put(path: string, content: string, contentType?: string): Promise<Put> {
    await using incoming = await blobs.receive(new TextEncoder().encode(content))
    const blob = await incoming.keep()
    return { kind: 'put', path, blob, ...(contentType === undefined ? {} : { contentType }) }
  }
  const commit = (plan: Plan) => store.commit(request, plan)
  return {
    store,
    blobs,
    clock,
    put,
    commit,
    write: (contentByPath) =>
      commit(async (): Promise<readonly Change[]> =>
        Promise.all(Object.entries(contentByPath).map(([path, content]) => put(path, content))),
      ),
  }
}

function putOfBytes(path: string, content: string): Put {
  const bytes = new TextEncoder().encode(content)
  const blob = { sha256: sha256(content), sizeBytes: bytes.length }
  return { kind: 'put', path, blob, bytes }
}

const all = <T>(items: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(items)

/** A commit as it can be told again; one that is missing fails the test. */
function plain(commit: Commit | undefined): Commit {
  if (!commit) throw new Error('There is no commit')
  return commit
}

async function text(tree: Pick<Tree, 'read'>, path: string): Promise<string | undefined> {
  const bytes = await tree.read(path)
  return bytes && new TextDecoder().decode(bytes)
}

async function paths(tree: Tree, directory = ''): Promise<string[]> {
  const found: string[] = []
  for (const { name, kind } of await tree.children(directory)) {
    const path = directory === '' ? name : `${directory}/${name}`
    found.push(...(kind === 'file' ? [path] : await paths(tree, path)))
  }
  return found
}

const sha256 = (content: string) => new Bun.CryptoHasher('sha256').update(content).digest('hex')

async function textOf(content: Uint8Array | ReadableStream<Uint8Array>): Promise<string> {
  const parts = content instanceof Uint8Array ? [content] : await Array.fromAsync(content)
  return Buffer.concat(parts).toString()
}
