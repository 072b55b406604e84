import { highlight } from './highlight.ts'
import { grouped } from './tabs.ts'

export interface Heading {
  readonly id: string
  readonly text: string
}

export interface RenderedMarkdown {
  /** The text of the first heading. */
  readonly title: string
  /** The text of the first paragraph. */
  readonly summary: string
  /** Those of the second level, in order. */
  readonly headings: readonly Heading[]
  readonly html: string
}

/** What a document names outside of itself. */
export interface Surroundings {
  /** Where a link leads; `undefined` for nowhere. */
  readonly resolve: (href: string) => string | undefined
  /** An SVG of ours by the name that the document has for it. */
  readonly diagramOf?: (source: string) => string | undefined
}

/**
 * Markdown as HTML. HTML in it comes out as text, and a link leads where `resolve` says or, where that
 * is nowhere, is text: nothing that is written in a document can run. Diagrams are put in the page, so that
 * they have its colours; other images are left out.
 */
export function renderMarkdown(markdown: string, surroundings: Surroundings): RenderedMarkdown {
  const html = Bun.markdown.html(markdown.replaceAll(/<!--[\s\S]*?-->\n*/gu, ''), {
    headings: { ids: true },
    noHtmlBlocks: true,
    noHtmlSpans: true,
  })
  return {
    title: textOf(/<h1[^>]*>(.*?)<\/h1>/su.exec(html)?.[1]),
    summary: textOf(/<p>(.*?)<\/p>/su.exec(html)?.[1]),
    headings: [...html.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/gsu)].map(
      ([, id = '', inner = '']) => ({ id, text: textOf(inner) }),
    ),
    html: highlight(
      linked(
        grouped(html).replaceAll(drawn, scrolling).replaceAll('<th></th>', '<td></td>'),
        surroundings,
      ),
    ),
  }
}

/** Tables may be wider than the page: they scroll by themselves, with the keyboard too. */
const linked = (html: string, { resolve, diagramOf }: Surroundings): string =>
  new HTMLRewriter()
    .on('a', {
      element(link) {
        const href = resolve(decoded(link.getAttribute('href') ?? ''))
        if (href === undefined) link.removeAndKeepContent()
        else link.setAttribute('href', href)
      },
    })
    .on('h2, h3', {
      element(heading) {
        heading.prepend(`<a class="anchor" href="#${heading.getAttribute('id') ?? ''}">`, asHtml)
        heading.append('</a>', asHtml)
      },
    })
    .on('img', {
      element(image) {
        const svg = diagramOf?.(image.getAttribute('src') ?? '')
        if (svg === undefined) image.remove()
        else image.replace(diagram(svg, image.getAttribute('alt') ?? ''), asHtml)
      },
    })
    .on('table', {
      element(table) {
        table.before('<div class="table" tabindex="0" role="group" aria-label="Table">', asHtml)
        table.after('</div>', asHtml)
      },
    })
    .transform(html)

const asHtml = { html: true } as const

/** What is drawn with letters keeps its lines, and scrolls, with the keyboard too; code is wrapped. */
const drawn = /<pre>(?=<code(?: class="language-text")?>)/gu
const scrolling = '<pre class="drawn" tabindex="0">'

/** As a file it has colours of its own; here those of the page, which lets no style sheet in a picture. */
const diagram = (svg: string, escapedName: string): string =>
  `<span class="diagram" role="img" tabindex="0" aria-label="${escapedName}">${svg
    .replace(/^<\?xml[^>]*>\s*/u, '')
    .replace(/<style>[^<]*<\/style>\s*/u, '')
    .replace('<svg ', '<svg aria-hidden="true" ')}</span>`

/** What remains of HTML for a title, an attribute or a list: its text. */
const textOf = (html = ''): string =>
  decoded(html.replaceAll(/<[^<>]*>/gu, ''))
    .replaceAll(/\s+/gu, ' ')
    .trim()

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

const decoded = (html: string): string =>
  html.replaceAll(/&(?:lt|gt|quot|#39|amp);/gu, (entity) => characters[entity] ?? entity)
