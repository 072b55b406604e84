import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { ContentStore, Recoverable, Tree } from '../../ports/content/content-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { PublicationStore } from '../../ports/content/publication-store.ts'
import { type AssetPath, repositoryPath } from '../content/asset-path.ts'
import { putBack } from '../content/delivered/put-back.ts'
import { placeOf } from '../publishing/translation/place-of.ts'

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
  /** The blob store alone had the bytes, and they are missing there or damaged. A backup may have them. */
  | 'blob-lost'

export interface Finding {
  readonly kind: FindingKind
  readonly path: string
  /** Whether it was put right. */
  readonly repaired: boolean
}

interface Dependencies {
  readonly tree: Tree & Pick<ContentStore, 'outsideBlobs'>
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
  dependencies: Dependencies,
  options: InspectionOptions,
): AsyncIterable<Finding> {
  const seen = new Set<string>()
  yield* inspectAssets(dependencies, options, seen)
  yield* inspectEarlier(dependencies, options, seen)
}

async function* inspectAssets(
  { tree, store, blobs }: Dependencies,
  { repair, onFile }: InspectionOptions,
  seen: Set<string>,
): AsyncIterable<Finding> {
  const catalogued = new Map<string, AssetRecord>()
  for await (const asset of store.assets()) catalogued.set(asset.path, asset)

  for await (const path of assetPathsOf(tree)) {
    const asset = catalogued.get(path)
    catalogued.delete(path)
    if (asset === undefined) yield { kind: 'not-catalogued', path, repaired: false }
    else {
      seen.add(asset.sha256)
      yield* inspectFile(asset, { tree, blobs, repair })
    }
    onFile?.()
  }
  for (const path of catalogued.keys()) yield { kind: 'not-in-repository', path, repaired: false }
}

/** What only earlier commits name and do not hold: a version that is asked for needs it. */
async function* inspectEarlier(
  { tree, blobs }: Dependencies,
  { repair }: InspectionOptions,
  seen: ReadonlySet<string>,
): AsyncIterable<Finding> {
  for await (const outside of tree.outsideBlobs()) {
    const { sha256 } = outside
    if (seen.has(sha256)) continue
    const path = `an earlier version (${sha256})`
    yield* inspectBlob({ sha256, path, lost: outside }, { blobs, repair })
  }
}

interface Scope {
  readonly tree: Tree
  readonly blobs: BlobStore
  readonly repair: boolean
}

async function* inspectFile(
  { path, sha256 }: AssetRecord,
  { tree, blobs, repair }: Scope,
): AsyncIterable<Finding> {
  const file = await tree.find(repositoryPath(path as AssetPath))
  if (file?.kind !== 'file' || (await file.blob()).sha256 !== sha256)
    yield { kind: 'differs', path, repaired: false }
  else yield* inspectBlob({ sha256, path, lost: file }, { blobs, repair })
}

interface Inspected {
  readonly sha256: string
  readonly path: string
  readonly lost: Recoverable
}

async function* inspectBlob(
  { sha256, path, lost }: Inspected,
  { blobs, repair }: Omit<Scope, 'tree'>,
): AsyncIterable<Finding> {
  const isThere = (await blobs.stat(sha256)) !== undefined
  if (isThere && (await blobs.isIntact(sha256))) return
  if (repair && (await putBack(sha256, lost, blobs)))
    yield { kind: isThere ? 'blob-damaged' : 'blob-missing', path, repaired: true }
  else yield { kind: await kindOf(lost, isThere), path, repaired: false }
}

async function kindOf(lost: Recoverable, isThere: boolean): Promise<FindingKind> {
  const original = await lost.original()
  if (original === undefined) return 'blob-lost'
  if (original instanceof ReadableStream) await original.cancel()
  return isThere ? 'blob-damaged' : 'blob-missing'
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
