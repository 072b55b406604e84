import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Change, Commit, Tree } from '../../ports/content/content-store.ts'
import type { MemoryBlobStore } from '../memory/content/memory-blob-store.ts'
import { openTestStore, temporaryDirectory } from './fixtures/open-test-store.ts'

/** Few names, so that they meet: some are others' directories, some sort oddly in git's order. */
const names = ['a', 'a-', 'a.b', 'a0', 'é', 'B', 'z z']
const path = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'))
const content = fc.constantFrom('', '1', '2', 'long '.repeat(2000))
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), path, content }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
)
type ModelChange = { kind: 'put'; path: string; content: string } | { kind: 'delete'; path: string }
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      plans: fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), {
        minLength: 1,
        maxLength: 5,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.constant('reopen' as const) },
)

/** The tree after the changes, or `undefined` where one of them does not fit. */
function applied(model: ReadonlyMap<string, string>, changes: readonly ModelChange[]) {
  const next = new Map(model)
  for (const one of changes) {
    const below = [...next.keys()].filter((key) => key.startsWith(`${one.path}/`))
    if (one.kind === 'delete') for (const key of [one.path, ...below]) next.delete(key)
    else {
      const isBelowFile = [...next.keys()].some((key) => one.path.startsWith(`${key}/`))
      if (below.length > 0 || isBelowFile) return undefined
      next.set(one.path, one.content)
    }
  }
  return next
}

async function contents(tree: Tree, directory = ''): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { name, kind } of await tree.children(directory)) {
    const at = directory === '' ? name : `${directory}/${name}`
    if (kind === 'file') found.set(at, new TextDecoder().decode(await tree.read(at)))
    else for (const entry of await contents(tree, at)) found.set(...entry)
  }
  return found
}

/** What a projection would make of the commits that are told. */
async function replayed(commits: AsyncIterable<Commit>, blobs: MemoryBlobStore) {
  let files: ReadonlyMap<string, string> = new Map()
  for await (const { changes } of commits) {
    const told = await Promise.all(
      changes.map(async (one): Promise<ModelChange> => {
        if (one.kind === 'delete') return one
        const bytes = await blobs.read(one.blob.sha256)
        return { kind: 'put', path: one.path, content: new TextDecoder().decode(bytes) }
      }),
    )
    files = applied(files, told) ?? new Map([['the told changes do not fit', '']])
  }
  return files
}

test('after any plans and reopenings the files are those of a map, and so are the told ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const parent = await temporaryDirectory()
      const directory = join(parent, 'repository.git')
      let opened = await openTestStore({ directory })
      let model: ReadonlyMap<string, string> = new Map()
      try {
        for (const one of steps) {
          if (one === 'reopen') {
            await opened.store[Symbol.asyncDispose]()
            opened = await openTestStore({ directory })
            continue
          }
          const expected = one.plans.map((changes) => {
            const next = applied(model, changes)
            model = next ?? model
            return next ? 'fulfilled' : 'rejected'
          })
          const { put, store } = opened
          const answers = await Promise.allSettled(
            one.plans.map((changes) =>
              store.commit({ subject: 's', author: 'a' }, async (): Promise<Change[]> =>
                Promise.all(
                  changes.map(async (c) => (c.kind === 'put' ? put(c.path, c.content) : c)),
                ),
              ),
            ),
          )
          expect(answers.map(({ status }) => status)).toEqual(expected as never)
          expect(sorted(await contents(store))).toEqual(sorted(model))
        }
        const told = await replayed(opened.store.commitsAfter(undefined), opened.blobs)
        expect(sorted(told)).toEqual(sorted(model))
        expect(await opened.store.verify()).toEqual([])
        expect(opened.warnings).toEqual([])
      } finally {
        await opened.store[Symbol.asyncDispose]()
        await rm(parent, { recursive: true, force: true })
      }
    }),
    { numRuns: 15 },
  )
}, 120_000)

const sorted = (files: ReadonlyMap<string, string>) =>
  [...files].sort(([a], [b]) => (a < b ? -1 : 1))
