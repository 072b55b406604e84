import {
  type Heading,
  renderMarkdown,
  type RenderedMarkdown,
  type Surroundings,
} from './render-markdown.ts'
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

/** Markdown by file name without `.md`, and SVG by the name that the Markdown has for it. */
interface Sources {
  readonly texts: ReadonlyMap<string, string>
  readonly diagrams: ReadonlyMap<string, string>
}

/** Makes the pages from the Markdown files. */
export function createDocumentation({ texts, diagrams }: Sources): Documentation {
  const surroundings: Surroundings = {
    resolve: (href) => resolveLink(href, texts),
    diagramOf: (source) => diagrams.get(source),
  }
  const documents = new Map(
    [...texts].map(([name, text]) => [name, renderMarkdown(text, surroundings)]),
  )
  const sections = navigationOf([...texts.keys()])
  const firstSection = sections[0]?.title
  const order = sections.flatMap(({ pages }) => pages)
  const contents = (current: string) =>
    sections
      .map(({ title, pages }) => {
        const links = pages.map((page) => contentsLink(page, documents, page === current))
        const isOpen = current === '' || pages.includes(current) || title === firstSection
        return `<details${isOpen ? ' open' : ''}><summary>${escape(title)}</summary><ul>${links.join('')}</ul></details>`
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
      description: firstSentence(document.summary),
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
  `<nav class="outline" aria-label="On this page"><div><p>On this page</p><ul>${headings
    .map(({ id, text }) => `<li><a href="#${escape(id)}">${escape(text)}</a></li>`)
    .join('')}</ul></div></nav>`

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
      `<section><h2>${escape(title)}</h2><dl class="index">${pages.map(entry).join('')}</dl></section>`,
  )
  return `<h1>Documentation</h1><p>How to use Sedge and how to run it. The endpoints themselves, to read and to try, are at <a href="/api/docs">/api/docs</a>. Each page is there as Markdown too: add <code>.md</code> to its URL; <a href="/llms.txt">/llms.txt</a> lists them for programs.</p><div class="sections">${list.join('')}</div>`
}

const firstSentence = (text: string): string =>
  /^.*?[.:](?=\s|$)/u.exec(text)?.[0].replace(/:$/u, '.') ?? text
