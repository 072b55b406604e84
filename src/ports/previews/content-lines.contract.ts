import { expect, test } from 'bun:test'

import type { BlobStore } from '../content/blob-store.ts'
import type { Commit, Plan, Put, Tree } from '../content/content-store.ts'
import { type LinedContentStore, NoSuchLineError } from './content-lines.ts'

interface Opened {
  readonly store: LinedContentStore
  readonly blobs: BlobStore
}

type Open = (options: { readonly now: () => Date }) => Promise<Opened>

const spring = 'preview/acme/spring'

/** What every LinedContentStore must do with its lines. The test of each adapter calls this once. */
export function contentLinesContract(name: string, open: Open): void {
  const run = (what: string, body: (world: World) => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      const opened = await open({ now: () => new Date() })
      await using _ = opened.store
      await body(createWorld(opened))
    })
  writingContract(run)
  mergingContract(run)
  namingContract(run)
  comingAndGoingContract(run)
}

type Run = (what: string, body: (world: World) => Promise<void>) => void

function writingContract(run: Run): void {
  run('a line begins with the files of its commit and goes its own way', async (world) => {
    const { store, commit, begin } = world
    const first = await commit({ 'a.txt': 'one', 'd/b.txt': 'two' })
    const line = await begin(spring, first)
    const second = await commit({ 'a.txt': 'live' })
    const own = await commit({ 'a.txt': 'preview', 'c.txt': 'new' }, spring)

    expect(await text(line, 'a.txt')).toBe('preview')
    expect(await text(line, 'd/b.txt')).toBe('two')
    expect(await line.head()).toBe(own.id)
    expect(own.parentId).toBe(first.id)
    expect(await text(store, 'a.txt')).toBe('live')
    expect(await store.find('c.txt')).toBeUndefined()
    expect(await store.head()).toBe(second.id)
    expect((await line.children('')).map((child) => child.name)).toEqual(['a.txt', 'c.txt', 'd'])
    expect((await line.filesBelow('')).length).toBe(3)
    expect(await line.spelling('D/B.TXT')).toBe('d/b.txt')
  })

  run('plans of a line run on its newest tree, one after another', async (world) => {
    const { commit, begin, put } = world
    const line = await begin(spring, await commit({ count: '0' }))
    const count: Plan = async (tree) => [
      await put('count', `${Number(await text(tree, 'count')) + 1}`),
    ]
    await Promise.all(Array.from({ length: 8 }, () => line.commit(request, count)))

    expect(await text(line, 'count')).toBe('8')
    expect(await line.commit(request, async () => [])).toBeUndefined()
    expect(line.commit(request, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  })

  run(
    'commits of a line are told to its listener before they are answered, and to no other',
    async (world) => {
      const { store, commit, begin } = world
      await begin(spring, await commit({ a: '1' }))
      await begin('preview/acme/other', await commit({ a: '2' }))
      const told: unknown[] = []
      store.follow(async (commits) => void told.push(['main', ...commits.map(({ id }) => id)]))
      store.lines.follow(
        async (line, commits) => void told.push([line, ...commits.map(({ id }) => id)]),
      )
      const own = await commit({ a: '3' }, spring)

      expect(told).toEqual([[spring, own.id]])
      expect(await all(store.commitsAfter(undefined))).toHaveLength(2)
      expect(await store.history('', 9)).toHaveLength(2)
    },
  )

  run('where the listener refuses, so does the writer, and the line goes on', async (world) => {
    const { store, commit, begin } = world
    const line = await begin(spring, await commit({ a: '1' }))
    store.lines.follow(() => Promise.reject(new Error('not now')))
    expect(commit({ a: '2' }, spring)).rejects.toThrow('not now')
    store.lines.follow(async () => {})
    await commit({ b: '3' }, spring)

    expect(await text(line, 'b')).toBe('3')
  })

  run('main merges a line, and has its commits for ever', async (world) => {
    const { store, commit, begin, put } = world
    const line = await begin(spring, await commit({ a: '1' }))
    const own = await commit({ b: 'own' }, spring)
    const found = await line.find('b')
    const content =
      found?.kind === 'file' ? { id: found.contentId, from: 'fetched' as const } : undefined
    const merged = await store.commit({ ...request, mergedId: own.id }, async () => [
      { ...(await put('b', 'own')), ...(content && { content }) },
    ])
    await store.lines.remove(spring)

    expect(await text(store, 'b')).toBe('own')
    expect(await store.buildsOn(merged?.id ?? '', own.id)).toBeTrue()
    expect(await text((await store.at(own.id)) ?? store, 'b')).toBe('own')
    expect(await store.history('', 9)).toHaveLength(2)
  })

  run('a line merges main, with a commit even where nothing changes', async (world) => {
    const { store, commit, begin } = world
    const line = await begin(spring, await commit({ a: '1' }))
    const live = await commit({ a: '2' })
    const merged = await line.commit({ ...request, mergedId: live.id }, async () => undefined)

    expect(await store.buildsOn(merged?.id ?? '', live.id)).toBeTrue()
    expect(await text(line, 'a')).toBe('1')
  })
}

function mergingContract(run: Run): void {
  run('a line takes the files of what it merges, and its own changes to them', async (world) => {
    const { store, commit, begin, put } = world
    const line = await begin(spring, await commit({ a: '1', b: '1' }))
    const own = await commit({ c: 'own' }, spring)
    const live = await commit({ a: '2' })
    const merging = { ...request, mergedId: live.id, isOntoMerged: true }
    const merged = await line.commit(merging, async (tree) => {
      expect(await text(tree, 'c')).toBeUndefined()
      return [await put('d', 'more')]
    })
    const id = merged?.id ?? ''

    expect(merged?.parentId).toBe(live.id)
    expect(await line.head()).toBe(id)
    expect((await line.children('')).map((child) => child.name)).toEqual(['a', 'b', 'd'])
    expect(await text(line, 'a')).toBe('2')
    for (const each of [own, live]) expect(await store.buildsOn(id, each.id)).toBeTrue()
    await line.commit(merging, async () => [])
    expect((await line.children('')).map((child) => child.name)).toEqual(['a', 'b'])
  })
}

function namingContract(run: Run): void {
  run('commits of a line have names while it is there', async (world) => {
    const { store, commit, begin } = world
    const first = await commit({ a: '1' })
    await begin(spring, first)
    const own = await commit({ a: '2', b: '3' }, spring)

    expect(await store.commitNamed(own.id)).toMatchObject({ id: own.id })
    expect(await store.commitNamed(own.id.slice(0, 12))).toMatchObject({ id: own.id })
    expect(await store.buildsOn(own.id, first.id)).toBeTrue()
    expect(await text((await store.at(own.id)) ?? store, 'a')).toBe('2')
    expect(await store.differing(store, own.id, '')).toHaveLength(2)
    expect(await store.history('', 9, { until: own.id })).toHaveLength(2)
    await store.lines.remove(spring)
    expect(await store.commitNamed(own.id)).toBeUndefined()
    expect(await store.at(own.id)).toBeUndefined()
    expect(await store.at(first.id)).toBeDefined()
  })

  run('media types that commits of a line declare are known', async (world) => {
    const { store, commit, begin, put } = world
    const first = await commit({ 'a.txt': '1' })
    const line = await begin(spring, first)
    const typed = { ...(await put('a.txt', '2')), contentType: 'text/x-own' }
    const own = await line.commit(request, async () => [typed])

    expect(await store.declaredType(own?.id ?? '', 'a.txt')).toBe('text/x-own')
    expect(await store.declaredType(first.id, 'a.txt')).toBeUndefined()
    const later = await commit({ 'b.txt': '3' }, spring)
    expect(await store.declaredTypes(later.id, ['a.txt', 'b.txt'])).toEqual(
      new Map([['a.txt', 'text/x-own']]),
    )
  })
}

function comingAndGoingContract(run: Run): void {
  run('lines are listed, and each begins once', async ({ store, commit, begin }) => {
    const first = await commit({ a: '1' })
    const second = await commit({ a: '2' })
    await begin(spring, first)
    await begin('preview/bolt/spring', second)

    expect(await store.lines.create(spring, second.id)).toBeFalse()
    expect(sorted(await store.lines.list('preview/'))).toEqual([
      { name: spring, commitId: first.id },
      { name: 'preview/bolt/spring', commitId: second.id },
    ])
    expect(await store.lines.list('preview/acme/')).toHaveLength(1)
  })

  run('what needs a line that is not there is refused, and one may be made anew', async (world) => {
    const { store, commit, begin } = world
    const first = await commit({ a: '1' })
    const line = store.lines.at(spring)
    const failure = async (work: Promise<unknown>) => await work.catch((error: unknown) => error)

    expect(await failure(line.head())).toBeInstanceOf(NoSuchLineError)
    expect(await failure(commit({ a: '2' }, spring))).toBeInstanceOf(NoSuchLineError)
    await begin(spring, first)
    await commit({ a: '3' }, spring)
    await store.lines.remove(spring)
    expect(await failure(commit({ a: '4' }, spring))).toBeInstanceOf(NoSuchLineError)
    await store.lines.remove(spring)
    await begin(spring, first)
    expect(await text(line, 'a')).toBe('1')
  })

  run('a line can be set to another commit', async ({ store, commit, begin }) => {
    const first = await commit({ a: '1' })
    const second = await commit({ a: '2' })
    const line = await begin(spring, first)
    await commit({ a: '3' }, spring)
    await store.lines.reset(spring, second.id)
    await store.lines.reset('preview/acme/other', first.id)

    expect(await text(line, 'a')).toBe('2')
    expect(await text(store.lines.at('preview/acme/other'), 'a')).toBe('1')
    expect((await commit({ a: '4' }, spring)).parentId).toBe(second.id)
  })

  run('very many lines can be written to, one after another and at once', async (world) => {
    const { store, commit, begin } = world
    const first = await commit({ a: '1' })
    const names = Array.from({ length: 40 }, (_, place) => `preview/acme/p${place}`)
    for (const each of names) await begin(each, first)
    await Promise.all(names.map((each) => commit({ a: each }, each)))
    for (const each of names) await commit({ b: each }, each)

    for (const each of names) expect(await text(store.lines.at(each), 'a')).toBe(each)
    expect(await store.lines.list('preview/')).toHaveLength(40)
  })
}

const request = { subject: 'test', author: 'tester' }

type World = ReturnType<typeof createWorld>

function createWorld({ store, blobs }: Opened) {
  const put = async (path: string, content: string): Promise<Put> => {
    await using incoming = await blobs.receive(new TextEncoder().encode(content))
    return { kind: 'put', path, blob: await incoming.keep() }
  }
  return {
    store,
    put,
    begin: async (name: string, { id }: Commit) => {
      expect(await store.lines.create(name, id)).toBeTrue()
      return store.lines.at(name)
    },
    /** On main where no line is named. */
    commit: async (
      contentByPath: Readonly<Record<string, string>>,
      name?: string,
    ): Promise<Commit> => {
      const line = name === undefined ? store : store.lines.at(name)
      const puts = Object.entries(contentByPath).map(([path, content]) => put(path, content))
      const commit = await line.commit(request, async () => await Promise.all(puts))
      if (commit === undefined) throw new Error('nothing was committed')
      return commit
    },
  }
}

async function text(tree: Tree, path: string): Promise<string | undefined> {
  const bytes = await tree.read(path)
  return bytes && new TextDecoder().decode(bytes)
}

const all = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> =>
  await Array.fromAsync(items)

const sorted = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
  items.toSorted((one, other) => (one.name < other.name ? -1 : 1))
