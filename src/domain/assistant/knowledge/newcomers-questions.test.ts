import { expect, test } from 'bun:test'

import { newcomersQuestions } from '../../../../test/fixtures/newcomers-questions.ts'
import { MemoryVectorStore } from '../../../adapters/memory/media/memory-vector-store.ts'
import { createDocumentationSearch } from './documentation-search.ts'
import { createKnowledge } from './knowledge.ts'
import { createPageWeights } from './page-weights.ts'
import { parsePassages } from './passage.ts'

const file = new URL('../../../../docs/knowledge.jsonl', import.meta.url)
const passages = parsePassages(await Bun.file(file).text())
const knowledge = createKnowledge({ passages, store: new MemoryVectorStore(), maxWaitMs: 10 })
const search = createDocumentationSearch({ passages, knowledge })

/** At which place the page stands that answers, by words alone: no model, so that each run finds the same. */
async function placeOf({ asks, pages }: (typeof newcomersQuestions)[number]): Promise<number> {
  const found = await search.find(asks, { limit: 10, byWordsAlone: true })
  const place = found.pages.findIndex(({ url }) => pages.includes(url.split('#', 1)[0] ?? ''))
  return place === -1 ? Infinity : place
}

test('newcomers are shown the page that answers', async () => {
  const places: (readonly [asks: string, place: number])[] = []
  for (const question of newcomersQuestions) places.push([question.asks, await placeOf(question)])
  const first = places.filter(([, place]) => place === 0)
  const beyondThree = places.filter(([, place]) => place > 2)

  expect(first.length / places.length).toBeGreaterThanOrEqual(0.75)
  // Their names, so that who sees this fail sees which.
  expect(beyondThree.length > 4 ? beyondThree : []).toEqual([])
})

test.each(['What is a zone?', 'what is an asset', 'What is a variant?'])(
  '%s is answered from the page of concepts',
  async (asks) => {
    const { pages } = await search.find(asks, { limit: 1, byWordsAlone: true })
    expect(pages[0]?.url).toStartWith('/docs/concepts')
    const { facts } = await knowledge.find(asks, 1, { byWordsAlone: true })
    expect(facts[0]?.passage.url).toStartWith('/docs/concepts')
  },
)

test('pages beside others’ count for less, but for who names them', () => {
  const weightsFor = createPageWeights(passages)
  const weightOf = (question: string, page: string): number =>
    weightsFor(question)({ title: '', url: `/docs/${page}`, text: '' })

  expect(weightOf('How strong can a blur be?', 'compared-parameters')).toBeLessThan(1)
  expect(weightOf('What is blur called at Cloudinary?', 'compared-parameters')).toBe(1)
  expect(weightOf('How is a private file delivered?', 's3-strapi')).toBeLessThan(1)
  expect(weightOf('How do I use it with Strapi?', 's3-strapi')).toBe(1)
  expect(weightOf('How long may a path be?', 'operating#limits')).toBeGreaterThan(1)
  expect(weightOf('How do I make a backup?', 'backups')).toBe(1)
})
