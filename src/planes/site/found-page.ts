import type { FoundPage } from '../../domain/assistant/knowledge/documentation-search.ts'
import type { Page } from './documentation.ts'

/** What a form without a script is answered with: pages that fit, or where to look on. */
export const foundPage = (
  question: string,
  pages: readonly FoundPage[],
  contents: string,
): Page => ({
  title: `Search: ${question}`,
  description: 'Pages of the documentation that fit',
  body: `<h1>Search</h1><p>${countOf(pages.length)} for <strong>${escape(question)}</strong></p>${listOf(pages)}`,
  contents,
  neighbours: '',
})

const escape = (text: string): string => Bun.escapeHTML(text)

const countOf = (count: number): string => {
  if (count === 0) return 'No results'
  return count === 1 ? '1 page' : `${count} pages`
}

const listOf = (pages: readonly FoundPage[]): string =>
  pages.length === 0
    ? '<p>Other words may do, or <a href="/docs/">all pages</a>.</p>'
    : `<ol class="results">${pages.map(itemOf).join('')}</ol>`

const itemOf = ({ page, heading, url, text }: FoundPage): string =>
  `<li><a href="${escape(url)}">${escape(heading === '' ? page : `${page} › ${heading}`)}</a><p>${escape(cut(text))}</p></li>`

const maxLength = 240

const cut = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, text.lastIndexOf(' ', maxLength))} …`
