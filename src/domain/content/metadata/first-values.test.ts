import { expect, test } from 'bun:test'

import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import { firstValuesIn, withFirstValues } from './first-values.ts'

const first = {
  title: 'From the camera',
  tags: ['harbour'],
  sources: { title: 'iptc', tags: 'xmp' },
} as const

test('what a file says stands where no person said anything, with where it was read', () => {
  expect(withFirstValues({ title: 'Mine', licence: 'CC0' }, first)).toEqual({
    title: 'Mine',
    licence: 'CC0',
    tags: ['harbour'],
    sources: { tags: 'xmp' },
  })
})

test('what a file said before makes way for what it says now', () => {
  const before = withFirstValues({ licence: 'CC0' }, first)

  expect(withFirstValues(before, { title: 'New', sources: { title: 'svg' } })).toEqual({
    licence: 'CC0',
    title: 'New',
    sources: { title: 'svg' },
  })
  expect(withFirstValues(before, undefined)).toEqual({ licence: 'CC0' })
})

test('where nobody says anything there is nothing', () => {
  expect(withFirstValues(undefined, { sources: {} })).toBeUndefined()
  expect(withFirstValues(withFirstValues(undefined, first), undefined)).toBeUndefined()
})

test('what the file says can be taken out of all that is known and put back', () => {
  const all: AssetMetadata = {
    ...withFirstValues({ title: 'Mine' }, first),
    expiresAt: new Date(0),
  }

  expect(firstValuesIn(all)).toEqual({ tags: ['harbour'], sources: { tags: 'xmp' } })
  expect(withFirstValues(all, firstValuesIn(all))).toEqual(all)
})
