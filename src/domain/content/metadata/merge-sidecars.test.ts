import { expect, test } from 'bun:test'

import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import { mergeSidecars } from './merge-sidecars.ts'
import { parseSidecar, serialiseSidecar } from './sidecar.ts'

const file = (metadata: AssetMetadata) =>
  serialiseSidecar({ metadata, others: {} }) ?? new TextEncoder().encode('{}')
const merge = (common: AssetMetadata | undefined, ours: AssetMetadata, theirs: AssetMetadata) => {
  const before = common && file(common)
  const bytes = mergeSidecars({ common: before, ours: file(ours), theirs: file(theirs) })
  return bytes && parseSidecar(bytes).metadata
}

test('what each changed is merged member by member, also where neither had the file before', () => {
  const alt = { de: 'eins', en: 'one' }
  expect(
    merge(
      { title: 'A', licence: 'MIT', alt, tags: ['a', 'b'], custom: { sku: 1, size: 2 } },
      {
        title: 'B',
        licence: 'MIT',
        alt: { ...alt, fr: 'un' },
        tags: ['b', 'c'],
        custom: { sku: 2, size: 2 },
      },
      { title: 'A', alt: { en: 'two' }, tags: ['a', 'b', 'd'], custom: { sku: 1 } },
    ),
  ).toEqual({
    title: 'B',
    alt: { en: 'two', fr: 'un' },
    tags: ['b', 'c', 'd'],
    custom: { sku: 2 },
  })
  expect(merge(undefined, { title: 'A', tags: ['a'] }, { licence: 'MIT', tags: ['b'] })).toEqual({
    title: 'A',
    licence: 'MIT',
    tags: ['a', 'b'],
  })
})

test('what both changed stays as ours', () => {
  const point = (x: number) => ({ focalPoint: { x, y: 0 } })
  expect(merge(point(0), point(0.5), point(1))).toEqual(point(0.5))
  expect(merge({ alt: { en: 'a' } }, { alt: { en: 'b' } }, { alt: { en: 'c' } })).toEqual({
    alt: { en: 'b' },
  })
})

test('what cannot be read, or is too much together, is not merged', () => {
  const bad = new TextEncoder().encode('<<<<<<<')
  expect(
    mergeSidecars({ common: undefined, ours: file({ title: 'A' }), theirs: bad }),
  ).toBeUndefined()
  const tags = (from: string) => Array.from({ length: 60 }, (_, index) => `${from}${index}`)
  expect(
    merge({ title: 'A' }, { title: 'A', tags: tags('a') }, { title: 'A', tags: tags('b') }),
  ).toBeUndefined()
})

test('what clients of S3 said is of one object: where both changed it, ours stays whole', () => {
  const of = (letter: string, user: Readonly<Record<string, string>>) => ({
    object: { sha256: letter.repeat(64), user },
  })
  const [before, mine, their] = [of('a', { x: '1' }), of('b', { x: '2' }), of('c', { y: '3' })]
  expect(merge(before, mine, their)).toEqual(mine)
  expect(merge(before, before, their)).toEqual(their)
  expect(merge(before, { ...before, title: 'A' }, their)).toEqual({ ...their, title: 'A' })
})
