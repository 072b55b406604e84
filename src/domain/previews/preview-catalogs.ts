import { LruCache } from '../../lib/collections/lru-cache.ts'
import type { Log } from '../../lib/log.ts'
import { flatMapInTurns, sortInTurns } from '../../lib/async/in-turns.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { Commit, ContentStore, Tree } from '../../ports/content/content-store.ts'
import { type ContentLines, NoSuchLineError } from '../../ports/previews/content-lines.ts'
import { type AssetRecord, assetWith } from '../../ports/records/asset.ts'
import type { DirectoryMarker } from '../../ports/records/object-version.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewKey, PreviewRecord } from '../../ports/records/preview.ts'
import { type Catalog, createCatalog } from '../catalog/catalog.ts'
import {
  type AssetPath,
  clientsDirectory,
  isAssetPath,
  repositoryPath,
} from '../content/asset-path.ts'
import { contentTypeOf } from '../content/media-type.ts'
import { readSidecar } from '../content/metadata/stored-sidecar.ts'
import { assetOfSidecar } from '../content/metadata/sidecar-paths.ts'
import { pastAssetRecord } from '../content/past/past-files.ts'
import { zoneDirectory } from '../content/zone-settings.ts'
import { previewNotFound } from './preview-access.ts'
import { lineOf } from './preview-lines.ts'
import { markersOf } from './preview-markers.ts'
import { createPublishedOverlay } from '../publishing/published-overlay.ts'
import { publicationOf } from '../publishing/translation/publication-of.ts'

/** What a preview has, as the catalogue has what is live. */
export interface PreviewCatalog {
  readonly catalog: Catalog
  /** The commit that it shows. */
  readonly commitId: string
}

/**
 * Catalogues of the previews that somebody works with: made when they are asked for of what is live and what
 * the preview has otherwise, kept to what is committed to it, forgotten where others need the room.
 */
export interface PreviewCatalogs {
  of(preview: PreviewRecord): Promise<PreviewCatalog>
  /** What it has at these paths, whether its catalogue is made or not. */
  assets(
    preview: PreviewRecord,
    paths: readonly AssetPath[],
  ): Promise<ReadonlyMap<string, AssetRecord>>
  /** To be told of every commit of the preview, in order. */
  take(key: PreviewKey, commits: readonly Commit[]): Promise<void>
  forget(key: PreviewKey): void
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'at' | 'declaredTypes' | 'differing' | 'commitNamed'>
  readonly lines: Pick<ContentLines, 'at'>
  readonly blobs: Pick<BlobStore, 'read'>
  readonly published: Pick<Manifest, 'zone'> & {
    zoneFiles(name: string): readonly AssetRecord[]
    zoneMarkers(name: string): readonly DirectoryMarker[]
  }
  /** The newest commit that `published` shows. */
  readonly publishedCommitId: () => string | undefined
  readonly log: Pick<Log, 'warn'>
}

interface Entry {
  commitId: string
  readonly catalog: Catalog
}

/** So many assets are in catalogues of previews, all together; those of one preview may be more. */
const maxAssets = 500_000
const maxCatalogs = 64
const filesUnderWay = 16
/** Thousands of files let requests be answered meanwhile. */
const filesPerTurn = 2_000

export function createPreviewCatalogs(dependencies: Dependencies): PreviewCatalogs {
  const shelf = createShelf()

  async function open(preview: PreviewRecord): Promise<Entry> {
    const commitId = await headOf(preview, dependencies.lines)
    const catalog = createCatalog({
      schedule: (slice) => void setTimeout(slice, 5),
      runId: commitId,
    })
    const { assets, markers } = await contentsOf(preview, commitId, dependencies)
    const zone = dependencies.published.zone(preview.zone)
    if (zone === undefined) throw previewNotFound(preview.zone, preview.name)
    await catalog.load({ assets, markers, zones: [zone], ruleFiles: [] })
    shelf.weigh(keyOf(preview), assets.length)
    return { catalog, commitId }
  }

  return {
    async of(preview) {
      const key = keyOf(preview)
      const known = shelf.get(key) ?? open(preview)
      shelf.set(key, known)
      try {
        return await known
      } catch (error) {
        shelf.delete(key)
        throw error
      }
    },
    async assets(preview, paths) {
      const commitId = preview.headCommitId
      const tree = await dependencies.content.at(commitId)
      if (tree === undefined) throw previewNotFound(preview.zone, preview.name)
      const found = await recordsAt(tree, paths, { ...dependencies, commitId })
      return new Map(found.map((asset) => [asset.path, asset]))
    },
    async take(preview, commits) {
      const key = keyOf(preview)
      const opening = shelf.get(key)
      const entry = await opening?.catch(() => undefined)
      if (entry === undefined || shelf.get(key) !== opening) return
      const isMerge = commits.some(({ request }) => request.mergedId !== undefined)
      if (isMerge || entry.commitId !== commits[0]?.parentId) return shelf.delete(key)
      try {
        await apply(entry, preview, { ...dependencies, commits })
      } catch (error) {
        shelf.delete(key)
        throw error
      }
    },
    forget: (key) => shelf.delete(keyOf(key)),
  }
}

