import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { Actor } from '../../access/actor.ts'
import { type AssetPath, zoneOf } from '../asset-path.ts'
import type { Committer } from '../committer.ts'
import { refuseConflicts, requireWritableZone } from '../write-guards.ts'
import type { AssetHistory } from './asset-history.ts'
import { currentBlob, outcomeOf, putOf, storedContent, type WrittenFile } from './put/file-put.ts'
import { requireOpenZone } from './files.ts'

/** Brings earlier versions of files back. */
export interface RestoredVersions {
  /** The file as a commit left it, with what was known of it then, in place of what is there. */
  apply(path: AssetPath, commitId: string, actor: Actor): Promise<WrittenFile>
}

interface Dependencies {
  readonly history: Pick<AssetHistory, 'restorable'>
  readonly blobs: Pick<BlobStore, 'stat'>
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  readonly publisher: Committer
}

export const createRestoredVersions = ({
  history,
  blobs,
  published,
  publisher,
}: Dependencies): RestoredVersions => ({
  async apply(path, commitId, actor) {
    const { file, beside } = await history.restorable(path, commitId, actor)
    requireOpenZone(path, actor, published)
    const { blob, content } = await storedContent(file, blobs)
    const wanted = { ...putOf(path, blob, file.contentType), content }
    let outcome: WrittenFile['outcome'] = 'unchanged'
    await publisher.commit(
      {
        action: 'storage.restore',
        target: path,
        subject: `Restore ${path} as of ${commitId.slice(0, 10)}`,
        actor,
        meta: { size: blob.sizeBytes, checksum: blob.sha256, restoredFrom: commitId },
      },
      async (tree) => {
        await requireWritableZone(tree, zoneOf(path))
        await refuseConflicts(tree, path)
        outcome = outcomeOf(wanted, await currentBlob(tree, path), published.asset(path))
        return [...(outcome === 'unchanged' ? [] : [wanted]), ...(await beside(tree))]
      },
    )
    return { path, ...blob, outcome }
  },
})
