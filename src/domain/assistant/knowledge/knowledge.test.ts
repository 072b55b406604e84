import { expect, test } from 'bun:test'

import { MemoryEmbedder } from '../../../adapters/memory/media/memory-embedder.ts'
import { MemoryVectorStore } from '../../../adapters/memory/media/memory-vector-store.ts'
import { packVector } from '../../search/vectors/packed-vectors.ts'
import { createKnowledge, meaningText } from './knowledge.ts'
import { parsePassages } from './passage.ts'
import { readReadyMade } from './ready-made-vectors.ts'

const docs = new URL('../../../../docs/', import.meta.url)

const passages = [
  { title: 'Storing › One file', url: '/docs/storing', text: 'A file is live at once.' },
  { title: 'Purging', url: '/docs/purging', text: 'A purge is obeyed everywhere.' },
]
const never = new AbortController().signal

async function readyMadeOf(texts: readonly string[], space: string) {
  const maker = new MemoryEmbedder()
  const vectors = new Map<string, Uint8Array>()
  for (const text of texts) vectors.set(text, packVector(await maker.embed(text)))
  return { space, vectorOf: (text: string) => vectors.get(text) }
}

const openKnowledge = (readyMade: Awaited<ReturnType<typeof readyMadeOf>>) =>
  createKnowledge({ passages, readyMade, store: new MemoryVectorStore(), maxWaitMs: 1_000 })

test('what comes ready-made is not embedded again, and meaning counts from then on', async () => {
  const embedder = new MemoryEmbedder()
  const knowledge = openKnowledge(await readyMadeOf(passages.map(meaningText), 'words elsewhere'))
  await knowledge.learn(embedder, never)

  expect(embedder.embedded).toEqual([])
  expect((await knowledge.find('When is a file live?', 2)).isDegraded).toBe(false)
})

test('what is missing is embedded, and so is all of it for another model', async () => {
  const [first = ''] = passages.map(meaningText)
  const embedder = new MemoryEmbedder()
  await openKnowledge(await readyMadeOf([first], 'words elsewhere')).learn(embedder, never)
  expect(embedder.embedded).toEqual([meaningText(passages[1]!)])

  const other = new MemoryEmbedder({}, { model: 'other' })
  await openKnowledge(await readyMadeOf([first], 'words elsewhere')).learn(other, never)
  expect(other.embedded).toHaveLength(2)
})

test('most of the documentation comes with its vectors', async () => {
  const all = parsePassages(await Bun.file(new URL('knowledge.jsonl', docs)).text())
  const readyMade = readReadyMade(await Bun.file(new URL('knowledge.vectors', docs)).bytes())
  const known = all.filter((passage) => readyMade?.vectorOf(meaningText(passage)))

  // Where this fails, run `bun scripts/passage-vectors.ts`.
  expect(known.length / all.length).toBeGreaterThan(0.75)
})

test('what a model has learnt it is not taught again', async () => {
  const embedder = new MemoryEmbedder()
  const store = new MemoryVectorStore()
  const knowledge = createKnowledge({ passages, store, maxWaitMs: 1_000 })
  await knowledge.learn(embedder, never)
  await store.forgetOthers('none')
  await knowledge.learn(embedder, never)

  expect(embedder.embedded).toHaveLength(passages.length)
})

test('made ready or not, the first question has the same response', async () => {
  const opened = async () =>
    openKnowledge(await readyMadeOf(passages.map(meaningText), 'elsewhere'))
  const prepared = await opened()
  await prepared.prepare()
  const question = 'Where is a purge obeyed?'

  expect(await prepared.find(question, 2)).toEqual(await (await opened()).find(question, 2))
})
