import type { BlobRef } from '../../ports/content/blob-store.ts'
import type { Tree } from '../../ports/content/content-store.ts'
import type { KeptChange, Merging } from './take-up.ts'

/** Files of which both changes can stay, and how. */
export interface FileMerger {
  merges(path: string): boolean
  /** `undefined` where what is there does not merge. `common` is `undefined` where there was no file. */
  merge(versions: {
    readonly common: Uint8Array | undefined
    readonly ours: Uint8Array
    readonly theirs: Uint8Array
  }): Uint8Array | undefined
  /** The files as a commit of ours left them. */
  at(commitId: string): Promise<Pick<Tree, 'read'> | undefined>
  read(sha256: string): Promise<Uint8Array | undefined>
  store(bytes: Uint8Array): Promise<BlobRef>
}

export interface NotedMerging extends Merging {
  /** What a commit of theirs left is what their next one begins with. */
  note(changes: readonly KeptChange[]): void
}

/** `commonId` is the newest commit that both sides have. */
export function createMerging(merger: FileMerger, commonId: string): NotedMerging {
  const leftByPath = new Map<string, { readonly contentId: string; readonly sha256: string }>()

  /** Rejects nothing: where nobody knows what they began with there is no merging. */
  async function beginning(change: KeptChange): Promise<Uint8Array | 'unknown' | undefined> {
    const { path, before } = change
    if (before === undefined) return undefined
    const left = leftByPath.get(path)
    if (left?.contentId === before) return (await merger.read(left.sha256)) ?? 'unknown'
    if (before !== change.common) return 'unknown'
    return (await (await merger.at(commonId))?.read(path)) ?? 'unknown'
  }

  return {
    note(changes) {
      for (const { path, after, blob } of changes)
        if (after !== undefined && blob !== undefined && merger.merges(path))
          leftByPath.set(path, { contentId: after.contentId, sha256: blob.sha256 })
    },
    async merge(change, ours) {
      if (!merger.merges(change.path)) return undefined
      const began = await beginning(change)
      const theirs = await merger.read(change.blob.sha256)
      if (began === 'unknown' || theirs === undefined) return undefined
      const merged = merger.merge({ common: began, ours, theirs })
      return merged && (await merger.store(merged))
    },
  }
}
