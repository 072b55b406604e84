import { type Heading, renderMarkdown, type RenderedMarkdown } from './render-markdown.ts'
import { navigationOf } from './navigation.ts'

/** The pages of the documentation, by path. */
export type Documentation = ReadonlyMap<string, Page>

export interface Page {
  readonly title: string
  readonly description: string
  /** HTML, each of them. */
  readonly body: string
  readonly contents: string
  readonly neighbours: string
}

/** Makes the pages from the texts of the Markdown files, by file name without `.md`. */
export function createDocumentation(texts: ReadonlyMap<string, string>): Documentation {
  const documents = new Map(
    [...texts].map(([name, text]) => [
      name,
      renderMarkdown(text, (href) => resolveLink(href, texts)),
    ]),
  )
  const sections = navigationOf([...texts.keys()])
  const order = sections.flatMap(({ pages }) => pages)
  const contents = (current: string) =>
    sections
      .map(({ title, pages }) => {
        const links = pages.map((page) => contentsLink(page, documents, page === current))
        return `<h2>${escape(title)}</h2><ul>${links.join('')}</ul>`
      })
      .join('')
  const pages = new Map<string, Page>()
  pages.set('/docs/', {
    title: 'Documentation',
    description: 'How to use Sedge and how to run it',
    body: indexBody(sections, documents),
    contents: contents(''),
    neighbours: '',
  })
  for (const [index, name] of order.entries()) {
    const document = documents.get(name)
    if (document === undefined) continue
    pages.set(`/docs/${name}`, {
      title: document.title,
      description: document.summary,
      body: withOutline(document),
      contents: contents(name),
      neighbours: neighbours(order[index - 1], order[index + 1], documents),
    })
  }
  return pages
}

type Documents = ReadonlyMap<string, RenderedMarkdown>

/** Files of the documentation are pages here; the interface's description has a page of its own. */
function resolveLink(href: string, texts: ReadonlyMap<string, string>): string | undefined {
  if (/^(?:#|https?:\/\/|\/)/u.test(href)) return href
  if (href === 'openapi.json') return '/api/docs'
  const [, name = '', fragment = ''] = /^([\w-]+)\.md(#.*)?$/u.exec(href) ?? []
  return texts.has(name) ? `/docs/${name}${fragment}` : undefined
}

const escape = (text: string): string => Bun.escapeHTML(text)

const titleOf = (name: string, documents: Documents): string =>
  escape(documents.get(name)?.title ?? name)

const contentsLink = (name: string, documents: Documents, isCurrent: boolean): string =>
  `<li><a href="/docs/${name}"${isCurrent ? ' aria-current="page"' : ''}>${titleOf(name, documents)}</a></li>`

const maxOutlineSkip = 2

/** A long page says at its top what is on it. */
function withOutline({ html, headings }: RenderedMarkdown): string {
  if (headings.length <= maxOutlineSkip) return html
  return html.replace('</h1>', () => `</h1>${outline(headings)}`)
}

const outline = (headings: readonly Heading[]): string =>
  `<nav class="outline" aria-label="On this page"><ul>${headings
    .map(({ id, text }) => `<li><a href="#${escape(id)}">${escape(text)}</a></li>`)
    .join('')}</ul></nav>`

function neighbours(
  previous: string | undefined,
  next: string | undefined,
  documents: Documents,
): string {
  const link = (name: string, rel: string, arrow: (title: string) => string) =>
    `<a rel="${rel}" href="/docs/${name}">${arrow(titleOf(name, documents))}</a>`
  const links = [
    ...(previous === undefined ? [] : [link(previous, 'prev', (title) => `← ${title}`)]),
    ...(next === undefined ? [] : [link(next, 'next', (title) => `${title} →`)]),
  ]
  return `<nav class="neighbours" aria-label="Pages before and after">${links.join('')}</nav>`
}

function indexBody(sections: ReturnType<typeof navigationOf>, documents: Documents): string {
  const entry = (name: string) =>
    `<dt><a href="/docs/${name}">${titleOf(name, documents)}</a></dt><dd>${escape(firstSentence(documents.get(name)?.summary ?? ''))}</dd>`
  const list = sections.map(
    ({ title, pages }) =>
      `<h2>${escape(title)}</h2><dl class="index">${pages.map(entry).join('')}</dl>`,
  )
  return `<h1>Documentation</h1><p>How to use Sedge and how to run it. The endpoints themselves, to read and to try, are at <a href="/api/docs">/api/docs</a>.</p>${list.join('')}`
}

const firstSentence = (text: string): string =>
  /^.*?[.:](?=\s|$)/u.exec(text)?.[0].replace(/:$/u, '.') ?? text
