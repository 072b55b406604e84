import { takeTurns } from '../../lib/async/turns.ts'
import type { BlobRef, BlobStore } from '../../ports/content/blob-store.ts'
import type { ObjectVersions } from '../../ports/content/object-versions.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { type AssetPath, parseAssetPath } from '../content/asset-path.ts'
import { invalid, ServiceError } from '../errors.ts'

/** What is to be erased: all that a path ever had, or bytes by their SHA-256. */
export type ErasureTarget = { readonly path: string } | { readonly sha256: string }

/** A path that has, or had, bytes that are to be erased. */
export interface TargetFile {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  /** How many versions of it have them, as far as is known. */
  readonly commits: number
}

export interface FoundTarget {
  readonly path: AssetPath | undefined
  readonly blobs: readonly BlobRef[]
  /** Every file with these bytes, whatever zone it is of, by path. */
  readonly files: readonly TargetFile[]
}

interface Dependencies {
  readonly published: Pick<Catalog, 'asset' | 'all'>
  readonly versions: Pick<ObjectVersions, 'list' | 'withBytes'>
  readonly blobs: Pick<BlobStore, 'stat'>
}

/** One path that had more versions is to be erased by their SHA-256. */
const maxVersions = 10_000
const assetsPerTurn = 5_000
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Refuses with `AssetNotFound` where there never was such a thing. */
export async function findTarget(
  target: ErasureTarget,
  dependencies: Dependencies,
): Promise<FoundTarget> {
  const path = 'path' in target ? parseAssetPath(target.path, 'Path') : undefined
  const wanted = path === undefined ? [sha256In(target)] : await bytesEverAt(path, dependencies)
  // What is empty names nobody, and directories are made of it.
  const sha256s = wanted.filter((sha256) => sha256 !== emptySha256)
  const files = await filesWith(sha256s, dependencies)
  const blobs = await blobsOf(sha256s, files, dependencies)
  if (blobs.length === 0)
    throw new ServiceError('AssetNotFound', 'Nothing was ever stored that this names', {
      target: path === undefined ? 'Sha256' : 'Path',
    })
  return { path, blobs, files }
}

function sha256In(target: ErasureTarget): string {
  const text = 'sha256' in target ? target.sha256 : ''
  if (!/^[0-9a-f]{64}$/u.test(text)) throw invalid('Sha256', 'must be 64 lower-case hex digits')
  if (text === emptySha256) throw invalid('Sha256', 'must not be that of no bytes at all')
  return text
}

async function bytesEverAt(
  path: AssetPath,
  { published, versions }: Dependencies,
): Promise<readonly string[]> {
  const found = await versions.list({ from: path, before: `${path}\u0001`, limit: maxVersions })
  const now = published.asset(path)
  const all = found.flatMap(({ content }) => content?.sha256 ?? [])
  return [...new Set(now === undefined ? all : [now.sha256, ...all])]
}

async function filesWith(
  sha256s: readonly string[],
  { published, versions }: Dependencies,
): Promise<readonly TargetFile[]> {
  const wanted = new Set(sha256s)
  const byKey = new Map<string, TargetFile>()
  const add = (path: string, bytes: Omit<TargetFile, 'path' | 'commits'>, commits: number) => {
    const key = `${path} ${bytes.sha256}`
    byKey.set(key, { path, ...bytes, commits: (byKey.get(key)?.commits ?? 0) + commits })
  }
  for (const { path, content } of await versions.withBytes(sha256s, maxVersions))
    if (content !== undefined) add(path, pick(content), 1)
  const turns = takeTurns(assetsPerTurn)
  // As of one moment: what is moved meanwhile would be at neither of its places.
  const all = Array.from(published.all())
  for (const asset of all) {
    if (wanted.has(asset.sha256) && !byKey.has(`${asset.path} ${asset.sha256}`))
      add(asset.path, pick(asset), 1)
    await turns.after(1)
  }
  return [...byKey.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

const pick = ({ sha256, sizeBytes }: { readonly sha256: string; readonly sizeBytes: number }) => ({
  sha256,
  sizeBytes,
})

/** With how many bytes each has: by that the repository finds them. */
async function blobsOf(
  sha256s: readonly string[],
  files: readonly TargetFile[],
  { blobs }: Dependencies,
): Promise<readonly BlobRef[]> {
  const found = new Map(files.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]))
  for (const sha256 of sha256s) {
    const blob = found.has(sha256) ? undefined : await blobs.stat(sha256)
    if (blob !== undefined) found.set(sha256, blob.sizeBytes)
  }
  return Array.from(found, ([sha256, sizeBytes]) => ({ sha256, sizeBytes }))
}
