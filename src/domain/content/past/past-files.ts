import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { Slots } from '../../../lib/async/slots.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { ContentStore, TreeFile } from '../../../ports/content/content-store.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import {
  type AssetPath,
  categoryOf,
  fileNameOf,
  formatOf,
  isAssetPath,
  repositoryPath,
  zoneOf,
} from '../asset-path.ts'
import { contentTypeOf } from '../media-type.ts'

/** A file as a commit has it, which never changes. */
export interface PastFile {
  readonly path: AssetPath
  readonly commitId: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly contentType: string
}

/** What commits had. Whether somebody may see it is for others to say. */
export interface PastFiles {
  /**
   * The file that a commit, by its whole id, has at a path; `undefined` where it has none, or the
   * newest commit does not build on it. Its bytes may have to be brought: {@link PastFiles.source}.
   */
  at(commitId: string, path: string): Promise<PastFile | undefined>
  /** Where the repository has bytes that {@link PastFiles.at} has found of late. */
  source(sha256: string): Promise<TreeFile | undefined>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'at' | 'declaredType'>
}

/** About 300 bytes each. */
const rememberedFiles = 20_000
const atOnce = 8

/**
 * Reads what commits had from the repository as it is asked for. What was found is remembered as long as
 * there is room, and so is what was not: neither changes.
 */
export function createPastFiles({ content }: Dependencies): PastFiles {
  const known = new LruCache<PastFile | null>({ maxWeight: rememberedFiles, weigh: () => 1 })
  const placeBySha256 = new LruCache<PastFile>({ maxWeight: rememberedFiles, weigh: () => 1 })
  const flights = createSingleFlight<PastFile | undefined>()
  const slots = new Slots(atOnce)

  async function find(commitId: string, path: AssetPath): Promise<PastFile | undefined> {
    using _slot = await slots.take()
    const key = `${commitId} ${path}`
    const tree = await content.at(commitId)
    // The commit may come yet.
    if (tree === undefined) return undefined
    const found = await tree.find(repositoryPath(path))
    if (found?.kind !== 'file') {
      known.set(key, null)
      return undefined
    }
    const { sha256, sizeBytes } = await found.blob()
    const declared = await content.declaredType(commitId, repositoryPath(path))
    const contentType = declared ?? contentTypeOf(fileNameOf(path))
    const file = { path, commitId, sha256, sizeBytes, contentType }
    known.set(key, file)
    placeBySha256.set(sha256, file)
    return file
  }

  return {
    async at(commitId, path) {
      if (!isAssetPath(path)) return undefined
      const key = `${commitId} ${path}`
      const remembered = known.get(key)
      if (remembered !== undefined) return remembered ?? undefined
      return await flights.share(key, () => find(commitId, path))
    },
    async source(sha256) {
      const place = placeBySha256.get(sha256)
      const tree = place && (await content.at(place.commitId))
      const found = place && (await tree?.find(repositoryPath(place.path)))
      return found?.kind === 'file' ? found : undefined
    },
  }
}

/** The file as an asset of then, without anything that was said of it. */
export function pastAssetRecord(
  { path, sizeBytes, sha256, contentType }: PastFile,
  commit: CommitPoint,
): AssetRecord {
  const name = fileNameOf(path)
  return {
    path,
    zone: zoneOf(path),
    category: categoryOf(path),
    name,
    format: formatOf(name),
    sizeBytes,
    sha256,
    contentType,
    createdAt: commit.committedAt,
    changedAt: commit.committedAt,
    commitId: commit.id,
  }
}
