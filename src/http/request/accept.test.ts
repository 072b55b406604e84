import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  matchMediaType,
  parsePreferences,
  preferredEncoding,
  preferredLanguage,
  preferredMediaType,
} from './accept.ts'

const codings = ['zstd', 'br', 'gzip'] as const

const encodingCases: readonly [string | null, string | undefined][] = [
  [null, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip, br, zstd', 'zstd'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['gzip ; q = 0, br;q=0.001', 'br'],
  ['br;q=0', 'identity'],
  ['*', 'zstd'],
  ['*;q=0', undefined],
  ['*;q=0, identity', 'identity'],
  ['zstd;q=0, *', 'br'],
  ['identity;q=0', undefined],
  ['identity;q=0, gzip', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['bromine, gzipped', 'identity'],
  ['br;q=7', 'identity'],
  ['br;q=', 'identity'],
]

for (const [field, expected] of encodingCases)
  test(`Accept-Encoding ${field ?? '(absent)'} chooses ${expected ?? 'nothing'}`, () => {
    expect(preferredEncoding(field, codings)).toBe(expected as 'gzip')
  })

test('the most specific member decides about a media type', () => {
  const accept = 'image/*;q=0.5, image/avif, */*;q=0.1, image/png;q=0'
  expect(matchMediaType(accept, 'image/avif')).toEqual({ quality: 1, by: 'name' })
  expect(matchMediaType(accept, 'image/webp')).toEqual({ quality: 0.5, by: 'type-wildcard' })
  expect(matchMediaType(accept, 'text/html')).toEqual({ quality: 0.1, by: 'wildcard' })
  expect(matchMediaType(accept, 'image/png').quality).toBe(0)
  expect(matchMediaType('text/html', 'image/png').quality).toBe(0)
  expect(matchMediaType(null, 'image/png')).toEqual({ quality: 1, by: 'absence' })
})

test('the server decides between media types a client likes equally', () => {
  const offered = ['image/avif', 'image/webp'] as const
  expect(preferredMediaType('image/webp,image/avif,*/*;q=0.8', offered)).toBe('image/avif')
  expect(preferredMediaType('image/webp,image/avif;q=0.9', offered)).toBe('image/webp')
  expect(preferredMediaType('text/html', offered)).toBeUndefined()
  expect(preferredMediaType(null, offered)).toBe('image/avif')
})

test('commas and semicolons inside quoted parameters do not split members', () => {
  expect(parsePreferences('text/html;note="a,b;q=0\\"";q=0.5, text/plain')).toEqual([
    { name: 'text/html', quality: 0.5 },
    { name: 'text/plain', quality: 1 },
  ])
})

test('arbitrary fields never throw, and qualities stay between 0 and 1', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'abz*/;,q=01.9" \\\t'.split('')) }),
      (field) => {
        for (const { quality, name } of parsePreferences(field)) {
          expect(quality).toBeGreaterThanOrEqual(0)
          expect(quality).toBeLessThanOrEqual(1)
          expect(name).not.toBe('')
        }
        const chosen = preferredEncoding(field, codings)
        expect([...codings, 'identity', undefined]).toContain(chosen)
      },
    ),
  )
})

test('a language is chosen by its primary subtag, the one that is liked best', () => {
  const offered = ['en', 'de', 'ja'] as const
  expect(preferredLanguage('de-AT,en;q=0.8', offered)).toBe('de')
  expect(preferredLanguage('fr,ja;q=0.4,en;q=0.3', offered)).toBe('ja')
  expect(preferredLanguage('den,*', offered)).toBeUndefined()
  expect(preferredLanguage('de;q=0', offered)).toBeUndefined()
  expect(preferredLanguage(null, offered)).toBeUndefined()
})
