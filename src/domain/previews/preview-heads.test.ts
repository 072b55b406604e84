import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryPreviewStore } from '../../adapters/memory/content/memory-preview-store.ts'
import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import { MemoryContentStore } from '../../adapters/memory/repository/memory-content-store.ts'
import { zoneOf } from '../../ports/content/publication-store.contract.ts'
import { previewAt } from '../../ports/previews/preview-store.contract.ts'
import { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import { createFeed } from '../feed.ts'
import { createPreviewBlobs } from './preview-blobs.ts'
import { openPreviewBook } from './preview-book.ts'
import { createPreviewHeads } from './preview-heads.ts'

const request = { subject: 'test', author: 'tester' }
const line = 'preview/acme/spring'
const start = new Date('2027-01-01T00:00:00Z')

async function setUp() {
  const database = new MemoryDatabase()
  const publications = new MemoryPublicationStore(database)
  await publications.publish([{ zones: [zoneOf('acme')], feed: [] }])
  const blobs = new MemoryBlobStore()
  const content = new MemoryContentStore({ blobs })
  const log = { info: () => {}, warn: () => {} }
  const feed = createFeed({ store: publications, onSubscriberFault: () => {} })
  const book = await openPreviewBook({ store: new MemoryPreviewStore(database), feed })
  const clock = { now: start }
  const turns = new KeyedQueue()
  const heads = createPreviewHeads({
    book,
    lines: content.lines,
    content,
    feed,
    turns,
    days: 30,
    onCommits: async () => {},
    now: () => clock.now,
    log,
  })
  const put = async (path: string, text: string) => {
    await using incoming = await blobs.receive(new TextEncoder().encode(text))
    return { kind: 'put' as const, path: `clients/acme/v1/${path}`, blob: await incoming.keep() }
  }
  const first = await content.commit(request, async () => [await put('a', 'live')])
  const base = first?.id ?? ''
  await content.lines.create(line, base)
  const preview = previewAt('acme', 'spring', {
    baseCommitId: base,
    headCommitId: base,
    expiresAt: new Date('2027-01-31T00:00:00Z'),
  })
  await book.add(preview, [])
  const shown = createPreviewBlobs({ book, content, log })
  const own = () => content.lines.at(line).commit(request, async () => [await put('b', 'own')])
  return { book, content, heads, turns, clock, own, shown, base, preview }
}

test('a commit of a line is what its preview shows once it is answered, and puts its end off', async () => {
  const { book, heads, clock, own } = await setUp()
  await heads.start()
  clock.now = new Date('2027-01-10T00:00:00Z')
  const commit = await own()

  expect(book.get({ zone: 'acme', name: 'spring' })).toMatchObject({
    headCommitId: commit?.id ?? '',
    changedAt: clock.now,
    expiresAt: new Date('2027-02-09T00:00:00Z'),
  })
})

test('what a kill left between a line and its row is taken up, and a line without a row is forgotten', async () => {
  const { book, content, heads, own, base } = await setUp()
  const commit = await own()
  await content.lines.create('preview/acme/left', base)
  await heads.start()

  expect(book.get({ zone: 'acme', name: 'spring' })?.headCommitId).toBe(commit?.id ?? '')
  expect((await content.lines.list('preview/')).map(({ name }) => name)).toEqual([line])
})

test('what is made under the name of one that has gone keeps its line', async () => {
  const { book, content, heads, turns, clock, base, preview } = await setUp()
  await heads.start()
  await book.remove(preview, { at: clock.now, audit: [] })
  const began = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  const making = turns.run('acme', async () => {
    await content.lines.reset(line, base)
    began.resolve()
    await going.promise
    await book.add(preview, [])
  })
  await began.promise
  const settling = heads.settle()
  going.resolve()
  await Promise.all([making, settling])

  expect(await content.lines.at(line).head()).toBe(base)
})

test('a line that is gone is set again from its row', async () => {
  const { content, heads, base } = await setUp()
  await content.lines.remove(line)
  await heads.start()

  expect(await content.lines.at(line).head()).toBe(base)
})

test('a preview whose time is over goes, and its line with it; until then its bytes are in use', async () => {
  const { book, content, heads, clock, own, shown } = await setUp()
  await heads.start()
  await own()
  const inUse = await Array.fromAsync(shown.all())
  expect(inUse).toHaveLength(1)
  expect(await shown.fileWith(inUse[0] ?? '')).toBeDefined()

  clock.now = new Date('2027-03-01T00:00:00Z')
  await heads.settle()
  expect(book.all()).toEqual([])
  expect(await content.lines.list('preview/')).toEqual([])
  expect(await Array.fromAsync(shown.all())).toEqual([])
})
