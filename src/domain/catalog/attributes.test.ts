import { expect, test } from 'bun:test'

import type { AssetMetadata } from '../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { type AttributeFilter, attributesPass } from './attributes.ts'

const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day))
const colours = {
  version: 1,
  sizeOf: () => undefined,
  namesOf: (sha256: string) => (sha256 === 'blue' ? ['dark blue'] : []),
  isHdr: (sha256: string) => sha256 === 'blue',
}

function passes(filter: AttributeFilter, metadata?: AssetMetadata, sha256 = ''): boolean {
  const asset = {
    sha256,
    createdAt: at(1),
    changedAt: at(5),
    ...(metadata && { metadata }),
  } as AssetRecord
  return attributesPass(filter, colours)?.(asset) ?? true
}

test('of tags all must be there', () => {
  const metadata = { tags: ['a', 'b'] }
  expect(passes({ tags: ['a', 'b'] }, metadata)).toBe(true)
  expect(passes({ tags: ['a', 'c'] }, metadata)).toBe(false)
  expect(passes({ tags: ['a'] })).toBe(false)
})

test('a field is compared as text, and of a list one value is enough', () => {
  const metadata = { custom: { season: 'summer', year: 2026, on: true, regions: ['eu', 'us'] } }
  const has = (name: string, value: string) => passes({ field: { name, value } }, metadata)
  expect([has('season', 'summer'), has('year', '2026'), has('on', 'true')]).toEqual([
    true,
    true,
    true,
  ])
  expect(has('regions', 'us')).toBe(true)
  expect([has('season', 'winter'), has('none', 'undefined'), has('toString', 'x')]).toEqual([
    false,
    false,
    false,
  ])
})

test('a colour has all words that are said', () => {
  expect(passes({ colour: ['blue'] }, undefined, 'blue')).toBe(true)
  expect(passes({ colour: ['dark', 'blue'] }, undefined, 'blue')).toBe(true)
  expect(passes({ colour: ['light', 'blue'] }, undefined, 'blue')).toBe(false)
  expect(passes({ colour: ['blue'] }, undefined, 'unknown')).toBe(false)
})

test('what goes beyond white is told from all others', () => {
  expect([passes({ hdr: true }, undefined, 'blue'), passes({ hdr: true })]).toEqual([true, false])
  expect([passes({ hdr: false }, undefined, 'blue'), passes({ hdr: false })]).toEqual([false, true])
})

test('a period begins with its first moment and ends before its last', () => {
  expect(passes({ created: { from: at(1), before: at(2) } })).toBe(true)
  expect(passes({ created: { before: at(1) } })).toBe(false)
  expect(passes({ changed: { from: at(6) } })).toBe(false)
  expect(passes({ expires: { before: at(9) } })).toBe(false)
  expect(passes({ expires: { before: at(9) } }, { expiresAt: at(8) })).toBe(true)
})

test('what is over is told from what is not', () => {
  const metadata = { expiresAt: at(3) }
  expect(passes({ expired: { is: true, at: at(3) } }, metadata)).toBe(true)
  expect(passes({ expired: { is: false, at: at(3) } }, metadata)).toBe(false)
  expect(passes({ expired: { is: false, at: at(3) } })).toBe(true)
})

test('missing is what nobody has said', () => {
  expect(passes({ missing: ['alt', 'title'] }, { title: 'x' })).toBe(false)
  expect(passes({ missing: ['alt'] }, { title: 'x' })).toBe(true)
})

test('a filter that says nothing narrows nothing', () => {
  expect(attributesPass({ created: {} }, colours)).toBeUndefined()
})
