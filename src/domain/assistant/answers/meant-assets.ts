import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { PublicAssets } from '../question/public-assets.ts'
import type { Request } from '../question/request.ts'
import type { Meant } from './action-answers.ts'
import type { CatalogueAnswers } from './catalogue-answers.ts'
import type { FindAnswers } from './find-answers.ts'

type Zones = ReadonlySet<string> | undefined

interface Dependencies {
  readonly assets: PublicAssets
  readonly catalogue: Pick<CatalogueAnswers, 'sample'>
  readonly finds: FindAnswers
}

/** What the words are said after. */
export interface Before {
  /** What was asked last. */
  readonly former: Request | undefined
  /** The assets that the last answer named. */
  readonly named: readonly AssetRecord[]
}

const one = /^(?:it|that|this|that one|this one|that file|this file)$/iu
const several = /^(?:them|those|these|all of (?:them|those|these)|all those|those files)$/iu
const catalogueIntents = new Set(['count', 'total', 'list'])

/** Finds out which assets an order means. */
export function createMeantAssets({ assets, catalogue, finds }: Dependencies) {
  async function described(request: Request, limit: number, zones: Zones): Promise<Meant> {
    const { paths, words, hasNoun, zone } = request.facets
    if (paths.length > 0)
      return meantOf(paths.flatMap((path) => assets.find(path, zones) ?? []).slice(0, limit))
    if (words.length === 0 && !hasNoun && zone === undefined) return meantOf([])
    const chosen = await catalogue.sample(request, zones, limit)
    if (chosen.number > 0) return chosen
    const { results, confidence } = await finds.search(request, zones)
    return meantOf(confidence === 'high' ? results.slice(0, 1).map(({ asset }) => asset) : [])
  }

  return async (
    { request, what, limit }: { request: Request; what: string; limit: number },
    { former, named }: Before,
    zones: Zones,
  ): Promise<Meant> => {
    if (one.test(what)) return meantOf(named.slice(0, 1))
    if (!several.test(what)) return await described(request, limit, zones)
    return former !== undefined && catalogueIntents.has(former.intent)
      ? await catalogue.sample(former, zones, limit)
      : meantOf(named.slice(0, limit))
  }
}

const meantOf = (first: readonly AssetRecord[]): Meant => ({ number: first.length, first })
