import type { ContentStore, Tree } from '../../../ports/content/content-store.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { type AssetPath, isAssetPath, zoneOf } from '../asset-path.ts'
import { maxSidecarBytes, parseSidecar, SidecarError } from '../metadata/sidecar.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'
import { pastAssetRecord, type PastFiles } from './past-files.ts'
import { createPreviewCommits } from './preview-commits.ts'
import { previewStateIn } from './version-names.ts'

/** What a commit has at some paths, in their order: `undefined` where it has no asset. */
export interface PinnedFiles {
  /** Its whole id; of the state of a preview its name, as it was asked for. */
  readonly commitId: string
  readonly assets: readonly (AssetRecord | undefined)[]
}

/**
 * Tells what commits have of zones that open their history, and what previews show; of any other zone, and of
 * what is older than a zone, nothing: a former zone of the name was somebody else's. What it tells never
 * changes while the zone is as it is.
 */
export interface PinSource {
  /**
   * `commit` is an id, or its first digits; or `stateOfPreview`. `undefined` where there is no such one. `address`: the IP
   * address of whoever wants to know, for a source that counts it.
   */
  assets(
    commit: string,
    paths: readonly string[],
    address?: string,
  ): Promise<PinnedFiles | 'ambiguous' | undefined>
  /** The newest commit of a moment; `undefined` where the zone was not there yet. */
  commitAt(zone: string, moment: Date, address?: string): Promise<string | undefined>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'at' | 'buildsOn' | 'commitAsOf' | 'commitNamed' | 'head'>
  readonly files: Pick<PastFiles, 'at'>
  readonly published: Pick<Manifest, 'preview' | 'zone'>
}

/** Asks the repository. */
export function createRepositoryPins({ content, files, published }: Dependencies): PinSource {
  const previews = createPreviewCommits({ content, published })

  /** Whether the zone that has the name now was there then, and may be shown as it was. */
  async function isOpen(name: string, commit: CommitPoint): Promise<boolean> {
    const zone = published.zone(name)
    return zone?.history !== undefined && (await isOfZone(zone, commit, content))
  }

  async function assetAt(commit: CommitPoint, path: AssetPath): Promise<AssetRecord | undefined> {
    const file = await files.at(commit.id, path)
    if (file === undefined) return undefined
    const tree = await content.at(commit.id)
    const metadata = tree && (await saidThen(tree, path))
    return { ...pastAssetRecord(file, commit), ...(metadata && { metadata }) }
  }

  /** `undefined` where there is no such preview: another of its name may come. */
  async function previewed(
    state: string,
    paths: readonly string[],
  ): Promise<PinnedFiles | undefined> {
    const commits = await previews.ofZones(state, new Set(paths.filter(isAssetPath).map(zoneOf)))
    if (commits.size === 0) return undefined
    const assets = paths.map(async (path) => {
      const commit = isAssetPath(path) ? commits.get(zoneOf(path)) : undefined
      return commit && (await assetAt(commit, path as AssetPath))
    })
    return { commitId: state, assets: await Promise.all(assets) }
  }

  return {
    async assets(text, paths) {
      if (previewStateIn(text) !== undefined) return await previewed(text, paths)
      const commit = await content.commitNamed(text)
      if (commit === undefined || commit === 'ambiguous') return commit
      if (!(await previews.wasLive(commit))) return undefined
      const assets = paths.map(async (path) =>
        isAssetPath(path) && (await isOpen(zoneOf(path), commit))
          ? await assetAt(commit, path)
          : undefined,
      )
      return { commitId: commit.id, assets: await Promise.all(assets) }
    },
    async commitAt(zone, moment) {
      const commit = await content.commitAsOf(moment)
      return commit && (await isOpen(zone, commit)) ? commit.id : undefined
    },
  }
}

/** Commits know whole seconds alone, so the time counts only where the commit is not known. */
export async function isOfZone(
  zone: ZoneRecord,
  commit: CommitPoint,
  content: Pick<ContentStore, 'buildsOn'>,
): Promise<boolean> {
  return zone.commitId === undefined
    ? commit.committedAt >= zone.createdAt
    : await content.buildsOn(commit.id, zone.commitId)
}

/** When it ends is for the present to say. */
async function saidThen(tree: Tree, path: AssetPath): Promise<AssetMetadata | undefined> {
  const found = await tree.find(sidecarPath(path))
  if (found?.kind !== 'file' || (await found.blob()).sizeBytes > maxSidecarBytes) return undefined
  try {
    const bytes = await tree.read(sidecarPath(path))
    const { expiresAt: _then, ...metadata } = parseSidecar(bytes ?? new Uint8Array()).metadata
    return metadata
  } catch (error) {
    if (error instanceof SidecarError) return undefined
    throw error
  }
}
