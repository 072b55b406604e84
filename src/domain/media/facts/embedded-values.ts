import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  EmbeddedMetadata,
  EmbeddedMetadataStore,
} from '../../../ports/media/embedded-metadata.ts'
import { isSameMetadata } from '../../../ports/records/asset-metadata.ts'
import { type AssetRecord, assetWith } from '../../../ports/records/asset.ts'
import { withFirstValues } from '../../content/metadata/first-values.ts'
import { ServiceError } from '../../errors.ts'
import type { Publisher } from '../../publishing/publisher.ts'
import type { RenderQueue } from '../render/render-queue.ts'
import { type Sources, sourcePath, withSoundSource } from '../render/sources.ts'
import { embeddedFormatOf } from './embedded-format.ts'
import type { Looking } from './follow-files.ts'

interface Dependencies extends Sources {
  readonly store: EmbeddedMetadataStore
  readonly blobs: Pick<BlobStore, 'open'>
  readonly queue: RenderQueue
  readonly publisher: Pick<Publisher, 'revise'>
}

const formats: ReadonlySet<string> = new Set('jpg jpeg png webp gif avif svg tif tiff'.split(' '))
const nothing: EmbeddedMetadata = { sources: {} }

/**
 * First values of what is known of an asset: what its file says of itself, read once for each file, in
 * the child that may be harmed by it. They stand below what persons say.
 */
export function createEmbeddedValues(dependencies: Dependencies): Looking {
  const { store, blobs, queue, publisher } = dependencies

  async function read(asset: AssetRecord, signal: AbortSignal): Promise<EmbeddedMetadata> {
    const format = await embeddedFormatOf(blobs, asset)
    if (format === undefined) return nothing
    const path = await sourcePath(dependencies, asset)
    const job = { kind: 'embedded', path, format } as const
    const cost = { kind: 'embedded', cpuMs: 3 }
    const { zone } = asset
    return (await queue.run({ job, cost, zone, priority: 'background', signal })).result
  }

  async function find(asset: AssetRecord, signal: AbortSignal): Promise<EmbeddedMetadata> {
    const known = await store.find(asset.sha256)
    if (known !== undefined) return known
    const found = await withSoundSource(dependencies, asset.sha256, () =>
      read(asset, signal),
    ).catch(nothingOfDamaged)
    await store.save(asset.sha256, found)
    return found
  }

  return {
    async isOverlooked(asset) {
      if (!formats.has(asset.format)) return false
      const found = await store.find(asset.sha256)
      return found === undefined || isMissing(asset, found)
    },
    async look(asset, signal) {
      if (!formats.has(asset.format)) return
      const found = await find(asset, signal)
      if (isMissing(asset, found))
        await publisher.revise(asset.path, (current) =>
          current.sha256 === asset.sha256 && isMissing(current, found)
            ? withFirst(current, found)
            : undefined,
        )
    },
  }
}

const isMissing = ({ metadata }: AssetRecord, found: EmbeddedMetadata): boolean =>
  !isSameMetadata(metadata, withFirstValues(metadata, found))

const withFirst = (asset: AssetRecord, found: EmbeddedMetadata): AssetRecord =>
  assetWith(asset, { metadata: withFirstValues(asset.metadata, found) })

/** A damaged file says nothing, and is not read again. */
function nothingOfDamaged(error: unknown): EmbeddedMetadata {
  if (error instanceof ServiceError && error.code === 'UnprocessableImage') return nothing
  throw error
}
