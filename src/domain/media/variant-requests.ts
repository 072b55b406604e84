import type { MediaFacts } from '../../ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Payer } from '../access/quotas/encode-quota.ts'
import { ServiceError } from '../errors.ts'
import { transformCost } from './render/cost-model.ts'
import type { DenserVariants } from './render/re-encoded-variants.ts'
import type { KnownMedia } from './facts/known-media.ts'
import type { Recipe } from './recipe/recipe.ts'
import { type SiblingVariants, wishesOfOthers } from './render/pre-rendered-variants.ts'
import type { SmallerCopies } from './render/smaller-copies.ts'
import { type Sources, sourcePath } from './render/sources.ts'
import {
  chooseMip,
  needsAnalysis,
  pixelsOf,
  planTransform,
  transformJobOf,
  type TransformPlan,
  variantKeyOf,
  type Wishes,
} from './recipe/transform-plan.ts'
import type { PreparedJob, ServedVariant, VariantRequest, Variants } from './render/variants.ts'

/** From an asset and what is wished of it to a variant. */
export interface Pictures {
  render(
    asset: AssetRecord,
    wishes: Wishes,
    asking: { readonly signal?: AbortSignal | undefined; readonly payer?: Payer | undefined },
  ): Promise<ServedVariant>
}

export interface PictureDependencies extends Sources {
  readonly media: KnownMedia
  readonly copies: SmallerCopies
  readonly variants: Variants
  /** Left out where idle cores should stay idle. */
  readonly denser?: DenserVariants | undefined
  /** The same. */
  readonly siblings?: SiblingVariants | undefined
}

export function createPictures(dependencies: PictureDependencies): Pictures {
  const { media, copies, variants, mend, denser, siblings } = dependencies

  async function factsFor(asset: AssetRecord, recipe: Recipe, signal: AbortSignal | undefined) {
    const facts = await media.find(asset, signal)
    if (!needsAnalysis(recipe) || facts.focalPoint || facts.analysis) return facts
    return await media.analysed(asset, { priority: 'interactive', signal })
  }

  async function prepare(plan: TransformPlan, facts: MediaFacts): Promise<PreparedJob> {
    const mip = chooseMip(plan, facts)
    const mipPath = mip && (await copies.path(mip, facts.sha256))
    const used = mipPath === undefined ? undefined : mip
    const path = mipPath ?? (await sourcePath(dependencies, facts.sha256))
    return {
      job: transformJobOf(plan, facts, { path, mip: used }),
      cost: transformCost(plan, facts, used),
    }
  }

  /** What a copy is damaged in, the original is not. */
  async function mendSource(plan: TransformPlan, facts: MediaFacts): Promise<boolean> {
    const usedCopy = chooseMip(plan, facts) !== undefined
    if (usedCopy) await copies.remove(facts.sha256)
    return (await mend?.(facts.sha256)) === true || usedCopy
  }

  function requestFor(asset: AssetRecord, wishes: Wishes, facts: MediaFacts): VariantRequest {
    const plan = planTransform(facts, wishes)
    return {
      key: variantKeyOf(plan),
      sourceSha256: plan.sourceSha256,
      pixels: pixelsOf(plan, facts.header.frames),
      zone: asset.zone,
      notes: plan.notes,
      prepare: () => prepare(plan, facts),
      mend: () => mendSource(plan, facts),
    }
  }

  /** What others would ask for; where they would be refused there is nothing to make. */
  function requestsOfOthers(asset: AssetRecord, wishes: Wishes, facts: MediaFacts) {
    return wishesOfOthers(wishes).flatMap((others) => {
      try {
        return [requestFor(asset, others, facts)]
      } catch (error) {
        if (error instanceof ServiceError) return []
        throw error
      }
    })
  }

  return {
    async render(asset, wishes, { signal, payer }) {
      const facts = await factsFor(asset, wishes.recipe, signal)
      const request = requestFor(asset, wishes, facts)
      const served = await variants.get({ ...request, signal, payer })
      if (served.from !== 'renderer') denser?.noteUse(request, served.variant)
      else if (!served.isShared && siblings !== undefined)
        siblings.noteMiss(request, requestsOfOthers(asset, wishes, facts))
      return served
    },
  }
}
