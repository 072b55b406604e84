import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { MemoryContentStore } from '../../adapters/memory/repository/memory-content-store.ts'
import type { ForeignChange } from '../../ports/content/remote-repository.ts'
import { nothingErased } from './fixtures/nothing-erased.ts'
import { importForeign } from './import-foreign.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

interface Texts {
  readonly path: string
  readonly common: string
  readonly ours: string
  readonly theirs: readonly string[]
}

/** Their commits each change `path`, while ours changed it too. */
async function importTexts({ path, common, ours, theirs }: Texts) {
  const blobs = new MemoryBlobStore()
  const content = new MemoryContentStore({ blobs })
  const keep = async (text: string) => {
    await using incoming = await blobs.receive(bytesOf(text))
    return incoming.keep()
  }
  const commit = async (text: string) => {
    const blob = await keep(text)
    await content.commit({ subject: '', author: '' }, async () => [{ kind: 'put', path, blob }])
    const found = await content.find(path)
    return found?.kind === 'file' ? found.contentId : ''
  }
  const ids = new Map<string, string>()
  for (const text of [...theirs, common]) ids.set(text, await commit(text))
  const commonId = (await content.head()) ?? ''
  await commit(ours)
  const changeTo = (text: string, before: string): ForeignChange => ({
    path,
    before: ids.get(before),
    common: ids.get(common),
    after: {
      contentId: ids.get(text) ?? '',
      sizeBytes: text.length,
      contentType: undefined,
      keep: () => keep(text),
    },
  })
  const leftOut: string[] = []
  await importForeign(
    {
      ...nothingErased,
      content,
      maxOutsideBytes: 1000,
      merger: {
        merges: (each) => each === 'merged',
        // Each line by itself; theirs where only they changed it.
        merge({ common: before, ...both }) {
          const [base, mine, their] = [before, both.ours, both.theirs].map((each) =>
            textOf(each).split('\n'),
          )
          return bytesOf(
            (mine ?? []).map((line, at) => (line === base?.[at] ? their?.[at] : line)).join('\n'),
          )
        },
        at: (commitId) => content.at(commitId),
        read: (sha256) => blobs.read(sha256),
        store: (bytes) => keep(textOf(bytes)),
      },
      remote: {
        async *commits() {
          for (const [index, text] of theirs.entries())
            yield {
              id: `f${index}`,
              author: 'a',
              subject: 's',
              changes: [changeTo(text, theirs[index - 1] ?? common)],
              unfit: [],
            }
        },
      },
      onTakenUp: (taken) => leftOut.push(...taken.leftOut.map((each) => each.path)),
      signal: new AbortController().signal,
    },
    { kind: 'ahead', id: 'f', ours: 'o', commonId, commitCount: theirs.length, epoch: 0 },
  )
  return { text: textOf(await content.read(path)), leftOut }
}

test('what both changed is merged, commit by commit, with what each of theirs began with', async () => {
  expect(
    await importTexts({
      path: 'merged',
      common: '1\n1',
      ours: 'ours\n1',
      theirs: ['1\n2', '1\n3'],
    }),
  ).toEqual({
    text: 'ours\n3',
    leftOut: [],
  })
})

test('of other files ours stays, and is told', async () => {
  expect(
    await importTexts({ path: 'other', common: '1\n1', ours: 'ours\n1', theirs: ['1\n2'] }),
  ).toEqual({
    text: 'ours\n1',
    leftOut: ['other'],
  })
})
