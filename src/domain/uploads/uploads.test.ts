import { expect, test } from 'bun:test'

import type { AssetPath } from '../content/asset-path.ts'
import { openUploads } from './uploads.fixture.ts'

test('a file arrives in pieces and is stored as by a put', async () => {
  const { uploads, actor, contentOf } = await openUploads()
  const { id, offset } = await uploads.create(
    { path: pathOf('acme/v1/a.txt'), sizeBytes: 6 },
    actor,
  )
  expect(offset).toBe(0)
  expect(await uploads.append(id, { offset: 0, body: text('abc') }, actor)).toMatchObject({
    offset: 3,
    written: undefined,
  })
  expect(await uploads.find(id, actor)).toMatchObject({ offset: 3, sizeBytes: 6 })
  const whole = await uploads.append(id, { offset: 3, body: text('def') }, actor)

  expect(whole).toMatchObject({ offset: 6, written: { outcome: 'created', sizeBytes: 6 } })
  expect(await contentOf('acme/v1/a.txt')).toBe('abcdef')
  expect(await uploads.find(id, actor)).toEqual(whole)
})

const text = (content: string) => new TextEncoder().encode(content)
const pathOf = (path: string) => path as AssetPath
