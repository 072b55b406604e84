import { expect, test } from 'bun:test'

import type { Deployment, Wanted } from './deployment.ts'
import {
  differenceLines,
  type PreviewDifference,
  type PreviewFile,
  sizesText,
} from './differences.ts'
import { markdownOf } from './markdown.ts'

const file = (Size: number, ContentType = 'image/png'): PreviewFile => ({
  Url: 'https://assets.example/@~pr-1/acme/v1/a(1) b.png',
  Size,
  ContentType,
  Checksum: '',
})
const changed = (
  Path: string,
  ...[before, after]: readonly [number, number]
): PreviewDifference => ({
  Path,
  Change: 'changed',
  Before: file(before),
  After: file(after),
})

const address = 'https://assets.example/@~pr-1/acme/v1/'
const wanted: Wanted = {
  directory: 'dist',
  zone: 'acme',
  prefix: 'v1',
  preview: 'pr-1',
  promotes: false,
  deletes: false,
  jobs: 4,
}

function deploymentOf(Differences: readonly PreviewDifference[]): Deployment {
  const counts = { Added: 0, Changed: Differences.length, Removed: 0, Conflicts: 0 }
  return {
    preview: {
      Zone: 'acme',
      Name: 'pr-1',
      Base: '',
      Head: '',
      Url: 'https://assets.example/@~pr-1/acme/v1/',
      HostUrl: null,
      Signed: false,
      DateCreated: '',
      DateChanged: '',
      Expires: '',
      CreatedBy: '',
      Added: 0,
      Changed: 0,
      Removed: 0,
    },
    created: [],
    changed: [],
    deleted: [],
    failed: [],
    unchanged: 0,
    sentBytes: 2048,
    hasIndex: false,
    differences: { Differences: [...Differences], ...counts },
    promotion: undefined,
    conflicts: [],
  }
}

test('sizes say how much smaller or larger a file is', () => {
  expect(sizesText(file(1000), file(500))).toBe('1000 B → 500 B (−50 %)')
  expect(sizesText(file(1024), file(3072))).toBe('1.0 KB → 3.0 KB (+200 %)')
  expect(sizesText(null, file(10))).toBe('10 B')
  expect(sizesText(file(10), null)).toBe('10 B')
  expect(sizesText(file(0), file(10))).toBe('0 B → 10 B')
})

test('what is otherwise is listed up to a number, and the rest is counted', () => {
  const all = [changed('v1/a.png', 10, 20), changed('v1/long.png', 10, 10)]
  const counts = { Added: 0, Changed: 7, Removed: 0, Conflicts: 1 }

  expect(differenceLines({ Differences: all, ...counts }, 2)).toBe(
    [
      'Against what is live: 0 added, 7 changed, 0 removed, 1 changed on both sides',
      '  ~ v1/a.png     10 B → 20 B (+100 %)',
      '  ~ v1/long.png  10 B → 10 B',
      '  … and 5 more',
      '',
    ].join('\n'),
  )
})

test('a comment shows images with their sizes, and counts other files', () => {
  const page = { ...changed('v1/index.html', 1, 2), After: file(2, 'text/html') }
  const text = markdownOf(deploymentOf([changed('v1/a.png', 1000, 500), page]), wanted, address)

  expect(text).toContain('<https://assets.example/@~pr-1/acme/v1/>')
  expect(text).toContain(
    '| [`v1/a.png`](https://assets.example/@~pr-1/acme/v1/a%281%29%20b.png) | changed | 1000 B → 500 B (−50 %) |',
  )
  expect(text).toContain('And 1 other file.')
  expect(text).toContain('2.0 KB sent')
})

test('whatever files are called, a comment stays a table within its bounds', () => {
  const names = ['a|b`c\n<img src=x onerror=alert(1)>', 'x'.repeat(1_000), 'é'.repeat(400)]
  const many = Array.from({ length: 900 }, (_, index) =>
    changed(`${names[index % 3]}${index}`, 10, 20),
  )
  const text = markdownOf(deploymentOf(many), wanted, address)

  expect(text.length).toBeLessThan(60_000)
  for (const line of text.split('\n').filter((each) => each.startsWith('|')))
    expect(line.match(/\|/gu)).toHaveLength(4)
  expect(text).toContain('| … and 860 more | | |')
  expect(text).not.toMatch(/^<img/mu)
})
