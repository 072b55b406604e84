import { highlight } from './highlight.ts'

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

/**
 * Markdown as HTML. HTML in it comes out as text, and a link leads where `resolve` says or, where that
 * is nowhere, is text: nothing that is written in a document can run.
 */
export function renderMarkdown(
  markdown: string,
  resolve: (href: string) => string | undefined,
): RenderedMarkdown {
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
    html: highlight(linked(html, resolve)),
  }
}

/** Tables may be wider than the page: they scroll by themselves, with the keyboard too. */
const linked = (html: string, resolve: (href: string) => string | undefined): string =>
  new HTMLRewriter()
    .on('a', {
      element(link) {
        const href = resolve(decoded(link.getAttribute('href') ?? ''))
        if (href === undefined) link.removeAndKeepContent()
        else link.setAttribute('href', href)
      },
    })
    .on('img', { element: (image) => void image.remove() })
    .on('pre', { element: (block) => void block.setAttribute('tabindex', '0') })
    .on('table', {
      element(table) {
        table.before('<div class="table" tabindex="0" role="group" aria-label="Table">', asHtml)
        table.after('</div>', asHtml)
      },
    })
    .transform(html)

const asHtml = { html: true } as const

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