/** Those that were used last, as many as there is room for. */
function createShelf() {
  const entries = new LruCache<Promise<Entry>>({ maxWeight: maxCatalogs, weigh: () => 1 })
  const countByKey = new Map<string, number>()

  function remove(key: string): void {
    entries.delete(key)
    countByKey.delete(key)
  }

  return {
    get: (key: string) => entries.get(key),
    set: (key: string, entry: Promise<Entry>) => entries.set(key, entry),
    delete: remove,
    weigh(key: string, count: number): void {
      countByKey.delete(key)
      countByKey.set(key, count)
      let total = countByKey.values().reduce((sum, each) => sum + each, 0)
      for (const [other, size] of countByKey) {
        if (total <= maxAssets || other === key) return
        remove(other)
        total -= size
      }
    },
  }
}

const keyOf = ({ zone, name }: PreviewKey): string => `${zone}/${name}`

/** As each would be published. */
async function apply(
  entry: Entry,
  preview: PreviewKey,
  { commits, lines, blobs, log }: Dependencies & { readonly commits: readonly Commit[] },
): Promise<void> {
  const view = createPublishedOverlay(entry.catalog)
  for (const commit of commits) {
    const publication = await publicationOf(commit, {
      published: view,
      domainsOf: async () => [],
      blobs,
      tree: lines.at(lineOf(preview)),
      isThere: async () => true,
      audit: undefined,
      announce: false,
      log,
    })
    view.apply(publication)
    entry.catalog.apply([publication])
    entry.commitId = commit.id
  }
}

interface Contents {
  readonly assets: readonly AssetRecord[]
  readonly markers: readonly DirectoryMarker[]
}

/** Records of what is live stay the same objects where the preview has the same. */
async function contentsOf(
  { zone }: PreviewRecord,
  commitId: string,
  dependencies: Dependencies,
): Promise<Contents> {
  const { content, published, publishedCommitId } = dependencies
  const live = published.zoneFiles(zone)
  const liveMarkers = published.zoneMarkers(zone)
  const liveCommitId = publishedCommitId()
  const shown = liveCommitId === undefined ? undefined : await content.at(liveCommitId)
  const tree = await content.at(commitId)
  const commit = await content.commitNamed(commitId)
  if (shown === undefined || tree === undefined || commit === undefined || commit === 'ambiguous')
    throw new Error(`The repository has no commit ${commitId}`)
  const files = await content.differing(shown, commitId, zoneDirectory(zone))
  const differing = new Set(
    await flatMapInTurns(files, filesPerTurn, ({ path }) => {
      const asset = assetAt(zone, path)
      return asset === undefined ? [] : [asset]
    }),
  )
  const own = await recordsAt(tree, [...differing], { ...dependencies, commitId })
  const same = await flatMapInTurns(live, filesPerTurn, (asset) =>
    differing.has(asset.path as AssetPath) ? [] : [asset],
  )
  const paths = files.map(({ path }) => path)
  return {
    assets: await sortInTurns([...same, ...own], filesPerTurn, (a, b) =>
      a.path < b.path ? -1 : 1,
    ),
    markers: await markersOf(liveMarkers, { zone, tree, commit, paths }),
  }
}

/** The asset that a file is, or tells of. */
function assetAt(zone: string, path: string): AssetPath | undefined {
  const asset = path.slice(clientsDirectory.length + 1)
  return assetOfSidecar(zone, path) ?? (isAssetPath(asset) ? asset : undefined)
}

async function recordsAt(
  tree: Tree,
  paths: readonly AssetPath[],
  { content, commitId }: Pick<Dependencies, 'content'> & { readonly commitId: string },
): Promise<readonly AssetRecord[]> {
  const commit = await content.commitNamed(commitId)
  if (commit === undefined || commit === 'ambiguous') return []
  const typeByPath = await content.declaredTypes(commitId, paths.map(repositoryPath))
  const found = await mapConcurrently(
    paths,
    filesUnderWay,
    async (path): Promise<AssetRecord[]> => {
      const file = await tree.find(repositoryPath(path))
      if (file?.kind !== 'file') return []
      const { sha256, sizeBytes } = await file.blob()
      const contentType = typeByPath.get(repositoryPath(path)) ?? contentTypeOf(path)
      const { metadata } = await readSidecar(tree, path)
      const record = pastAssetRecord({ path, commitId, sha256, sizeBytes, contentType }, commit)
      return [Object.keys(metadata).length === 0 ? record : assetWith(record, { metadata })]
    },
  )
  return found.flat()
}

/** It may go between being found and being read. */
async function headOf(
  preview: PreviewRecord,
  lines: Dependencies['lines'],
): Promise<PreviewCatalog['commitId']> {
  try {
    return await lines.at(lineOf(preview)).head()
  } catch (cause) {
    throw cause instanceof NoSuchLineError ? previewNotFound(preview.zone, preview.name) : cause
  }
}
