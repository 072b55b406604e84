import { expect, test } from 'bun:test'

import type { Tree } from '../../../ports/content/content-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { parseAssetPath } from '../asset-path.ts'
import { createContents } from './edit-sources.ts'

const path = parseAssetPath('acme/v1/a.svg')

/** A tree of one file, whose bytes have the given SHA-256. */
const treeOf = (contentId: string, sha256 = 'read from the repository'): Tree =>
  ({
    find: async () => ({ kind: 'file', contentId, blob: async () => ({ sha256, sizeBytes: 1 }) }),
  }) as unknown as Tree

test('what is published of a file counts for the very content that is published', async () => {
  const shown = { commitId: 'former', sha256: 'published' }
  const idByCommit = new Map([
    ['former', 'one'],
    ['newer', 'two'],
  ])
  const contentOf = createContents({
    tree: treeOf('one'),
    content: { at: async (commitId) => treeOf(idByCommit.get(commitId) ?? '') },
    published: {
      commitId: () => shown.commitId,
      asset: () =>
        ({ name: 'a.svg', sizeBytes: 1, ...shown, contentType: 'image/svg+xml' }) as AssetRecord,
    },
  })
  const sha256Of = async (contentId: string) => (await contentOf({ path, contentId })).blob.sha256
  expect(await sha256Of('one')).toBe('published')
  expect(await sha256Of('another')).toBe('read from the repository')

  // While an edit of thousands is planned others are published.
  Object.assign(shown, { commitId: 'newer', sha256: 'published since' })
  expect(await sha256Of('one')).toBe('read from the repository')
  expect(await sha256Of('two')).toBe('published since')
})
