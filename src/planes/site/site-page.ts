import type { DocumentationSearch } from '../../domain/assistant/knowledge/documentation-search.ts'
import type { StaticFile } from '../../http/response/static-file.ts'
import type { Log } from '../../lib/log.ts'

export interface SiteDependencies {
  /** A file of the pages by name, e.g. `home.html`; `.js` is made from TypeScript. */
  readonly file: (name: string) => Promise<StaticFile>
  /** The documentation: Markdown by file name without `.md`. */
  readonly readDocuments: () => Promise<ReadonlyMap<string, string>>
  /** Diagrams of the documentation, as SVG by their name in it: `images/life-of-a-put.svg`. */
  readonly readDiagrams: () => Promise<ReadonlyMap<string, string>>
  /** Finds its pages. */
  readonly documentation: DocumentationSearch
  /** The program's own version. */
  readonly version: string
  readonly now: () => Date
  readonly newId: () => string
  readonly log: Log
}

/** Answers a `GET` or `HEAD` of a path, or says that it has nothing there. */
export type SitePage = (
  request: Request,
  path: string,
) => Promise<Response | undefined> | Response | undefined

/** Puts `values` in place of `{{name}}`. They are HTML: whoever calls has escaped what is text. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => values[name] ?? '')

/** Nothing runs, is loaded or is asked but what comes from here, and no other site may frame it. */
export const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}
