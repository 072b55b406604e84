import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { MemoryContentStore } from '../../adapters/memory/repository/memory-content-store.ts'
import { type CommitRequest, UnfittingChangeError } from '../../ports/content/content-store.ts'
import type {
  ForeignChange,
  ForeignCommit,
  RemoteAhead,
} from '../../ports/content/remote-repository.ts'
import { nothingErased } from './fixtures/nothing-erased.ts'
import { importForeign, type ReturnedBytes, type TakenUpCommit } from './import-foreign.ts'

const standing: RemoteAhead = { kind: 'ahead', id: 'f', ours: 'o', commonId: 'c', commitCount: 1 }

interface Circumstances {
  readonly signal?: AbortSignal
  /** A path that the store cannot take. */
  readonly refused?: string
  readonly returned?: ReturnedBytes
  /** Of what the remote was found to have. */
  readonly epoch?: number
}

async function takeUpAll(commits: readonly ForeignCommit[], circumstances: Circumstances = {}) {
  const { signal = new AbortController().signal, refused } = circumstances
  const blobs = new MemoryBlobStore()
  const content = new MemoryContentStore({ blobs })
  const requests: CommitRequest[] = []
  content.follow(async (told) => {
    requests.push(...told.map(({ request }) => request))
  })
  const taken: TakenUpCommit[] = []
  const added = (path: string, sizeBytes = 1): ForeignChange => ({
    path,
    before: undefined,
    common: undefined,
    after: {
      contentId: path,
      sizeBytes,
      isOutside: path.startsWith('outside'),
      contentType: undefined,
      async keep() {
        if (path === 'nowhere') return undefined
        if (path === 'erased') throw new Error('erased')
        await using incoming = await blobs.receive(new TextEncoder().encode(path))
        return incoming.keep()
      },
    },
  })
  await importForeign(
    {
      ...nothingErased,
      ...(circumstances.returned && { returned: circumstances.returned }),
      maxOutsideBytes: 50_000_000,
      content: {
        commit: (request, plan) =>
          content.commit(request, async (tree) => {
            const changes = await plan(tree)
            const odd = changes?.find(({ path }) => path === refused)
            if (odd !== undefined) throw new UnfittingChangeError(odd, 'it is odd')
            return changes
          }),
      },
      remote: {
        async *commits() {
          for (const commit of commits)
            yield {
              ...commit,
              changes: commit.changes.map(({ path, after }) => added(path, after?.sizeBytes)),
            }
        },
      },
      onTakenUp: (commit) => void taken.push(commit),
      signal,
    },
    { ...standing, epoch: circumstances.epoch ?? 0 },
  )
  return { content, requests, taken }
}

const commitOf = (id: string, sizes: Readonly<Record<string, number>>): ForeignCommit => ({
  id,
  author: 'Ada',
  subject: id,
  changes: Object.entries(sizes).map(([path, sizeBytes]) => ({
    path,
    before: undefined,
    common: undefined,
    after: { contentId: path, sizeBytes, contentType: undefined, keep: () => Promise.reject() },
  })),
  unfit: [],
})

test('each of their commits becomes one of ours that merges it, even where nothing of it can be taken', async () => {
  const { requests, taken, content } = await takeUpAll([
    commitOf('one', { a: 1 }),
    commitOf('two', { b: 26_214_401 }),
    commitOf('three', { c: 26_214_400 }),
  ])

  expect(requests).toEqual(
    ['one', 'two', 'three'].map((id) => ({ subject: id, author: 'Ada', mergedId: id })),
  )
  expect(taken.map(({ leftOut }) => leftOut.map(({ path }) => path))).toEqual([[], ['b'], []])
  expect((await content.children('')).map(({ name }) => name)).toEqual(['a', 'c'])
})

test('one with very many files comes in parts, so that writers have their turn, and the last merges it', async () => {
  const sizes = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`f${index}`, 1]))
  const { requests, taken, content } = await takeUpAll([commitOf('many', sizes)])

  expect(requests.map(({ subject, mergedId }) => [subject, mergedId])).toEqual([
    ['many (1 of 3)', undefined],
    ['many (2 of 3)', undefined],
    ['many', 'many'],
  ])
  expect(await content.children('')).toHaveLength(2_001)
  expect(taken).toHaveLength(1)
})

test('what does not fit is left out by itself, and the commit comes in with all the rest', async () => {
  const { requests, taken, content } = await takeUpAll([
    commitOf('one', { a: 1, 'b/c': 1 }),
    commitOf('two', { 'a/d': 1, e: 1, 'a/f': 1 }),
  ])

  expect(requests.map(({ subject }) => subject)).toEqual(['one', 'two'])
  expect(taken[1]?.leftOut.map(({ path }) => path)).toEqual(['a/d', 'a/f'])
  expect((await content.children('')).map(({ name }) => name)).toEqual(['a', 'b', 'e'])
})

test('what the store refuses of a commit is left out, and the rest comes in', async () => {
  const { taken, content } = await takeUpAll([commitOf('one', { a: 1, odd: 1, b: 1 })], {
    refused: 'odd',
  })

  expect(taken.map(({ leftOut }) => leftOut)).toEqual([[{ path: 'odd', why: 'it is odd' }]])
  expect((await content.children('')).map(({ name }) => name)).toEqual(['a', 'b'])
})

test('it stops between two commits where the service ends', async () => {
  const ending = new AbortController()
  ending.abort()

  expect(takeUpAll([commitOf('one', { a: 1 })], ending)).rejects.toThrow('aborted')
})

test('a file whose bytes the remote does not have is left out, and what is here stays', async () => {
  const { taken, content } = await takeUpAll([commitOf('one', { a: 1, nowhere: 1, b: 1 })])

  expect(taken.map(({ leftOut }) => leftOut)).toEqual([
    [{ path: 'nowhere', why: 'the remote does not have its bytes' }],
  ])
  expect((await content.children('')).map(({ name }) => name)).toEqual(['a', 'b'])
})

test('files whose bytes commits only name may be larger, up to a bound of their own', async () => {
  const { taken, content } = await takeUpAll([
    commitOf('one', { 'outside-a': 50_000_000, 'outside-b': 50_000_001, plain: 50_000_000 }),
  ])

  expect(taken.map(({ leftOut }) => leftOut.map(({ path }) => path))).toEqual([
    ['outside-b', 'plain'],
  ])
  expect((await content.children('')).map(({ name }) => name)).toEqual(['outside-a'])
})

test('what was erased is left out and named, and the repository is told before it has it again', async () => {
  const told: string[] = []
  const returned: ReturnedBytes = {
    refusedIn: (error) => (error instanceof Error ? error.message : undefined),
    found: async (sha256s) => void told.push(...sha256s),
    takenUp: () => void told.push('taken up'),
  }
  const commits = [commitOf('one', { a: 1, erased: 1, b: 1 }), commitOf('two', { c: 1 })]
  const { taken, content } = await takeUpAll(commits, { returned })

  expect(taken.map(({ leftOut }) => leftOut)).toEqual([
    [{ path: 'erased', why: 'it was erased for good' }],
    [],
  ])
  expect((await content.children('')).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(told).toEqual(['erased', 'taken up'])
})

test('nothing is merged where commits have got other ids since the remote was looked at', async () => {
  const taking = takeUpAll([commitOf('one', { a: 1 })], { epoch: 1 })
  await expect(taking).rejects.toThrow('other ids')
})
