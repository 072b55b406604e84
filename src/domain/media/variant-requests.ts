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
  pixelsOf,
  planTransform,
  type TransformPlan,
} from './recipe/plan/transform-plan.ts'
import { fileOfName } from './stills/still-names.ts'
import { createVariantKeys } from './recipe/variant-keys.ts'
import { transformCost } from './render/cost-model.ts'
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
  /** What other clients would ask for; where they would be refused there is nothing to make. */
  ofOthers(wanted: Wanted): readonly VariantRequest[]
}

export interface VariantRequestDependencies extends Sources {
  readonly copies: SmallerCopies
}

export function createVariantRequests(dependencies: VariantRequestDependencies): VariantRequests {
  const { copies } = dependencies
  const keyOf = createVariantKeys()

  async function prepare(
    plan: TransformPlan,
    { asset: { zone }, facts, findings: { overlays = [] } = {} }: Wanted,
  ): Promise<PreparedJob> {
    const { sha256 } = facts
    const mip = chooseMip(plan, facts)
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
      cost: transformCost(plan, facts, used),
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
