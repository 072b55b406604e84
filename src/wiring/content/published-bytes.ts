import type { Catalog } from '../../domain/catalog/catalog.ts'
import {
  createPublishedBytes,
  type PublishedBytes,
} from '../../domain/content/delivered/published-bytes.ts'
import type { PastFiles } from '../../domain/content/past/past-files.ts'
import type { PreviewBlobs } from '../../domain/previews/preview-blobs.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Stores } from './stores.ts'
import type { World } from '../world.ts'

interface Sources {
  readonly catalog: Catalog
  readonly pastFiles: PastFiles
  readonly ofPreviews: Pick<PreviewBlobs, 'fileWith'>
}

/** Blobs as everybody reads them who delivers or makes something of them. */
export const openPublishedBytes = (
  { log, monotonicMs }: World,
  { blobs, content }: Stores,
  { catalog, pastFiles, ofPreviews }: Sources,
): PublishedBytes =>
  createPublishedBytes({
    blobs,
    tree: content,
    assetWith: (sha256) => assetWith(catalog, sha256),
    pastWith: async (sha256) =>
      (await pastFiles.source(sha256)) ?? (await ofPreviews.fileWith(sha256)),
    log,
    now: monotonicMs,
  })

/** Looks at every one: to be asked only where something is lost. */
function assetWith(catalog: Catalog, sha256: string): AssetRecord | undefined {
  for (const { name } of catalog.zones()) {
    const found = catalog.zoneFiles(name).find((asset) => asset.sha256 === sha256)
    if (found !== undefined) return found
  }
  return undefined
}
