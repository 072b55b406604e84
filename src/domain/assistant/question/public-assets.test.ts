import { expect, test } from 'bun:test'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import { createPublicAssets } from './public-assets.ts'
import { readRequest } from './request.ts'

const at = new Date(0)

function assetOf(path: string, sizeBytes: number): AssetRecord {
  const [zone = '', , category = ''] = path.split('/')
  const name = path.slice(path.lastIndexOf('/') + 1)
  return {
    path,
    zone,
    category,
    name,
    format: name.slice(name.lastIndexOf('.') + 1),
    sizeBytes,
    sha256: path,
    contentType: 'image/png',
    createdAt: at,
    changedAt: at,
    commitId: 'c',
  }
}

const paths = [
  'acme/v1/icons/a.svg',
  'acme/v1/icons/b.png',
  'acme/v1/logos/c.svg',
  'acme/v1/private/d.pdf',
  'only-private/v1/private/e.txt',
  'other/v1/icons/f.webp',
  'shut/v1/films/g.mp4',
]

async function open(changes: readonly AssetRecord[] = []) {
  const catalog = createCatalog({ schedule: () => {}, runId: 'test' })
  const zones = ['acme', 'other', 'only-private', 'shut'].map((name) => ({
    name,
    createdAt: at,
    enabled: true,
    suspended: name === 'shut',
  }))
  const assets = paths.map((path, place) => assetOf(path, 10 ** place))
  await catalog.load({ assets, zones, ruleFiles: [] })
  catalog.apply([{ assets: changes, feed: [] }])
  const listed: unknown[] = []
  const assetsOf = createPublicAssets(
    {
      ...catalog,
      list(query) {
        listed.push(query)
        return catalog.list(query)
      },
    },
    () => new Date(1_000),
  )
  return { assets: assetsOf, listed }
}

test('what there is is told from sums: no file is gone through, however many there are', async () => {
  const { assets, listed } = await open()

  expect(assets.zones({})).toEqual(['acme', 'other'])
  expect(assets.categories({})).toEqual(['icons', 'logos'])
  expect(assets.formats({})).toEqual(['png', 'svg', 'webp'])
  expect(assets.formats({ category: 'icons', zone: 'acme' })).toEqual(['png', 'svg'])
  expect(assets.count({})).toBe(4)
  expect(assets.count({ category: 'private' })).toBe(0)
  expect(assets.count({ formats: ['svg', 'webp'] })).toBe(3)
  expect(assets.count({ zones: new Set(['other']) })).toBe(1)
  expect(await assets.bytes({})).toBe(100_111)
  expect(await assets.bytes({ zone: 'acme', formats: ['svg'] })).toBe(101)
  readRequest('How many svg icons does acme have?', { assets, zones: undefined })
  expect(listed).toEqual([])
})

test('where words are looked for the sums are of what has them', async () => {
  const { assets } = await open()
  for (const [words, count, bytes] of [
    [['icons'], 3, 100_011],
    [['acme', 'svg'], 2, 101],
    [['private'], 0, 0],
    [['none'], 0, 0],
  ] as const)
    expect({ words, count: assets.count({ words }), bytes: await assets.bytes({ words }) }).toEqual(
      {
        words,
        count,
        bytes,
      },
    )
})

test('what is over is told of no more, what is over later is', async () => {
  const ending = (path: string, sizeBytes: number, ms: number): AssetRecord => ({
    ...assetOf(path, sizeBytes),
    metadata: { expiresAt: new Date(ms) },
  })
  const { assets } = await open([
    ending('acme/v1/icons/a.svg', 1, 1_000),
    ending('acme/v1/icons/b.png', 10, 1_001),
    ending('other/v1/icons/f.webp', 5, 0),
  ])

  expect(assets.find('acme/v1/icons/a.svg')).toBeUndefined()
  expect(assets.find('acme/v1/icons/b.png')).toBeDefined()
  expect(assets.count({ zone: 'acme' })).toBe(2)
  expect(assets.count({ words: ['v1'] })).toBe(2)
  expect(await assets.bytes({ zone: 'acme' })).toBe(110)
  expect(await assets.bytes({ words: ['icons'] })).toBe(10)
  const names = assets.first({}, { key: 'name', order: 'asc' }, 9).map(({ name }) => name)
  expect(names).toEqual(['b.png', 'c.svg'])
  expect(assets.zones({})).toEqual(['acme'])
  expect(assets.categories({ formats: ['svg'] })).toEqual(['logos'])
  expect(assets.formats({})).toEqual(['png', 'svg'])
})
