import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { named, quoted } from './quoted-text.ts'

test('a file name is code, however it is written', () => {
  expect(quoted('acme/v1/logos/[x](javascript:alert(1)).svg')).toBe(
    '`acme/v1/logos/[x](javascript:alert(1)).svg`',
  )
  expect(quoted('a`b``c')).toBe('```a`b``c```')
  expect(quoted('`<img src=x onerror=alert(1)>`')).toBe('`` `<img src=x onerror=alert(1)>` ``')
})

test('a plain name stays a word', () => {
  expect(named('social-cards 2')).toBe('social-cards 2')
  expect(named('<b>')).toBe('`<b>`')
})

test('property: what a reader of Markdown sees is one piece of code, with the very text in it', () => {
  const names = fc.string({ minLength: 1, maxLength: 60 }).filter((name) => !/[\n\r]/u.test(name))
  fc.assert(
    fc.property(fc.oneof(names, fc.stringMatching(/^[`<>a[\]()!]{1,20}$/u)), (name) => {
      const shown = Bun.markdown.html(`It is ${quoted(name)} [1].`)
      const [, code, rest] = /^<p>It is <code>([^<]*)<\/code>([^<]*)<\/p>\n$/u.exec(shown) ?? []
      expect({ rest, text: decoded(code ?? '').trim() }).toEqual({
        rest: ' [1].',
        text: name.trim(),
      })
    }),
  )
})

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}
const decoded = (html: string): string =>
  html.replace(/&(?:lt|gt|quot|#39|amp);/gu, (entity) => characters[entity] ?? entity)
