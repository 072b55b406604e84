import { expect, test } from 'bun:test'

import { createDocumentationSearch } from './documentation-search.ts'
import { createKnowledge } from './knowledge.ts'
import type { Passage } from './passage.ts'
import { plainText } from './plain-text.ts'

const passages: readonly Passage[] = [
  { title: 'Sedge', url: '/docs/', text: 'A zone is a tenant, in short.' },
  { title: 'Concepts › Zone', url: '/docs/concepts#zone', text: 'A **zone** is a tenant.' },
  {
    title: 'Quick start › Make a zone',
    url: '/docs/quick-start#make',
    text: 'A zone is a tenant.',
  },
  { title: 'Custom domains', url: '/docs/custom-domains', text: 'Host names of a zone’s own.' },
  { title: 'Custom domains › nginx', url: '/docs/custom-domains#nginx', text: 'A block a name.' },
  {
    title: 'Interface › Make a zone',
    url: '/api/docs#tag/core/POST/api/core/zones',
    text: '`POST /api/core/zones`: Make a zone.',
  },
]

function searchOf(known: readonly Passage[]) {
  let searches = 0
  const store = { get: () => Promise.resolve(new Map()), put: () => Promise.resolve() }
  const knowledge = createKnowledge({ passages: known, store: store as never, maxWaitMs: 10 })
  const search = createDocumentationSearch({
    passages: known,
    knowledge: {
      find(...asked) {
        searches += 1
        return knowledge.find(...asked)
      },
    },
  })
  return { search, searches: () => searches }
}

const urlsFor = async (question: string, limit = 10): Promise<readonly string[]> =>
  (await searchOf(passages).search.find(question, { limit })).pages.map(({ url }) => url)

test('who asks what a word means is shown the page of words first', async () => {
  const urls = await urlsFor('what is a zone?')
  expect(urls[0]).toBe('/docs/concepts#zone')
  expect(urls[1]).toBe('/docs/quick-start#make')
})

test('a heading is found as its words are being written, and each page once, at its best place', async () => {
  expect(await urlsFor('cust dom')).toEqual(['/docs/custom-domains'])
  expect(await urlsFor('ngi')).toEqual(['/docs/custom-domains#nginx'])
})

test('as many are shown as were asked for, and none where nothing fits', async () => {
  expect(await urlsFor('make a zone', 2)).toHaveLength(2)
  expect(await urlsFor('kubernetes')).toEqual([])
  expect(await urlsFor('?!')).toEqual([])
})

test('what was found by words alone is kept; what waits for a model is looked for again', async () => {
  const { search, searches } = searchOf(passages)
  for (let time = 0; time < 3; time += 1)
    await search.find('Zone', { limit: 3, byWordsAlone: true })
  expect(searches()).toBe(1)
  await search.find('zone', { limit: 3 })
  expect((await search.find('zone', { limit: 3 })).isDegraded).toBe(true)
  expect(searches()).toBe(3)
})

test('text has no marks, and names keep their underscores', () => {
  expect(plainText('The **zone** `a_b` has _one_ file `.sedge/_headers`, `_redirects` too.')).toBe(
    'The zone a_b has one file .sedge/_headers, _redirects too.',
  )
})
