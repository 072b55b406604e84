import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Payer } from '../access/quotas/encode-quota.ts'
import type { TransformOptions } from './recipe/plan/output-plan.ts'
import type { PreRenderedVariants } from './render/pre-rendered-variants.ts'
import type { ReEncodedVariants } from './render/re-encoded-variants.ts'
import type { ServedVariant, Variants } from './render/variants.ts'
import { createSoughtImages, type Seeking, type SoughtImageDependencies } from './sought-images.ts'
import { createVariantRequests, type VariantRequestDependencies } from './variant-requests.ts'

/** From an asset and what is wanted of it to a variant. */
export interface ImageVariants {
  get(asset: AssetRecord, options: TransformOptions, asking: Asking): Promise<ServedVariant>
}

interface Asking extends Seeking {
  readonly payer?: Payer | undefined
}

export interface ImageVariantDependencies
  extends VariantRequestDependencies, SoughtImageDependencies {
  readonly variants: Variants
  /** Left out where idle cores should stay idle. */
  readonly reEncoded?: ReEncodedVariants | undefined
  /** As `reEncoded`. */
  readonly preRendered?: PreRenderedVariants | undefined
}

export function createImageVariants(dependencies: ImageVariantDependencies): ImageVariants {
  const { variants, reEncoded, preRendered } = dependencies
  const requests = createVariantRequests(dependencies)
  const sought = createSoughtImages({
    ...dependencies,
    foresee: (wanted) => requests.foresee(wanted),
  })

  return {
    async get(stored, options, asking) {
      const { signal, payer } = asking
      const wanted = await sought.of(stored, options, asking)
      const request = requests.of(wanted)
      const served = await variants.get({ ...request, signal, payer })
      if (served.from !== 'renderer') reEncoded?.noteUse(request, served.variant)
      else if (!served.isShared) preRendered?.noteMiss(request, requests.ofOthers(wanted))
      return served
    },
  }
}
