import { expect, test } from 'bun:test'

import { imageSnippet, sourceSetSnippet, type SnippetSource, widthsOf } from './snippets.ts'

const source: SnippetSource = {
  origin: 'https://cdn.example',
  path: 'acme/v1/banners/a "b" & <c>.jpg',
  recipe: { w: '400', h: '300', q: '70' },
  width: 1600,
  height: 1067,
}

test('a snippet offers half, once and twice the width, never more than the original has', () => {
  expect(widthsOf(source)).toEqual([200, 400, 800])
  expect(widthsOf({ ...source, width: 500 })).toEqual([200, 400])
  expect(widthsOf({ ...source, width: 100 })).toEqual([100])
  expect(widthsOf({ ...source, recipe: {} })).toEqual([320, 640, 960, 1280])
})

test('heights follow widths where both were asked for', () => {
  expect(imageSnippet(source)).toContain('w=800&amp;h=600&amp;q=70 800w')
  expect(imageSnippet(source)).toContain('width="400"')
})

test('no file name can end an attribute or begin a tag', () => {
  for (const snippet of [imageSnippet(source), sourceSetSnippet(source)]) {
    expect(snippet).not.toContain('<c>')
    expect(snippet).not.toContain('"b"')
    expect(snippet).not.toMatch(/&(?!amp;|quot;)/u)
  }
})
