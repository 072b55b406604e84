import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { ContentStore } from '../../../ports/content/content-store.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { previewStateIn } from './version-names.ts'

/** Which commits are those of previews, and which are of what is or was live. */
export interface PreviewCommits {
  /**
   * By zone, the commit that its preview shows, or has shown since it was made, by the name of that state.
   * Zones that have no such preview are left out.
   */
  ofZones(state: string, zones: Iterable<string>): Promise<ReadonlyMap<string, CommitPoint>>
  /** What only a preview has is shown by the preview alone. */
  wasLive(commit: CommitPoint): Promise<boolean>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'buildsOn' | 'head'>
  readonly published: Pick<Manifest, 'preview'>
}

const rememberedCommits = 4096

export function createPreviewCommits({ content, published }: Dependencies): PreviewCommits {
  const liveIds = new LruCache<true>({ maxWeight: rememberedCommits, weigh: () => 1 })

  async function commitOf(text: string, zone: string): Promise<CommitPoint | undefined> {
    const state = previewStateIn(text)
    const preview = state && published.preview(zone, state.name)
    if (state === undefined || preview === undefined) return undefined
    const { headCommitId, changedAt } = preview
    const { headCommitId: id } = state
    const isItsOwn = id === headCommitId || (await content.buildsOn(headCommitId, id))
    return isItsOwn ? { id, committedAt: changedAt } : undefined
  }

  return {
    async ofZones(state, zones) {
      const commits = new Map<string, CommitPoint>()
      for (const zone of zones) {
        const commit = await commitOf(state, zone)
        if (commit !== undefined) commits.set(zone, commit)
      }
      return commits
    },
    async wasLive({ id }) {
      if (liveIds.get(id) !== undefined) return true
      const head = await content.head()
      if (head === undefined || !(await content.buildsOn(head, id))) return false
      liveIds.set(id, true)
      return true
    },
  }
}
