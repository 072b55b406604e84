import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { invalid } from '../../errors.ts'
import type { Recipe } from '../recipe/recipe.ts'
import { findStoredFormats } from './stored-formats.ts'

/** What is never made here, and sent where it is stored. */
const storedAlone = { svg: 'an SVG', jxl: 'a JPEG XL' } as const

/** The file that a recipe wants as it is stored, itself or beside it; `undefined` where one is to be made. */
export function storedInstead(
  asset: AssetRecord,
  { format, skip }: Recipe,
  assets: Pick<Manifest, 'asset'>,
): AssetRecord | undefined {
  if (skip?.has(asset.format === 'jpg' ? 'jpeg' : asset.format) === true) return asset
  if (format !== 'svg' && format !== 'jxl') return undefined
  const stem = asset.path.slice(0, asset.path.lastIndexOf('.'))
  const stored = asset.format === format ? asset : findStoredFormats(assets, stem).get(format)
  if (stored !== undefined) return stored
  throw invalid('format', `can be ${format} only where ${storedAlone[format]} is stored`)
}
