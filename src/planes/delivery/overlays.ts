import { type AssetPath, zoneOf } from '../../domain/content/asset-path.ts'
import { deliveredAsset } from '../../domain/content/delivered/delivered-assets.ts'
import type { Deliverable } from '../../domain/content/delivered/expiry.ts'
import { ServiceError } from '../../domain/errors.ts'
import { parseRecipe } from '../../domain/media/recipe/recipe.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'

/** An overlay as the query names it, and the file that is meant. */
export interface OverlayPath {
  readonly named: string
  readonly path: AssetPath
}

const names = ['overlay', 'overlay2', 'overlay3']

/** The files that the parameters of a transform lay over the image. What is wrong is refused as that parameter. */
export function overlaysIn(
  parameters: URLSearchParams,
  parse: (named: string) => AssetPath,
): readonly OverlayPath[] {
  if (!names.some((name) => parameters.has(name))) return []
  return parseRecipe(parameters).overlays.map(({ path: named }) => {
    try {
      return { named, path: parse(named) }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { code, message, target } = error
      const why = target === undefined ? message : message.slice(target.length + 1)
      throw new ServiceError(code, `overlay ${why}`, { target: 'overlay', cause: error })
    }
  })
}

/** What is looked up of a version: of another zone a version has nothing. */
export const withOverlays = (
  [path, ...others]: readonly [AssetPath, ...string[]],
  overlays: readonly OverlayPath[],
): readonly [AssetPath, ...string[]] => [
  path,
  ...others,
  ...overlays.map((overlay) => overlay.path).filter((each) => zoneOf(each) === zoneOf(path)),
]

interface Wanted {
  readonly named: string
  readonly isSigned: boolean
}

/** The asset, where whoever asks may have it. */
export function overlayFrom(
  delivered: Deliverable,
  overlays: readonly OverlayPath[],
  { named, isSigned }: Wanted,
): AssetRecord {
  const path = overlays.find((overlay) => overlay.named === named)?.path ?? named
  return deliveredAsset(delivered, path, { isSigned, target: 'overlay' })
}
