import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { MemoryContentStore } from '../../adapters/memory/repository/memory-content-store.ts'
import type { Change } from '../../ports/content/content-store.ts'
import { type KeptChange, takeUp } from './take-up.ts'

type Texts = Readonly<Record<string, string>>

/** Merges what they made of `common` into what we made of it; a path that is left out has no file. */
async function merge({ common, ours, theirs }: Record<'common' | 'ours' | 'theirs', Texts>) {
  const blobs = new MemoryBlobStore()
  const content = new MemoryContentStore({ blobs })
  const keep = async (text: string) => {
    await using incoming = await blobs.receive(new TextEncoder().encode(text))
    return incoming.keep()
  }
  const idOf = async (text: string) => {
    const path = 'id'
    const other = new MemoryContentStore({ blobs })
    await other.commit({ subject: '', author: '' }, async () => [
      { kind: 'put', path, blob: await keep(text) },
    ])
    const found = await other.find(path)
    return found?.kind === 'file' ? found.contentId : undefined
  }
  const idIn = async (texts: Texts, path: string) => {
    const text = texts[path]
    return text === undefined ? undefined : await idOf(text)
  }
  await content.commit({ subject: '', author: '' }, async () =>
    Promise.all(
      Object.entries(ours).map(async ([path, text]): Promise<Change> => ({
        kind: 'put',
        path,
        blob: await keep(text),
      })),
    ),
  )
  const changed = [...new Set([...Object.keys(common), ...Object.keys(theirs)])].filter(
    (path) => common[path] !== theirs[path],
  )
  const kept = await Promise.all(
    changed.map(async (path): Promise<KeptChange> => {
      const text = theirs[path]
      const before = await idIn(common, path)
      if (text === undefined)
        return { path, before, common: before, after: undefined, blob: undefined }
      const blob = await keep(text)
      const after = {
        contentId: (await idOf(text)) ?? '',
        sizeBytes: blob.sizeBytes,
        contentType: undefined,
        keep: async () => blob,
      }
      return { path, before, common: before, after, blob }
    }),
  )
  const deletionsFirst = kept.toSorted(
    (a, b) => Number(a.blob !== undefined) - Number(b.blob !== undefined),
  )
  const { changes, leftOut } = await takeUp(content, deletionsFirst)
  // They must also be a plan that the store takes.
  await content.commit({ subject: '', author: '', mergedId: 'x' }, async () => changes)
  return { changes: changes.map(({ kind, path }) => `${kind} ${path}`), leftOut }
}

test('what only they changed is theirs', async () => {
  const { changes, leftOut } = await merge({
    common: { a: '1', b: '1', c: '1' },
    ours: { a: '1', b: '1', c: '2', d: 'ours' },
    theirs: { a: '2', c: '1', e: 'new' },
  })

  expect(changes).toEqual(['delete b', 'put a', 'put e'])
  expect(leftOut).toEqual([])
})

test('what both changed stays as ours, deletions included', async () => {
  const { changes, leftOut } = await merge({
    common: { both: '1', weDeleted: '1', theyDeleted: '1' },
    ours: { both: 'ours', theyDeleted: 'ours', bothAdded: 'ours' },
    theirs: { both: 'theirs', weDeleted: 'theirs', bothAdded: 'theirs' },
  })

  expect(changes).toEqual([])
  expect(leftOut.map(({ path }) => path)).toEqual(['theyDeleted', 'both', 'weDeleted', 'bothAdded'])
})

test('where both came to the same there is nothing to do and nothing to say', async () => {
  const result = await merge({
    common: { a: '1', b: '1' },
    ours: { a: '2', c: '3' },
    theirs: { a: '2', c: '3' },
  })

  expect(result).toEqual({ changes: [], leftOut: [] })
})

test('a name that differs by letter case alone is left out, unless the other one goes', async () => {
  const result = await merge({
    common: { 'Logos/a': '1', 'Gone/b': '1', 'x/File': '1' },
    ours: { 'Logos/a': '1', 'Gone/b': '1', 'x/File': '1' },
    theirs: { 'Logos/a': '1', 'logos/c': '1', 'gone/b': '1', 'x/file': '1' },
  })

  expect(result.changes).toEqual(['delete Gone/b', 'delete x/File', 'put gone/b', 'put x/file'])
  expect(result.leftOut).toEqual([
    { path: 'logos/c', why: 'it differs from "Logos" by letter case or Unicode form alone' },
  ])
})

test('two new names that one system could not hold both: the first one is taken', async () => {
  const result = await merge({
    common: {},
    ours: {},
    theirs: { 'A/x': '1', 'a/y': '1', 'A/z': '1' },
  })

  expect(result.changes).toEqual(['put A/x', 'put A/z'])
  expect(result.leftOut.map(({ path }) => path)).toEqual(['a/y'])
})

test('a file and a directory change places where ours has nothing else there', async () => {
  const swapped = await merge({
    common: { f: '1', 'd/x': '1' },
    ours: { f: '1', 'd/x': '1' },
    theirs: { 'f/x': '1', d: '1' },
  })
  expect(swapped).toEqual({
    changes: ['delete f', 'delete d/x', 'put f/x', 'put d'],
    leftOut: [],
  })

  const kept = await merge({
    common: { f: '1', 'd/x': '1' },
    ours: { f: 'ours', 'd/x': '1', 'd/y': 'ours' },
    theirs: { 'f/x': '1', d: '1' },
  })
  expect(kept.changes).toEqual(['delete d/x'])
  expect(kept.leftOut.map(({ path, why }) => `${path}: ${why}`)).toEqual([
    'f: it was changed here as well',
    'f/x: "f" is a file here',
    'd: it is a directory here',
  ])
})
