import { expect, test } from 'bun:test'

import type { AssetRecord } from '../../ports/records/asset.ts'
import { type Candidate, rank } from './ranking.ts'

const candidate = (path: string, cosine: number | undefined, coverage = 0): Candidate => ({
  asset: { path } as AssetRecord,
  row: 0,
  match: { cosine, coverage },
  exact: 0,
  raw: (cosine ?? 0.1) + coverage,
})

const isKnown = { isDegraded: false, isMeant: true, showsAll: false }
const shown = (candidates: readonly Candidate[], knowledge = isKnown) =>
  rank(candidates, knowledge).map(({ asset, confidence }) => `${asset.path} ${confidence}`)

test('where nothing fits the five nearest are shown, and said to be no more than that', () => {
  const far = Array.from({ length: 40 }, (_, place) =>
    candidate(`${place + 10}`, 0.19 + place / 300),
  )
  expect(shown(far)).toEqual(['49 low', '48 low', '47 low', '46 low', '45 low'])
  expect(rank(far, { ...isKnown, showsAll: true })).toHaveLength(40)
})

test('what hardly fits is left out behind what does', () => {
  const good = Array.from({ length: 6 }, (_, place) => candidate(`good ${place}`, 0.6))
  const far = Array.from({ length: 6 }, (_, place) => candidate(`far ${place}`, 0.25))
  expect(shown([...far, ...good])).toEqual(good.map(({ asset }) => `${asset.path} high`))
})

test('what is a chance hit is not shown at all', () => {
  expect(shown([candidate('far', 0.1), candidate('farther', -0.2, 0.2)])).toEqual([])
})

test('what was stored a moment ago is shown for its name, however many others are near', () => {
  const near = Array.from({ length: 9 }, (_, place) => candidate(`near ${place}`, 0.25))
  const paths = shown([...near, candidate('new', undefined, 0.3)], { ...isKnown, isDegraded: true })
  expect(paths).toContain('new low')
})
