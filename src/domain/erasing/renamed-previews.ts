import type { PreviewRecord } from '../../ports/records/preview.ts'

interface Dependencies {
  readonly previews: {
    all(): readonly PreviewRecord[]
    change(
      preview: PreviewRecord,
      change: (current: PreviewRecord) => PreviewRecord,
      audit: readonly never[],
    ): Promise<unknown>
  }
  /** What a commit is called by now. */
  readonly idNow: (commitId: string) => Promise<string>
}

/** Records what the commits of previews are called, after they were written anew. */
export async function renamePreviews({ previews, idNow }: Dependencies): Promise<void> {
  for (const preview of previews.all()) {
    const baseCommitId = await idNow(preview.baseCommitId)
    const headCommitId = await idNow(preview.headCommitId)
    const isSame = baseCommitId === preview.baseCommitId && headCommitId === preview.headCommitId
    if (isSame) continue
    // What was written to it meanwhile is newer than this.
    const renamed = (current: PreviewRecord): PreviewRecord =>
      current.headCommitId === preview.headCommitId
        ? { ...current, baseCommitId, headCommitId }
        : { ...current, baseCommitId }
    await previews.change(preview, renamed, [])
  }
}
