import { expect, test } from 'bun:test'

import { surrogateTagsOf } from './surrogate-tags.ts'

const asset = { zone: 'acme', category: 'logos', format: 'svg', sha256: 'abcdef012345678' }

test('what persons call an asset is among its tags, as a tag may be spelled', () => {
  expect(surrogateTagsOf({ ...asset, metadata: { tags: ['leaf', 'süß', 'wild-life'] } })).toEqual([
    'zone-acme',
    'project-acme',
    'category-logos',
    'type-logos',
    'format-svg',
    'asset-abcdef012345',
    'all-assets',
    'tag-leaf',
    'tag-s__',
    'tag-wild-life',
  ])
})

test('tags that are spelled the same are one, and none is longer than a tag may be', () => {
  const tags = surrogateTagsOf({ ...asset, metadata: { tags: ['é', 'è', 'x'.repeat(64)] } })

  expect(tags.filter((tag) => tag.startsWith('tag-'))).toEqual(['tag-_', `tag-${'x'.repeat(64)}`])
  expect(tags.every((tag) => /^[A-Za-z0-9_-]{1,128}$/u.test(tag))).toBe(true)
})
