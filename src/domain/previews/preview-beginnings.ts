import { LruCache } from '../../lib/collections/lru-cache.ts'
import type { ContentStore } from '../../ports/content/content-store.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { PreviewBook } from './preview-book.ts'

export interface BeginningDependencies {
  readonly book: Pick<PreviewBook, 'change' | 'get'>
  readonly content: Pick<ContentStore, 'buildsOn' | 'history'>
  /** The newest commit that is published. */
  readonly liveCommitId: () => string | undefined
}

/** So far back a promotion is looked for that a kill came right after. */
const rememberedCommits = 50
const rememberedPreviews = 10_000

/** Where previews begin: what they and live have in common. */
export function createBeginnings({ book, content, liveCommitId }: BeginningDependencies) {
  const looked = new LruCache<true>({ maxWeight: rememberedPreviews, weigh: () => 1 })

  /** What was promoted is what the preview and live have in common from then on. */
  async function beginAt(preview: PreviewRecord, baseCommitId: string): Promise<void> {
    const isSame = (current: PreviewRecord) => current.baseCommitId === preview.baseCommitId
    await book.change(
      preview,
      (current) => (isSame(current) ? { ...current, baseCommitId } : current),
      [],
    )
  }

  /** A kill may have come right after a promotion: looked for once, when something is asked of it. */
  async function begun(preview: PreviewRecord): Promise<PreviewRecord> {
    const key = `${preview.zone}/${preview.name}/${preview.createdAt.getTime()}`
    const live = liveCommitId()
    if (looked.get(key) !== undefined || live === undefined) return preview
    const promoted = await lastPromoted(preview, live, content)
    if (promoted !== undefined) await beginAt(preview, promoted)
    looked.set(key, true)
    return book.get(preview) ?? preview
  }

  return { begun, beginAt }
}

/** Its newest commit since its base that live has merged. */
async function lastPromoted(
  { baseCommitId, headCommitId }: PreviewRecord,
  live: string,
  content: Pick<ContentStore, 'buildsOn' | 'history'>,
): Promise<string | undefined> {
  if (headCommitId === baseCommitId) return undefined
  const span = { since: baseCommitId, until: headCommitId }
  for (const { id } of await content.history('', rememberedCommits, span)) {
    if (id === baseCommitId) return undefined
    if (await content.buildsOn(live, id)) return id
  }
  return undefined
}
