import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'

import { rich } from './rich-text.tsx'
import { plural, t } from './text.ts'

test('a text is said with its values in their places', () => {
  expect(t('Delete {name}', { name: 'acme' })).toBe('Delete acme')
  expect(t('{a} before {b}, {a} again', { a: 1, b: 2 })).toBe('1 before 2, 1 again')
})

test('a value with braces or dollars is put in as it is', () => {
  expect(t('Delete {name}', { name: '{name} $& {other}' })).toBe('Delete {name} $& {other}')
})

test('a count chooses its form and is written as numbers are', () => {
  expect(plural(1, { one: '{count} file', other: '{count} files' })).toBe('1 file')
  expect(plural(12_345, { one: '{count} file', other: '{count} files' })).toBe('12,345 files')
  expect(
    plural(
      0,
      { one: '{count} file of {zone}', other: '{count} files of {zone}' },
      { zone: 'acme' },
    ),
  ).toBe('0 files of acme')
})

test('elements stand where the text has them, and text is never markup', () => {
  const shown = rich('{path} leads to the <link>page of {zone}</link>.', {
    path: 'a/<b>.svg',
    zone: '<i>acme</i>',
    link: (text) => text.toUpperCase(),
  })
  expect(renderToStaticMarkup(shown)).toBe(
    'a/&lt;b&gt;.svg leads to the PAGE OF &lt;I&gt;ACME&lt;/I&gt;.',
  )
})
