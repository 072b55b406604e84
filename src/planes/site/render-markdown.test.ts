import { expect, test } from 'bun:test'

import { renderMarkdown } from './render-markdown.ts'

const keep = (href: string): string | undefined => (href.startsWith('/') ? href : undefined)
const htmlOf = (markdown: string): string => renderMarkdown(markdown, keep).html

test('title, summary and headings are text', () => {
  const page = renderMarkdown('# A `b` & c\n\nFirst *words*.\n\n## One <x>\n\n## One <x>\n', keep)

  expect(page).toMatchObject({ title: 'A b & c', summary: 'First words.' })
  expect(page.headings.map(({ text }) => text)).toEqual(['One <x>', 'One <x>'])
  expect(new Set(page.headings.map(({ id }) => id)).size).toBe(2)
})

test('HTML in a document is shown, not obeyed', () => {
  const hostile = [
    '<script>alert(1)</script>',
    'text <img src=x onerror=alert(1)> text',
    '| a |\n| --- |\n| <b onclick="x">c</b> |',
    '```sh\n</code><script>alert(1)</script>\n```',
    '```"onload="x\ncode\n```',
    '# <svg onload=alert(1)>',
  ]
  for (const markdown of hostile)
    expect(htmlOf(markdown)).not.toMatch(/<(?:script|img|svg|b)\b|<[^>]*\son\w+=/u)
})

test('a link leads where it is resolved to, or is text', () => {
  expect(htmlOf('[a](/b)')).toContain('<a href="/b">a</a>')
  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:x',
    'data:text/html,x',
    '&#106;avascript:x',
  ])
    expect(htmlOf(`[a](${href})`)).toBe('<p>a</p>\n')
})

test('what may be wider than the page can be scrolled with the keyboard', () => {
  expect(htmlOf('| a |\n| --- |\n| b |')).toMatch(/^<div class="table" tabindex="0"[^>]*><table>/u)
  expect(htmlOf('```sh\na\n```')).toContain('<pre tabindex="0">')
})

test('comments and strings of code are marked', () => {
  expect(htmlOf('```sh\necho "a # b" # c\n```')).toContain(
    'echo <span class="string">&quot;a # b&quot;</span> <span class="comment"># c</span>',
  )
  expect(htmlOf('```http\nA: "b" # c\n```')).not.toContain('<span')
})

test('notes to whoever edits the document are not shown', () => {
  expect(htmlOf('# A\n\n<!-- generated -->\n\nB')).not.toContain('generated')
})
