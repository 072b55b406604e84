import { expect, test } from 'bun:test'

import type { FeedEntry } from '../../ports/records/feed.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { forgetLetGo } from './forget-let-go.ts'

const [shown, former, other] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]

function openWorld() {
  const state = { since: undefined as Date | undefined, mark: undefined as string | undefined }
  const disk = new Set([shown, former])
  let listener: (entries: readonly FeedEntry[]) => void = () => {}
  const zones = (): readonly ZoneRecord[] => [
    {
      name: 'acme',
      createdAt: new Date(0),
      enabled: true,
      suspended: false,
      ...(state.since && { historySince: state.since }),
    },
  ]
  const start = () =>
    forgetLetGo({
      published: { zones, all: () => [{ sha256: shown }] },
      feed: {
        subscribe(each) {
          listener = each
          return { [Symbol.dispose]: () => {} }
        },
      },
      kept: () => disk,
      forget: async (sha256) => void disk.delete(sha256),
      mark: { read: async () => state.mark, write: async (text) => void (state.mark = text) },
      onFault: (error) => {
        throw error
      },
    })
  const letGo = (day: number) => {
    state.since = new Date(Date.UTC(2026, 0, day))
    const entry = { seq: 1, at: new Date(0), event: 'zone.updated' as const, data: {} }
    listener([{ ...entry, zone: 'acme', path: undefined, commitId: undefined }])
  }
  return { state, disk, start, letGo }
}

test('what is not published leaves the disk when a zone has let go of something', async () => {
  const { disk, start, letGo } = openWorld()
  using forgetting = start()
  await forgetting.settled()
  expect([...disk]).toEqual([shown, former])
  letGo(1)
  await forgetting.settled()

  expect([...disk]).toEqual([shown])
})

test('a restart looks the disk through only where something was missed', async () => {
  const { state, disk, start, letGo } = openWorld()
  using first = start()
  letGo(1)
  await first.settled()
  disk.add(other)
  using second = start()
  await second.settled()
  expect([...disk]).toEqual([shown, other])
  state.since = new Date(Date.UTC(2026, 0, 2))
  using third = start()
  await third.settled()

  expect([...disk]).toEqual([shown])
})
