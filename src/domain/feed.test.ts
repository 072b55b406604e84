import { expect, test } from 'bun:test'

import type { FeedEntry } from '../ports/records/feed.ts'
import { createFeed } from './feed.ts'

const entry = (seq: number): FeedEntry => ({
  seq,
  at: new Date(seq),
  event: 'purge.completed',
  zone: undefined,
  path: undefined,
  commitId: undefined,
  data: {},
})

function setUp() {
  const faults: unknown[] = []
  const heard: string[] = []
  const feed = createFeed({
    store: { feedAfter: async () => [] },
    onSubscriberFault: (fault) => faults.push(fault),
  })
  const hear = (who: string) => (entries: readonly FeedEntry[]) =>
    void heard.push(`${who} ${entries.map(({ seq }) => seq).join(' ')}`)
  return { feed, faults, heard, hear }
}

test('who prepares is called once, in its place, with what it prepared', async () => {
  const { feed, faults, heard, hear } = setUp()
  feed.subscribe(hear('first'))
  feed.subscribe(hear('second'), async (entries) => () => hear('second, prepared')(entries))
  feed.subscribe(hear('third'))
  const announce = await feed.prepare([entry(1), entry(2)])
  expect(heard).toEqual([])
  announce()
  feed.announce([entry(3)])

  expect(heard).toEqual([
    'first 1 2',
    'second, prepared 1 2',
    'third 1 2',
    'first 3',
    'second 3',
    'third 3',
  ])
  expect(faults).toEqual([])
})

test('who comes after it was prepared hears of it, who has left does not, and a fault keeps nobody else from it', async () => {
  const { feed, faults, heard, hear } = setUp()
  const leaving = feed.subscribe(hear('leaving'), async (entries) => () => hear('leaving')(entries))
  feed.subscribe(hear('failing'), async () => () => {
    throw new Error('a bug')
  })
  const announce = await feed.prepare([entry(1)])
  leaving[Symbol.dispose]()
  feed.subscribe(hear('late'))
  announce()

  expect(heard).toEqual(['late 1'])
  expect(faults).toEqual([new Error('a bug')])
})

test('what is announced is whole at the last number of the publication that began last', () => {
  const { feed } = setUp()
  expect(feed.wholeAt).toBe(0)
  feed.begin(20)
  expect(feed.wholeAt).toBe(20)
  // A feed that was restored gives the same numbers again.
  feed.begin(10)
  expect(feed.wholeAt).toBe(10)
})
