import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryPreviewStore } from '../../adapters/memory/content/memory-preview-store.ts'
import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import { entry, zoneOf } from '../../ports/content/publication-store.contract.ts'
import { previewAt } from '../../ports/previews/preview-store.contract.ts'
import type { PreviewNotice } from '../../ports/previews/preview-store.ts'
import { replicatedPreviews } from './preview-replication.ts'

const notice: PreviewNotice = {
  audit: [],
  feed: { ...entry('x'), event: 'preview.updated', commitId: undefined },
}

/** Repositories as sets of commits; a pack is the text of the way from one to the other. */
async function setUp() {
  const database = new MemoryDatabase()
  await new MemoryPublicationStore(database).publish([{ zones: [zoneOf('acme')], feed: [] }])
  const store = new MemoryPreviewStore(database)
  const packs = new MemoryBlobStore()
  const packed: string[] = []
  async function openNode(commits: Set<string>) {
    const previews = await replicatedPreviews({
      store,
      packs,
      source: {
        packs: () => Promise.reject(new Error('these lead along main')),
        packsAnew: async (after, commitId) => {
          packed.push(`${after}..${commitId}`)
          return [new Blob([`${after}..${commitId}`]).stream()]
        },
      },
      copy: {
        has: async (commitId) => commits.has(commitId),
        async add(pack) {
          const [, commitId = ''] = (await new Response(pack.stream()).text()).split('..')
          commits.add(commitId)
        },
      },
    })
    return { previews, commits }
  }
  return { openNode, packed, store }
}

test('what leads to the head of a preview is there before its row says so, each step once', async () => {
  const { openNode, packed, store } = await setUp()
  const { previews } = await openNode(new Set(['c1']))
  const preview = previewAt('acme', 'x')
  await previews.add(preview, notice)
  for (const headCommitId of ['c2', 'c3', 'c3'])
    await previews.replace({ ...preview, headCommitId }, notice)

  expect(packed).toEqual(['c1..c2', 'c2..c3'])
  expect((await store.packs())[0]?.packs).toHaveLength(2)
  const other = await openNode(new Set(['c1']))
  expect([...other.commits]).toEqual(['c1', 'c2', 'c3'])
  await other.previews.replace({ ...preview, headCommitId: 'c4' }, notice)
  expect(packed.at(-1)).toBe('c3..c4')
})

test('many packs become one', async () => {
  const { openNode, packed, store } = await setUp()
  const { previews } = await openNode(new Set(['c1']))
  const preview = previewAt('acme', 'x')
  await previews.add(preview, notice)
  for (let number = 2; number < 30; number += 1)
    await previews.replace({ ...preview, headCommitId: `c${number}` }, notice)

  expect((await store.packs())[0]?.packs.length).toBeLessThan(24)
  expect(packed.filter((each) => each.startsWith('c1..'))).toHaveLength(2)
})
