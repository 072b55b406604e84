import { expect, test } from 'bun:test'
import fc from 'fast-check'

import {
  categoryOf,
  decodePath,
  encodePath,
  formatOf,
  isAssetPath,
  parseAssetPath,
  parseDirectoryPath,
  repositoryPath,
} from './asset-path.ts'

const refusal = { name: 'ServiceError', code: 'InvalidParameter', target: 'path' }

test.each([
  ['akande/v1/logos/a.svg', 'akande/v1/logos/a.svg'],
  ['/akande/v1/logos/a.svg', 'akande/v1/logos/a.svg'],
  ['clients/akande/v1/logos/a.svg', 'akande/v1/logos/a.svg'],
  ['/clients/akande/v1/a.svg', 'akande/v1/a.svg'],
  ['akande/v1/logos/cafe\u0301.svg', 'akande/v1/logos/caf\u00e9.svg'],
  ['akande/v1/logos/with space.svg', 'akande/v1/logos/with space.svg'],
  ['akande/v1/.well-known/x', 'akande/v1/.well-known/x'],
])('%s is the asset %s', (text, path) => {
  expect(parseAssetPath(text) as string).toBe(path)
})

test.each([
  ['', 'nothing'],
  ['akande', 'a zone alone'],
  ['akande/v1', 'a directory alone'],
  ['akande/v2/a.svg', 'another version'],
  ['akande/zone.json', 'a file beside v1'],
  ['_headers', 'a rule file'],
  ['Akande/v1/a.svg', 'an upper-case zone'],
  ['//akande/v1/a.svg', 'two leading slashes'],
  ['akande//v1/a.svg', 'an empty segment'],
  ['akande/v1/logos/', 'a trailing slash'],
  ['akande/v1/../a.svg', 'a parent segment'],
  ['akande/v1/./a.svg', 'a dot segment'],
  ['akande/v1/a\\b.svg', 'a backslash'],
  ['akande/v1/a\u0000.svg', 'NUL'],
  ['akande/v1/a\n.svg', 'a newline'],
  ['akande/v1/a\u007f.svg', 'DEL'],
  ['akande/v1/a\u0085.svg', 'a C1 control'],
  ['akande/v1/\u202egnp.svg', 'reversed text'],
  ['akande/v1/a.svg.', 'a trailing dot'],
  ['akande/v1/a.svg ', 'a trailing space'],
  ['akande/v1/logos./a.svg', 'a directory that ends in a dot'],
  ['akande/v1/.git/config', '.git'],
  ['akande/v1/.GIT/config', '.GIT'],
  ['akande/v1/.gitignore', '.gitignore'],
  ['akande/v1/.g\u200cit/config', '.git with an ignorable code point'],
  ['akande/v1/git~1/config', 'the short name of .git'],
  ['akande/v1/logos/.keep', 'the placeholder'],
  [`akande/v1/${'a'.repeat(256)}`, 'a segment over 255 bytes'],
  [`akande/v1/${'é'.repeat(128)}`, 'a segment over 255 bytes in UTF-8'],
  [`akande/v1/${'a/'.repeat(510)}b`, 'a path over 1024 bytes'],
  ['akande/v1/\ud800.svg', 'a lone surrogate'],
])('%j is refused: %s', (text) => {
  expect(() => parseAssetPath(text)).toThrow(expect.objectContaining(refusal))
})

test('any text is an asset path or is refused, and nothing else happens', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (tail) => {
      try {
        const path = parseAssetPath(`akande/v1/${tail}`)
        expect(isAssetPath(path)).toBe(true)
      } catch (error) {
        expect(error).toMatchObject(refusal)
      }
    }),
  )
})

test('what is an asset path has no segment that leads elsewhere', () => {
  const segment = fc.constantFrom('..', '.', '', '.git', 'a', 'é', 'con', 'x y', '%2e', '~', 'v1')
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
      const text = ['zone-1', 'v1', ...segments].join('/')
      fc.pre(isAssetPath(text))
      expect(text.split('/').some((part) => ['', '.', '..', '.git'].includes(part))).toBe(false)
      expect(repositoryPath(parseAssetPath(text))).toBe(`clients/${text}`)
    }),
  )
})

test('encoding and decoding an asset path is the identity', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      fc.pre(isAssetPath(`zone/v1/${name}`))
      const path = parseAssetPath(`zone/v1/${name}`)
      expect(decodePath(encodePath(path))).toBe(path)
    }),
  )
})

test('bad escapes are refused', () => {
  for (const text of ['%', '%zz', '%c3', '%ff', 'a%2'])
    expect(() => decodePath(text)).toThrow(expect.objectContaining(refusal))
})

test('a directory is given with or without its slash and prefix', () => {
  for (const text of ['clients/akande/v1/logos/', '/akande/v1/logos/', 'akande/v1/logos'])
    expect(parseDirectoryPath(text) as string).toBe('akande/v1/logos')
  for (const text of ['', '/', 'clients', 'clients/', '/clients/'])
    expect(parseDirectoryPath(text) as string).toBe('')
})

test('the category is the segment after v1, or general', () => {
  expect(categoryOf(parseAssetPath('akande/v1/logos/a.svg'))).toBe('logos')
  expect(categoryOf(parseAssetPath('akande/v1/logos/deep/a.svg'))).toBe('logos')
  expect(categoryOf(parseAssetPath('akande/v1/a.svg'))).toBe('general')
})

test('the format is the extension in lower case', () => {
  expect(formatOf('a.SVG')).toBe('svg')
  expect(formatOf('a.tar.gz')).toBe('gz')
  expect(formatOf('.hidden')).toBe('')
  expect(formatOf('noext')).toBe('')
})
