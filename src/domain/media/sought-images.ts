import { type AssetRecord, assetWith } from '../../ports/records/asset.ts'
import type { KnownMedia } from './facts/known-media.ts'
import type { Shown } from './facts/stored-facts.ts'
import type { FocusedFacts } from './recipe/plan/gravity.ts'
import type { TransformOptions } from './recipe/plan/output-plan.ts'
import { type Findings, needsAnalysis } from './recipe/plan/transform-plan.ts'
import { type DrawnCards, hasNothingToSee } from './stills/drawn-cards.ts'
import { isImageFormat } from './stills/still-formats.ts'
import { stillName } from './stills/still-names.ts'
import type { VariantRequests, Wanted } from './variant-requests.ts'

/** Which pixels of an asset are meant, and what has to be known of them for a transform. */
export interface SoughtImages {
  of(stored: AssetRecord, options: TransformOptions, seeking: Seeking): Promise<Wanted>
}

export interface Seeking {
  readonly signal?: AbortSignal | undefined
  /** The assets of the recipe's overlays, in their order. */
  readonly overlays?: readonly AssetRecord[] | undefined
  /** Whether what has nothing to be seen is refused, in the place of a card for it. */
  readonly refusesCards?: boolean | undefined
}

export interface SoughtImageDependencies {
  readonly media: KnownMedia
  /** Left out where what is no image is always refused. */
  readonly cards?: DrawnCards | undefined
}

interface Dependencies extends SoughtImageDependencies, Pick<VariantRequests, 'foresee'> {}

export function createSoughtImages({ media, cards, foresee }: Dependencies): SoughtImages {
  async function factsFor(asset: AssetRecord, options: TransformOptions, seeking: Seeking) {
    const { signal, refusesCards } = seeking
    if (cards === undefined || refusesCards === true || isImageFormat(asset.format))
      return await seenFacts(asset, options, signal)
    if (cards.isKnown(asset.sha256)) return await cards.of(asset)
    try {
      return await seenFacts(asset, options, signal)
    } catch (error) {
      if (!hasNothingToSee(error)) throw error
      return await cards.of(asset)
    }
  }

  async function seenFacts(
    asset: AssetRecord,
    options: TransformOptions,
    signal: AbortSignal | undefined,
  ): Promise<FocusedFacts> {
    const { recipe } = options
    // Equal bytes are the same image, whose owners may see another subject in it.
    const focalPoint = asset.metadata?.focalPoint
    const facts = await media.find(asset, signal)
    foresee({ options, facts: { ...facts, focalPoint } })
    if (!needsAnalysis(recipe) || focalPoint || facts.analysis) return { ...facts, focalPoint }
    const found = await media.analysed(asset, { priority: 'interactive', signal })
    return { ...found, focalPoint }
  }

  return {
    async of(stored, options, seeking) {
      const { recipe } = options
      const { signal } = seeking
      const asset = await meant(media, stored, { recipe, signal })
      const facts = await factsFor(asset, options, seeking)
      const findings = await find(media, asset, { ...seeking, recipe })
      const shown: Shown = { facts, findings }
      if (recipe.isUpright) return { asset, options, ...shown }
      const asking = { priority: 'interactive', signal } as const
      return { asset, options, ...(await media.asStored(asset, shown, asking)) }
    },
  }
}

/** The stored thumbnail where that is wanted and there is one. */
async function meant(
  media: Pick<KnownMedia, 'find'>,
  stored: AssetRecord,
  { recipe, signal }: Pick<TransformOptions, 'recipe'> & Pick<Seeking, 'signal'>,
): Promise<AssetRecord> {
  const named = assetWith(stored, { sha256: stillName(stored.sha256, recipe) })
  if (!recipe.isThumbnail) return named
  try {
    await media.find(named, signal)
    return named
  } catch (error) {
    if (!hasNothingToSee(error)) throw error
    const sha256 = stillName(stored.sha256, { ...recipe, isThumbnail: false })
    return assetWith(stored, { sha256 })
  }
}

async function find(
  media: Pick<KnownMedia, 'find' | 'trimmed'>,
  asset: AssetRecord,
  {
    recipe: { trim, overlays: named },
    overlays = [],
    signal,
  }: Pick<TransformOptions, 'recipe'> & Seeking,
): Promise<Findings> {
  const found = overlays.map(async (overlay, index) => {
    const each = named[index]
    return each === undefined ? [] : [{ named: each, facts: await media.find(overlay, signal) }]
  })
  const asking = { priority: 'interactive', signal } as const
  return {
    trimmed: trim === undefined ? undefined : await media.trimmed(asset, trim, asking),
    overlays: (await Promise.all(found)).flat(),
  }
}
