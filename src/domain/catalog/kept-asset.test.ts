import { expect, test } from 'bun:test'

import { assetAt, at } from '../../ports/content/publication-store.contract.ts'
import { plainAsset } from './fixtures/plain-asset.ts'
import { createKeeping } from './kept-asset.ts'

const asset = assetAt('acme/v1/icons/a.svg', {
  sha256: 'ab'.repeat(32),
  commitId: 'cd'.repeat(20),
  createdAt: at(1),
  changedAt: at(2),
  metadata: { title: 'A' },
})

test('what is kept of an asset says all that the asset says', () => {
  const { metadata: _metadata, ...bare } = asset
  const keep = createKeeping()
  for (const record of [asset, bare, { ...bare, commitId: 'cd'.repeat(32) }]) {
    const kept = keep(record)
    expect(kept).not.toBe(record)
    expect(plainAsset(kept)).toEqual(record)
    expect('metadata' in kept).toBe('metadata' in record)
  }
})

test('what is kept already, and what has something that does not fit, stays the record that it is', () => {
  const keep = createKeeping()
  const kept = keep(asset)
  expect(keep(kept)).toBe(kept)
  const odds = [
    { sha256: 'AB' },
    { sha256: 'AB'.repeat(32) },
    { sha256: `${'ab'.repeat(31)}-b` },
    { sha256: 'ab'.repeat(31), commitId: 'cd'.repeat(21) },
    { name: 'another' },
    { name: 'icons/a.svg' },
    { commitId: 'none' },
    { commitId: 'abc' },
    { commitId: 'cd'.repeat(33) },
  ]
  for (const odd of odds) {
    const record = { ...asset, ...odd }
    expect(keep(record)).toBe(record)
  }
})
