import type { AssetRecord } from '../../../ports/records/asset.ts'
import { requireRenderable, withSoundSource, type Sources } from '../render/sources.ts'
import type { KnownMedia } from '../facts/known-media.ts'
import type { RenderQueue } from '../render/render-queue.ts'
import { parseAccept } from '../recipe/accepted-formats.ts'
import { parseRecipe } from '../recipe/recipe.ts'
import { createVariantRequests } from '../variant-requests.ts'
import type { SmallerCopies } from '../render/smaller-copies.ts'

/** An image as a model is shown it: a JPEG of at most 512 pixels each way, made while nobody waits. */
export type VisionImages = (asset: AssetRecord, signal: AbortSignal) => Promise<Uint8Array>

interface Dependencies extends Sources {
  readonly media: Pick<KnownMedia, 'find'>
  readonly queue: RenderQueue
  readonly copies: SmallerCopies
}

const priority = 'background'

/** Nothing of the file's own words is in it: metadata is left out. */
const recipe = parseRecipe(
  new URLSearchParams({
    width: '512',
    height: '512',
    fit: 'scale-down',
    format: 'jpeg',
    metadata: 'none',
  }),
)
const options = { recipe, accepted: parseAccept('*/*'), savesData: false }

export function createVisionImages(dependencies: Dependencies): VisionImages {
  const { media, queue } = dependencies
  const requests = createVariantRequests(dependencies)
  return async (asset, signal) => {
    requireRenderable(asset)
    const facts = await media.find(asset, signal, priority)
    const wanted = { asset, options, facts: { ...facts, focalPoint: undefined } }
    return await withSoundSource(dependencies, asset.sha256, async () => {
      const prepared = await requests.of(wanted).prepare()
      const { result } = await queue.run({ ...prepared, zone: asset.zone, priority, signal })
      return result.bytes
    })
  }
}
