import { expect, test } from 'bun:test'

import { renderMarkdown } from './render-markdown.ts'

const keep = {
  resolve: (href: string): string | undefined => (href.startsWith('/') ? href : undefined),
}
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
})

test('what is drawn with letters scrolls, with the keyboard too', () => {
  expect(htmlOf('```text\na\n```')).toContain('<pre class="drawn" tabindex="0">')
  expect(htmlOf('```\na\n```')).toContain('<pre class="drawn" tabindex="0">')
  expect(htmlOf('```sh\na\n```')).toContain('<pre><code')
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

test('a section can be linked to from its heading', () => {
  expect(htmlOf('# A\n\n## Two `b`')).toContain(
    '<h2 id="two-b"><a class="anchor" href="#two-b">Two <code>b</code></a></h2>',
  )
})

test('blocks of code below bold names are a group, in their order', () => {
  const html = htmlOf('**curl**\n\n```sh\ncurl a\n```\n\n**CLI**\n\n```sh\nsedge a\n```\n\nMore.')

  expect(html).toMatch(
    /^<div class="tabs"><section class="tab" data-name="curl"><p class="tab-name">curl<\/p><pre>[^]*<section class="tab" data-name="CLI">[^]*<\/section><\/div><p>More/u,
  )
  expect(htmlOf('**curl**\n\n```sh\na\n```\n\nMore.')).not.toContain('tabs')
  expect(htmlOf('**Note**\n\n```sh\na\n```\n\n**Note**\n\n```sh\na\n```')).not.toContain('tabs')
})

test('a diagram is put in the page without its own colours; other images are left out', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg"><style>text { fill: red }</style><text>a</text></svg>'
  const diagramOf = (source: string) => (source === 'images/a.svg' ? svg : undefined)
  const { html } = renderMarkdown('![A "b" & c](images/a.svg)\n\n![d](images/d.png)', {
    ...keep,
    diagramOf,
  })

  expect(html).toContain(
    '<span class="diagram" role="img" tabindex="0" aria-label="A &quot;b&quot; &amp; c">',
  )
  expect(html).toContain(
    '<svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg"><text>a</text>',
  )
  expect(html).not.toMatch(/<img|<style/u)
})
