import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { Tree } from '../../ports/content/content-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { PublicationStore } from '../../ports/content/publication-store.ts'
import { type AssetPath, repositoryPath } from '../content/asset-path.ts'
import { placeOf } from '../publishing/place-of.ts'

export type FindingKind =
  /** The repository has a file that the catalogue does not show. */
  | 'not-catalogued'
  /** The catalogue shows a file that the repository does not have. */
  | 'not-in-repository'
  /** Both have the file, with different bytes. */
  | 'differs'
  /** The bytes are in the repository, but not in the blob store. */
  | 'blob-missing'
  /** What the blob store has under this name are other bytes. */
  | 'blob-damaged'

export interface Finding {
  readonly kind: FindingKind
  readonly path: string
  /** Whether it was put right. */
  readonly repaired: boolean
}

interface Dependencies {
  readonly tree: Tree
  readonly store: Pick<PublicationStore, 'assets'>
  readonly blobs: BlobStore
}

export interface InspectionOptions {
  /** Puts blobs back from the repository. What the catalogue shows wrongly, a rebuild mends. */
  readonly repair: boolean
  /** Is told after each file. */
  readonly onFile?: () => void
}

/** Compares repository, catalogue and blob store, file by file, reading every byte. */
export async function* inspect(
  { tree, store, blobs }: Dependencies,
  { repair, onFile }: InspectionOptions,
): AsyncIterable<Finding> {
  const catalogued = new Map<string, AssetRecord>()
  for await (const asset of store.assets()) catalogued.set(asset.path, asset)

  for await (const path of assetPathsOf(tree)) {
    const asset = catalogued.get(path)
    catalogued.delete(path)
    const finding = asset ? await inspectFile(asset, tree, blobs) : 'not-catalogued'
    if (finding) {
      const isBlob = finding === 'blob-missing' || finding === 'blob-damaged'
      const repaired = repair && isBlob && (await restore(path, { tree, blobs, asset }))
      yield { kind: finding, path, repaired }
    }
    onFile?.()
  }
  for (const path of catalogued.keys()) yield { kind: 'not-in-repository', path, repaired: false }
}

async function inspectFile(
  asset: AssetRecord,
  tree: Tree,
  blobs: BlobStore,
): Promise<FindingKind | undefined> {
  const file = await tree.find(repositoryPath(asset.path as AssetPath))
  if (file?.kind !== 'file' || (await file.blob()).sha256 !== asset.sha256) return 'differs'
  if (!(await blobs.stat(asset.sha256))) return 'blob-missing'
  return (await blobs.isIntact(asset.sha256)) ? undefined : 'blob-damaged'
}

interface Lost {
  readonly tree: Tree
  readonly blobs: BlobStore
  readonly asset: AssetRecord | undefined
}

async function restore(path: string, { tree, blobs, asset }: Lost): Promise<boolean> {
  if (!asset) return false
  // First out with what is wrong: the tree may read through the blob store.
  await blobs.remove(asset.sha256)
  const bytes = await tree.read(repositoryPath(path as AssetPath))
  if (!bytes) return false
  await using incoming = await blobs.receive(bytes)
  await incoming.keep()
  return incoming.sha256 === asset.sha256
}

/** Every file of the tree that is an asset, in no promised order. */
async function* assetPathsOf(tree: Tree, directory = ''): AsyncIterable<AssetPath> {
  for (const { name, kind } of await tree.children(directory)) {
    const path = directory === '' ? name : `${directory}/${name}`
    if (kind === 'directory') {
      yield* assetPathsOf(tree, path)
      continue
    }
    const place = placeOf(path)
    if (place.kind === 'asset') yield place.path
  }
}
