import { expect, test } from 'bun:test'

import type { FeedEntry } from '../../../ports/records/feed.ts'
import { beginning, positionOf } from '../manifest/manifest-root.ts'
import { createRecentEntries } from './recent-entries.ts'

const entryOf = (seq: number): FeedEntry => ({
  seq,
  at: new Date(1_000 * seq),
  event: 'asset.updated',
  zone: 'acme',
  path: `acme/v1/icons/${seq}.svg`,
  commitId: undefined,
  // Of a file an edge needs no more than where it is.
  data: {},
})
const entries = (first: number, last: number): readonly FeedEntry[] =>
  Array.from({ length: last - first + 1 }, (_, index) => entryOf(first + index))

test('who was away has what came since, as it was', () => {
  const recent = createRecentEntries({ position: beginning, newest: [], maxRecent: 10 })
  recent.add(entries(1, 5))

  expect(recent.after(beginning, 100)).toEqual(entries(1, 5))
  expect(recent.after(positionOf(entryOf(3)), 100)).toEqual(entries(4, 5))
  expect(recent.after(positionOf(entryOf(5)), 100)).toEqual([])
  expect(recent.after(beginning, 2)).toEqual(entries(1, 2))
})

test('the oldest are forgotten, and who stands before them is refused', () => {
  const recent = createRecentEntries({ position: beginning, newest: [], maxRecent: 10 })
  for (const { seq } of entries(1, 21)) recent.add([entryOf(seq)])

  expect(recent.after(positionOf(entryOf(11)), 100)).toEqual(entries(12, 21))
  expect(recent.after(positionOf(entryOf(10)), 100)).toBeUndefined()
  expect(recent.after(beginning, 100)).toBeUndefined()
})

test('a place in another feed, and one that has not come, are refused', () => {
  const recent = createRecentEntries({ position: beginning, newest: [], maxRecent: 10 })
  recent.add(entries(1, 5))

  expect(recent.after({ seq: 3, atMs: 17 }, 100)).toBeUndefined()
  expect(recent.after(positionOf(entryOf(6)), 100)).toBeUndefined()
})

test('it goes on after a start from the newest that are stored', () => {
  const whole = createRecentEntries({
    position: positionOf(entryOf(3)),
    newest: entries(1, 3),
    maxRecent: 10,
  })
  expect(whole.after(beginning, 100)).toEqual(entries(1, 3))

  const cut = createRecentEntries({
    position: positionOf(entryOf(9)),
    newest: entries(5, 9),
    maxRecent: 10,
  })
  // Nobody knows when the one before them was.
  expect(cut.after(positionOf(entryOf(4)), 100)).toBeUndefined()
  expect(cut.after(positionOf(entryOf(5)), 100)).toEqual(entries(6, 9))
})

test('it begins anew after a place that no entries lead to', () => {
  const recent = createRecentEntries({ position: beginning, newest: [], maxRecent: 10 })
  recent.add(entries(1, 5))
  recent.clear(positionOf(entryOf(40)))
  recent.add(entries(41, 42))

  expect(recent.after(positionOf(entryOf(5)), 100)).toBeUndefined()
  expect(recent.after(positionOf(entryOf(40)), 100)).toEqual(entries(41, 42))
})
