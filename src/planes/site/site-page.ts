import type { StaticFile } from '../../http/response/static-file.ts'
import type { Log } from '../../lib/log.ts'

export interface SiteDependencies {
  /** A file of the pages by name, e.g. `home.html`; `.js` is made from TypeScript. */
  readonly file: (name: string) => Promise<StaticFile>
  /** The documentation: Markdown by file name without `.md`. */
  readonly readDocuments: () => Promise<ReadonlyMap<string, string>>
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
