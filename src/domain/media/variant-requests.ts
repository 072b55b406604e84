import type { MediaFacts } from '../../ports/media/media-facts-store.ts'
import type { RenderSource } from '../../ports/media/renderer.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { ServiceError } from '../errors.ts'
import type { FocusedFacts } from './recipe/plan/gravity.ts'
import { chooseMip, shapeOf, transformJobOf } from './recipe/plan/job-of-plan.ts'
import type { TransformOptions } from './recipe/plan/output-plan.ts'
import type { FoundOverlay } from './recipe/plan/overlay-plan.ts'
import {
  type Findings,
  needsAnalysis,
  pixelsOf,
  planTransform,
  type TransformPlan,
} from './recipe/plan/transform-plan.ts'
import { fileOfName } from './stills/still-names.ts'
import { createVariantKeys } from './recipe/variant-keys.ts'
import {
  analyseCost,
  type Cost,
  requireWithin,
  transformCost,
  trimCost,
} from './render/costs/cost-model.ts'
import { optionsOfOthers } from './render/pre-rendered-variants.ts'
import type { SmallerCopies } from './render/smaller-copies.ts'
import { type Sources, sourcePath } from './render/sources.ts'
import type { PreparedJob, VariantRequest } from './render/variants.ts'

/** What is wanted of which image, and what is known of that. */
export interface Wanted {
  readonly asset: AssetRecord
  readonly options: TransformOptions
  readonly facts: FocusedFacts
  readonly findings?: Findings
}

/** From what is wanted of an image to the variant that it is, and how that is made. */
export interface VariantRequests {
  /** Throws what {@link planTransform} does. */
  of(wanted: Wanted): VariantRequest
  /**
   * Throws where it would cost too much, as far as that is known before its pixels are looked at for what
   * leads the transform.
   */
  foresee(wanted: Pick<Wanted, 'options' | 'facts'>): void
  /** What other clients would ask for; where they would be refused there is nothing to make. */
  ofOthers(wanted: Wanted): readonly VariantRequest[]
}

export interface VariantRequestDependencies extends Sources {
  readonly copies: SmallerCopies
  /** What one image may cost, in milliseconds of a processor; anything where left out. */
  readonly maxCostMs?: number | undefined
}

export function createVariantRequests(dependencies: VariantRequestDependencies): VariantRequests {
  const { copies, maxCostMs = Infinity } = dependencies
  const keyOf = createVariantKeys()

  async function prepare(
    plan: TransformPlan,
    { asset: { zone }, facts, findings: { overlays = [] } = {} }: Wanted,
  ): Promise<PreparedJob> {
    const { sha256 } = facts
    const mip = chooseMip(plan, facts)
    requireWithin(transformCost(plan, facts, { mip, overlays }), maxCostMs)
    const mipPath = mip && (await copies.path(mip, facts.sha256))
    const used = mipPath === undefined ? undefined : mip
    const path = mipPath ?? (await sourcePath(dependencies, { sha256, zone }, facts.header.still))
    return {
      job: transformJobOf(plan, facts, {
        path,
        mip: used,
        overlays: await Promise.all(
          overlays.map((overlay) => overlaySource(dependencies, overlay, zone)),
        ),
      }),
      cost: transformCost(plan, facts, { mip: used, overlays }),
    }
  }

  function requestOf(wanted: Wanted): VariantRequest {
    const { asset, options, facts, findings = {} } = wanted
    const { plan, notes } = planTransform(facts, options, findings)
    return {
      key: keyOf(facts.sha256, plan),
      sourceSha256: fileOfName(facts.sha256),
      sources: [facts.sha256, ...(plan.overlays ?? []).map(({ sha256 }) => sha256)].join(' '),
      pixels: pixelsOf(plan, facts.header.frames),
      zone: asset.zone,
      notes: facts.header.still?.of === 'card' ? [...notes, 'card'] : notes,
      prepare: () => prepare(plan, wanted),
      mend: () => mendSource(dependencies, plan, facts),
    }
  }

  return {
    of: requestOf,
    foresee({ options, facts }) {
      const isLooked = needsAnalysis(options.recipe) && facts.analysis === undefined
      if (isLooked || options.recipe.trim !== undefined)
        requireWithin(foreseenCost({ options, facts, isLooked }), maxCostMs)
    },
    ofOthers: (wanted) =>
      optionsOfOthers(wanted.options).flatMap((options) => {
        try {
          return [requestOf({ ...wanted, options })]
        } catch (error) {
          if (error instanceof ServiceError) return []
          throw error
        }
      }),
  }
}

/** What is looked for in the pixels changes little of what it costs to make. */
function foreseenCost({
  options,
  facts,
  isLooked,
}: Pick<Wanted, 'options' | 'facts'> & { readonly isLooked: boolean }): Pick<Cost, 'cpuMs'> {
  const { header } = facts
  const lookMs = isLooked ? analyseCost(header).cpuMs : 0
  const trimMs = options.recipe.trim === undefined ? 0 : trimCost(header).cpuMs
  return { cpuMs: lookMs + trimMs + plainCostMs({ options, facts }) }
}

/** Nothing where it is refused for something else, by what is found. */
function plainCostMs({ options, facts }: Pick<Wanted, 'options' | 'facts'>): number {
  try {
    const { plan } = planTransform(facts, { ...options, recipe: unled(options.recipe) })
    return transformCost(plan, facts, { mip: chooseMip(plan, facts) }).cpuMs
  } catch (error) {
    if (error instanceof ServiceError) return 0
    throw error
  }
}

const unled = (recipe: TransformOptions['recipe']): TransformOptions['recipe'] => ({
  ...recipe,
  gravity: 'center',
  trim: undefined,
  pixelate: recipe.pixelate === 'faces' ? undefined : recipe.pixelate,
  overlays: [],
})

/** What a copy is damaged in, the original is not; and a still is made anew. */
async function mendSource(
  { copies, mend, stills }: VariantRequestDependencies,
  plan: TransformPlan,
  facts: MediaFacts,
): Promise<boolean> {
  const usedCopy = chooseMip(plan, facts) !== undefined
  if (usedCopy) await copies.remove(facts.sha256)
  const isStill = facts.header.still !== undefined
  if (isStill) await stills?.forget(facts.sha256)
  const overlays = (plan.overlays ?? []).map(({ sha256 }) => sha256)
  let isMended = usedCopy || isStill
  for (const sha256 of [facts.sha256, ...overlays])
    isMended = (await mend?.(fileOfName(sha256))) === true || isMended
  return isMended
}

const overlaySource = async (
  sources: Sources,
  { facts: { sha256, header } }: FoundOverlay,
  zone: string,
): Promise<RenderSource> => ({
  path: await sourcePath(sources, { sha256, zone }, header.still),
  size: { width: header.width, height: header.height },
  ...shapeOf(header),
})
