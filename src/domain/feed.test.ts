import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'

import type { FeedEntry } from '../ports/records/feed.ts'
import { createFeed, inTurns } from './feed.ts'

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

test('very many entries are handed on in turns, in order, with what comes meanwhile, whatever fails, and until one leaves', async () => {
  const { feed, faults } = setUp()
  const seqs: number[] = []
  const sizes: number[] = []
  const subscription = inTurns(feed, (fault) => faults.push(fault)).subscribe((entries) => {
    sizes.push(entries.length)
    seqs.push(...entries.map(({ seq }) => seq))
    if (sizes.length === 2) throw new Error('a bug')
  })
  const many = Array.from({ length: 450 }, (_, index) => entry(index + 1))
  feed.announce(many)
  expect(sizes).toEqual([200])
  feed.announce([entry(451)])
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
  expect(sizes).toEqual([200, 200, 50, 1])
  expect(seqs).toEqual(Array.from({ length: 451 }, (_, index) => index + 1))
  expect(faults).toEqual([new Error('a bug')])
  feed.announce([entry(452)])
  expect(seqs.at(-1)).toBe(452)

  feed.announce(many)
  subscription[Symbol.dispose]()
  await setImmediate()
  await setImmediate()
  expect(seqs).toHaveLength(452 + 200)
})
