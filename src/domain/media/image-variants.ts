import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Payer } from '../access/quotas/encode-quota.ts'
import type { KnownMedia } from './facts/known-media.ts'
import type { Shown } from './facts/stored-facts.ts'
import type { Recipe } from './recipe/recipe.ts'
import type { TransformOptions } from './recipe/plan/output-plan.ts'
import type { FocusedFacts } from './recipe/plan/gravity.ts'
import { type Findings, needsAnalysis } from './recipe/plan/transform-plan.ts'
import type { PreRenderedVariants } from './render/pre-rendered-variants.ts'
import type { ReEncodedVariants } from './render/re-encoded-variants.ts'
import type { ServedVariant, Variants } from './render/variants.ts'
import { isImageFormat } from './stills/still-formats.ts'
import { type DrawnCards, hasNothingToSee } from './stills/drawn-cards.ts'
import { stillName } from './stills/still-names.ts'
import { createVariantRequests, type VariantRequestDependencies } from './variant-requests.ts'

/** From an asset and what is wanted of it to a variant. */
export interface ImageVariants {
  get(asset: AssetRecord, options: TransformOptions, asking: Asking): Promise<ServedVariant>
}

interface Asking {
  readonly signal?: AbortSignal | undefined
  readonly payer?: Payer | undefined
  /** The assets of the recipe's overlays, in their order. */
  readonly overlays?: readonly AssetRecord[] | undefined
  /** Whether what has nothing to be seen is refused, in the place of a card for it. */
  readonly refusesCards?: boolean | undefined
}

export interface ImageVariantDependencies extends VariantRequestDependencies {
  readonly media: KnownMedia
  readonly variants: Variants
  /** Left out where idle cores should stay idle. */
  readonly reEncoded?: ReEncodedVariants | undefined
  /** Left out where what is no image is always refused. */
  readonly cards?: DrawnCards | undefined
  /** As `reEncoded`. */
  readonly preRendered?: PreRenderedVariants | undefined
}

export function createImageVariants(dependencies: ImageVariantDependencies): ImageVariants {
  const { media, variants, reEncoded, preRendered, cards } = dependencies
  const requests = createVariantRequests(dependencies)

  async function factsFor(asset: AssetRecord, options: TransformOptions, asking: Asking) {
    const { signal, refusesCards } = asking
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
    requests.foresee({ options, facts: { ...facts, focalPoint } })
    if (!needsAnalysis(recipe) || focalPoint || facts.analysis) return { ...facts, focalPoint }
    const found = await media.analysed(asset, { priority: 'interactive', signal })
    return { ...found, focalPoint }
  }

  async function find(
    asset: AssetRecord,
    { trim, overlays: named }: Recipe,
    { overlays = [], signal }: Asking,
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

  /** What is known of the image as its pixels are stored, where that is what is asked for. */
  async function asWanted(
    asset: AssetRecord,
    { recipe }: TransformOptions,
    asking: Asking,
    shown: Shown,
  ) {
    if (recipe.isUpright) return shown
    return await media.asStored(asset, shown, { priority: 'interactive', signal: asking.signal })
  }

  return {
    async get(stored, options, asking) {
      const { signal, payer, overlays = [] } = asking
      const asset = { ...stored, sha256: stillName(stored.sha256, options.recipe) }
      const facts = await factsFor(asset, options, asking)
      const findings = await find(asset, options.recipe, { overlays, signal })
      const shown = await asWanted(asset, options, asking, { facts, findings })
      const wanted = { asset, options, ...shown }
      const request = requests.of(wanted)
      const served = await variants.get({ ...request, signal, payer })
      if (served.from !== 'renderer') reEncoded?.noteUse(request, served.variant)
      else if (!served.isShared) preRendered?.noteMiss(request, requests.ofOthers(wanted))
      return served
    },
  }
}
