import { expect, test } from 'bun:test'

import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { createFeed } from '../feed.ts'
import { announceExpiries } from './expiry-announcer.ts'

const startMs = Date.UTC(2026, 10, 20)

function setUp() {
  const store = new MemoryPublicationStore(new MemoryDatabase())
  const assets = new Map<string, AssetRecord>()
  const clock = { nowMs: startMs }
  const failing = { isOn: false }
  const warnings: string[] = []
  const timers = new Set<() => void>()
  const put = (path: string, ms: number) =>
    assets.set(path, {
      path,
      zone: 'acme',
      category: 'logos',
      name: 'a.svg',
      format: 'svg',
      sizeBytes: 1,
      sha256: 'f'.repeat(64),
      contentType: 'image/svg+xml',
      createdAt: new Date(0),
      changedAt: new Date(0),
      commitId: 'c1',
      metadata: { expiresAt: new Date(startMs + ms) },
    })

  async function open() {
    const feed = createFeed({ store, onSubscriberFault: (fault) => warnings.push(String(fault)) })
    const announcer = await announceExpiries({
      store: {
        expiries: () => store.expiries(),
        async publish(publications) {
          if (failing.isOn) throw new Error('disk full')
          return await store.publish(publications)
        },
      },
      feed,
      published: { asset: (path) => assets.get(path), all: () => assets.values() },
      now: () => new Date(clock.nowMs),
      log: { warn: (message) => void warnings.push(message) },
      later(_ms, task) {
        timers.add(task)
        return () => void timers.delete(task)
      },
    })
    return { announcer, feed }
  }

  /** Lets time pass, and everything that waited for it be done. */
  async function pass(ms: number): Promise<void> {
    clock.nowMs += ms
    const due = [...timers]
    timers.clear()
    for (const task of due) task()
    await Bun.sleep(0)
  }
  const expired = async () =>
    (await store.feedAfter(0, 100)).map(({ event, path }) => [event, path])
  return { assets, expired, failing, open, pass, put, store, warnings }
}

test('each asset is told of once when its time is over, though nothing happens', async () => {
  const { expired, open, pass, put, store } = setUp()
  put('acme/v1/a.svg', 500)
  put('acme/v1/b.svg', 5_000)
  const { announcer } = await open()
  await pass(499)
  expect(await expired()).toEqual([])
  await pass(1)
  await pass(1_000)
  expect(await expired()).toEqual([['asset.expired', 'acme/v1/a.svg']])
  const [entry] = await store.feedAfter(0, 1)
  expect(entry?.data).toMatchObject({
    path: 'clients/acme/v1/a.svg',
    metadata: { expires: new Date(startMs + 500).toISOString() },
  })
  await announcer[Symbol.asyncDispose]()
})

test('what expired while nobody was there is told of at the next start, and then not again', async () => {
  const { expired, open, pass, put } = setUp()
  put('acme/v1/a.svg', -1_000)
  for (let start = 0; start < 3; start += 1) {
    const { announcer } = await open()
    await pass(1_000)
    await announcer[Symbol.asyncDispose]()
  }
  expect(await expired()).toEqual([['asset.expired', 'acme/v1/a.svg']])
})

test('an asset that comes back and expires once more is told of once more', async () => {
  const { expired, open, pass, put } = setUp()
  put('acme/v1/a.svg', -1_000)
  const { announcer, feed } = await open()
  await pass(0)
  put('acme/v1/a.svg', 3_000)
  feed.announce([
    {
      seq: 9,
      at: new Date(startMs),
      event: 'asset.updated',
      zone: 'acme',
      path: 'acme/v1/a.svg',
      commitId: 'c2',
      data: {},
    },
  ])
  await pass(3_000)
  expect(await expired()).toHaveLength(2)
  await announcer[Symbol.asyncDispose]()
})

test('where it cannot be written it is tried again until it is', async () => {
  const { expired, failing, open, pass, put, warnings } = setUp()
  put('acme/v1/a.svg', 100)
  failing.isOn = true
  const { announcer } = await open()
  await pass(100)
  await pass(1_000)
  expect(await expired()).toEqual([])
  expect(warnings.length).toBeGreaterThan(0)
  failing.isOn = false
  await pass(1_000)
  expect(await expired()).toHaveLength(1)
  await announcer[Symbol.asyncDispose]()
})

test('what was told of long ago is forgotten once the asset is gone', async () => {
  const { assets, open, pass, put, store } = setUp()
  put('acme/v1/a.svg', -1_000)
  put('acme/v1/b.svg', -1_000)
  const first = await open()
  await pass(0)
  await first.announcer[Symbol.asyncDispose]()
  assets.delete('acme/v1/a.svg')
  await pass(40 * 24 * 3600 * 1000)
  const second = await open()
  await second.announcer[Symbol.asyncDispose]()

  expect((await store.expiries()).map(({ path }) => path)).toEqual(['acme/v1/b.svg'])
})
