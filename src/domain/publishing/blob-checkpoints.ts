import type { Log } from '../../lib/log.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { ContentStore } from '../../ports/content/content-store.ts'

interface Dependencies {
  readonly content: Pick<ContentStore, 'head' | 'commitsAfter'>
  readonly blobs: Pick<BlobStore, 'checkpoint' | 'awaitsCheckpoint' | 'lastCheckpoint'>
  readonly log: Pick<Log, 'warn'>
}

/**
 * Blobs of written files are flushed after the response, many together: their commit holds the bytes as
 * well. The blob store's mark is the commit up to which it needs no commit any more.
 */
export interface BlobCheckpoints {
  /**
   * Brings back from the commits since the mark what a power cut has taken; before the first mark, from
   * all. What is not `published` yet needs nothing: publishing it keeps its blobs.
   */
  restore(published: string | undefined): Promise<void>
  /**
   * Moves the mark on to a commit whose blobs, and those of all before it, have been kept. Where it stands there
   * already, blobs of previews may wait: no commit that is read at the start brings those back.
   */
  advance(commitId: string | undefined): Promise<void>
}

export function createBlobCheckpoints({ content, blobs, log }: Dependencies): BlobCheckpoints {
  let mark: string | undefined

  /** Whoever reads a commit has its blobs kept. */
  async function keepBlobsAfter(commitId: string | undefined): Promise<void> {
    for await (const _ of content.commitsAfter(commitId));
  }

  return {
    async restore(published) {
      mark = await blobs.lastCheckpoint()
      if (published === undefined || mark === (await content.head())) return
      try {
        await keepBlobsAfter(mark)
      } catch (error) {
        log.warn('the blobs belong to another repository; all of them are looked at', { error })
        await keepBlobsAfter(undefined)
      }
    },
    async advance(commitId) {
      if (commitId === undefined) return
      if (commitId === mark && blobs.awaitsCheckpoint?.() !== true) return
      await blobs.checkpoint(commitId)
      mark = commitId
    },
  }
}
