import type { ContentStore, TreeFile } from '../../ports/content/content-store.ts'
import type { Log } from '../../lib/log.ts'
import { zoneDirectory } from '../content/zone-settings.ts'
import type { PreviewBook } from './preview-book.ts'

/** What previews have and live has not, or not any more. */
export interface PreviewBlobs {
  /** SHA-256s, some more than once. */
  all(): AsyncIterable<string>
  /** `<zone>/<name>` of each preview that has any of these bytes. */
  previewsWith(sha256s: readonly string[]): Promise<readonly string[]>
  /** The file of a preview that has these bytes. Looks at all of them: to be asked where something is lost. */
  fileWith(sha256: string): Promise<TreeFile | undefined>
}

interface Dependencies {
  readonly book: Pick<PreviewBook, 'all'>
  readonly content: Pick<ContentStore, 'at' | 'differing' | 'head'>
  readonly log: Pick<Log, 'warn'>
}

export function createPreviewBlobs({ book, content, log }: Dependencies): PreviewBlobs {
  async function* files(): AsyncGenerator<
    { readonly preview: string; readonly file: TreeFile },
    void
  > {
    const head = await content.head()
    const live = head === undefined ? undefined : await content.at(head)
    for (const { zone, name, headCommitId } of book.all()) {
      const shown = await content.at(headCommitId)
      if (live === undefined || shown === undefined) {
        log.warn('a preview has no commit in this repository', { zone, preview: name })
        continue
      }
      for (const { path, after } of await content.differing(
        live,
        headCommitId,
        zoneDirectory(zone),
      )) {
        const found = after === undefined ? undefined : await shown.find(path)
        if (found?.kind === 'file') yield { preview: `${zone}/${name}`, file: found }
      }
    }
  }

  return {
    async *all() {
      for await (const { file } of files()) yield (await file.blob()).sha256
    },
    async previewsWith(sha256s) {
      const found = new Set<string>()
      for await (const { preview, file } of files())
        if (sha256s.includes((await file.blob()).sha256)) found.add(preview)
      return [...found]
    },
    async fileWith(sha256) {
      for await (const { file } of files()) if ((await file.blob()).sha256 === sha256) return file
      return undefined
    },
  }
}
