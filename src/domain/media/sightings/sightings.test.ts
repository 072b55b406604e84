import { expect, test } from 'bun:test'

import { MemorySightingStore } from '../../../adapters/memory/media/memory-sighting-store.ts'
import { MemoryVisionModel } from '../../../adapters/memory/media/memory-vision-model.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Sighting } from '../../../ports/records/vision/sighting.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { VisionModelUnavailableError } from '../../../ports/vision/vision-model.ts'
import { ServiceError } from '../../errors.ts'
import { createDailyBudget } from './daily-budget.ts'
import { createSightings } from './sightings.ts'
import { soundSighting } from './sound-sighting.ts'

const leaf: Sighting = { alt: { en: 'A leaf' }, tags: ['leaf'], text: '', safety: 'safe' }
const staying = new AbortController().signal

const assetAt = (path: string, sha256: string): AssetRecord => ({
  path,
  zone: path.split('/')[0] ?? '',
  category: 'photos',
  name: path.slice(path.lastIndexOf('/') + 1),
  format: path.slice(path.lastIndexOf('.') + 1),
  sizeBytes: 1,
  sha256,
  contentType: 'image/png',
  createdAt: new Date(0),
  changedAt: new Date(0),
  commitId: 'c',
})

type Reply = Sighting | 'prose' | 'unavailable' | { readonly retryAfterMs: number }

interface SetUp {
  readonly reply?: () => Reply
  readonly zone?: Partial<ZoneRecord>
  readonly limit?: number
}

function setUp({ reply = () => leaf, zone = {}, limit = 100 }: SetUp = {}) {
  const at = new Date('2026-03-01T12:00:00Z')
  const waits: number[] = []
  const store = new MemorySightingStore()
  const model = new MemoryVisionModel(reply)
  const now = () => at
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms)
    at.setTime(at.getTime() + ms)
  }
  const countSince = (moment: Date) => store.countSince(moment)
  const sightings = createSightings({
    store,
    model,
    images: async ({ sha256 }) => {
      if (sha256 === 'damaged') throw new ServiceError('UnprocessableImage', 'is damaged')
      return new TextEncoder().encode(sha256)
    },
    budget: createDailyBudget({ limit, countSince, now, wait }),
    zone: (name) => ({ name, createdAt: at, enabled: true, suspended: false, ...zone }),
    now,
    wait,
  })
  const shown: string[] = []
  sightings.subscribe((path) => void shown.push(path))
  const look = (path: string, sha256: string) => sightings.look(assetAt(path, sha256), staying)
  return { sightings, model, store, waits, shown, look }
}

test('the same bytes are looked at once, and told of under each of their paths', async () => {
  const { look, model, shown } = setUp({ zone: { languages: ['de', 'en'] } })
  await Promise.all([look('acme/v1/a.png', 'one'), look('other/v1/b.png', 'one')])
  await look('acme/v1/c.png', 'one')

  expect(model.requests.map(({ languages }) => languages)).toEqual([['de', 'en']])
  expect(shown.toSorted()).toEqual(['acme/v1/a.png', 'acme/v1/c.png', 'other/v1/b.png'])
})

test('prose and damaged images come to nothing, and are not tried again', async () => {
  const { look, model, sightings, shown } = setUp({ reply: () => 'prose' })
  for (const _ of [1, 2]) await look('acme/v1/a.png', 'one')
  for (const _ of [1, 2]) await look('acme/v1/b.png', 'damaged')

  expect(model.requests).toHaveLength(1)
  expect((await sightings.of('one'))?.sighting).toBeUndefined()
  expect(await sightings.isOverlooked(assetAt('acme/v1/b.png', 'damaged'))).toBe(false)
  expect(shown).toEqual([])
})

test('a model that is away is asked again, each time later, and nothing is kept meanwhile', async () => {
  let reply: Reply = 'unavailable'
  const { look, sightings, waits } = setUp({ reply: () => reply })
  for (const _ of [1, 2, 3])
    expect(await look('acme/v1/a.png', 'one').catch((error: unknown) => error)).toBeInstanceOf(
      VisionModelUnavailableError,
    )
  expect(waits).toEqual([5_000, 10_000])
  expect(await sightings.of('one')).toBeUndefined()
  reply = leaf
  await look('acme/v1/a.png', 'one')
  await look('acme/v1/b.png', 'two')
  expect(waits).toEqual([5_000, 10_000, 20_000])
})

test('a model that asks to be left alone is, for an hour at most', async () => {
  let retryAfterMs = 120_000
  const { look, waits } = setUp({ reply: () => ({ retryAfterMs }) })
  const unavailable = (error: unknown) => error
  await look('acme/v1/a.png', 'one').catch(unavailable)
  retryAfterMs = 30 * 86_400_000
  for (const _ of [1, 2]) await look('acme/v1/a.png', 'one').catch(unavailable)
  expect(waits).toEqual([120_000, 3_600_000])
})

test('what a day has room for is shared by all, and the next day has room again', async () => {
  const { look, waits, store } = setUp({ limit: 2 })
  await store.save('before', { seenAt: new Date('2026-03-01T01:00:00Z'), sighting: leaf })
  await look('acme/v1/a.png', 'one')
  expect(waits).toEqual([])
  await look('acme/v1/b.png', 'two')
  expect(waits).toEqual([12 * 3_600_000])
})

test('a zone that wants none, and what is no image, are left alone', async () => {
  const { look, model, sightings } = setUp({ zone: { vision: 'off' } })
  await look('acme/v1/a.png', 'one')
  await setUp().look('acme/v1/a.pdf', 'one')

  expect(model.requests).toEqual([])
  expect(await sightings.isOverlooked(assetAt('acme/v1/a.png', 'one'))).toBe(false)
  expect(
    setUp({ zone: { vision: 'off', moderation: 'hold' } }).sightings.isSeen({
      zone: 'acme',
      format: 'png',
    }),
  ).toBe(true)
})

test('what was said is bounded words, without markup or marks of direction', () => {
  const said = soundSighting({
    alt: { en: `<b>A\u202e leaf</b>\n${'x'.repeat(1_000)}`, de: ' ' },
    tags: ['Summer  Sale', 'summer sale', '', 'x'.repeat(500), '(a)', 'ü'],
    text: `{{a}} \`b\` ${'y'.repeat(5_000)}`,
    safety: 'borderline',
  })

  expect(said.alt['en']).toStartWith('b A leaf /b xxx')
  expect(said.alt['en']?.length).toBeLessThanOrEqual(300)
  expect(Object.keys(said.alt)).toEqual(['en'])
  expect(said.tags).toEqual(['a', 'summer-sale', 'ü'])
  expect(said.text).toStartWith('a b yyy')
  expect(said.text.length).toBeLessThanOrEqual(1_000)
  expect(said.safety).toBe('borderline')
})
