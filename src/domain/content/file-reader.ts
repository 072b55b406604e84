import type { BlobStore, ByteRange } from '../../ports/blob-store.ts'
import type { Tree } from '../../ports/content-store.ts'
import type { AssetRecord } from '../../ports/publication-store.ts'
import { ServiceError } from '../errors.ts'
import { type AssetPath, repositoryPath } from './asset-path.ts'

export interface FileReader {
  /** The bytes of a published asset, read lazily. */
  open(asset: AssetRecord, range?: ByteRange): Promise<Blob>
}

interface Dependencies {
  readonly blobs: BlobStore
  readonly tree: Pick<Tree, 'read'>
  readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void
}

/** Reads from the blob store, and puts back from the repository what the blob store has lost. */
export function createFileReader({ blobs, tree, warn }: Dependencies): FileReader {
  async function restore(asset: AssetRecord): Promise<void> {
    warn('a blob was missing and is restored from the repository', { path: asset.path })
    const bytes = await tree.read(repositoryPath(asset.path as AssetPath))
    if (!bytes) throw notReadable(asset)
    await using incoming = await blobs.receive(bytes)
    if (incoming.sha256 !== asset.sha256) throw notReadable(asset)
    await incoming.keep()
  }

  return {
    async open(asset, range) {
      const blob = await blobs.open(asset.sha256, range)
      if (blob) return blob
      await restore(asset)
      const restored = await blobs.open(asset.sha256, range)
      if (!restored) throw notReadable(asset)
      return restored
    },
  }
}

const notReadable = ({ path }: AssetRecord) =>
  new ServiceError('Unavailable', `The bytes of "${path}" cannot be read right now`)
