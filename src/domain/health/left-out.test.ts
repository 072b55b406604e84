import { expect, test } from 'bun:test'

import { assetAt, zoneOf } from '../../ports/content/publication-store.contract.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { watchLeftOut } from './left-out.ts'

test('what is left out is counted from the start, and as it comes and goes', () => {
  const assets = new Map<string, AssetRecord>()
  const zones = new Map<string, ZoneRecord>([['acme', { ...zoneOf('acme'), fields: '{' }]])
  const put = (path: string, fault?: string) =>
    assets.set(path, assetAt(path, fault === undefined ? {} : { metadata: { fault } }))
  put('acme/v1/a', 'it is no JSON')
  put('acme/v1/b')
  let tell: (entries: readonly FeedEntry[]) => void = () => {}
  using leftOut = watchLeftOut({
    feed: {
      subscribe(listener) {
        tell = listener
        return { [Symbol.dispose]: () => {} }
      },
    },
    published: { asset: (path) => assets.get(path), zones: () => [...zones.values()] },
    all: () => assets.values(),
  })
  const entry = (event: FeedEntry['event'], path?: string): FeedEntry => ({
    seq: 1,
    at: new Date(0),
    event,
    zone: 'acme',
    path,
    commitId: undefined,
    data: {},
  })
  expect(leftOut.warnings()).toEqual([
    { name: 'metadata', count: 1 },
    { name: 'fields', count: 1 },
  ])
  put('acme/v1/b', 'title must be a text')
  zones.set('acme', { ...zoneOf('acme'), fields: '{}' })
  tell([entry('asset.updated', 'acme/v1/b'), entry('zone.updated')])
  expect(leftOut.warnings()).toEqual([{ name: 'metadata', count: 2 }])
  assets.delete('acme/v1/a')
  put('acme/v1/b')
  tell([entry('asset.deleted', 'acme/v1/a'), entry('asset.updated', 'acme/v1/b')])

  expect(leftOut.warnings()).toEqual([])
})
