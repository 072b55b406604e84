import { expect, test } from 'bun:test'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import { createDocuments } from './documents.ts'

const record = (path: string): AssetRecord => ({
  path,
  zone: 'a',
  category: 'x',
  name: path.slice(path.lastIndexOf('/') + 1),
  format: 'svg',
  sizeBytes: 1,
  sha256: '',
  contentType: 'image/svg+xml',
  createdAt: new Date(0),
  changedAt: new Date(0),
  commitId: '',
})

test('a number is given anew when all that held it have dropped it, and not before', () => {
  const documents = createDocuments(2)
  const first = documents.add(record('a/v1/x/1.svg'), 'a/v1/x')
  documents.remove(first)
  expect(documents.find('a/v1/x/1.svg')).toBeUndefined()

  documents.drop(first)
  const second = documents.add(record('a/v1/x/1.svg'), 'a/v1/x')
  expect(second).not.toBe(first)
  expect(documents.records[first]?.path).toBe('a/v1/x/1.svg')

  documents.drop(first)
  expect(documents.records[first]?.path).toBe('')
  expect(documents.add(record('a/v1/x/2.svg'), 'a/v1/x')).toBe(first)
})
