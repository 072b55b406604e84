import type { AssetRecord } from '../../../ports/records/asset.ts'

const transformable: ReadonlySet<string> = new Set([
  'svg',
  'png',
  'jpg',
  'jpeg',
  'webp',
  'avif',
  'gif',
])
const transformTargets = ['avif', 'webp', 'png', 'jpeg'] as const

/** The asset's own format, then those of stored siblings, then what a transform can make of it. */
export function availableFormats(
  asset: Pick<AssetRecord, 'format'>,
  siblings: readonly Pick<AssetRecord, 'format'>[],
): readonly string[] {
  const made = transformable.has(asset.format) ? transformTargets : []
  const formats = [asset.format, ...siblings.map(({ format }) => format), ...made]
  return [...new Set(formats.map(canonical))].filter((format) => format !== '')
}

/** `jpg` and `jpeg` name one format; the spelling that is stored is kept. */
function canonical(format: string, index: number, formats: readonly string[]): string {
  const isOtherSpelling =
    format === 'jpeg' && formats.indexOf('jpg') >= 0 && formats.indexOf('jpg') < index
  return isOtherSpelling ? 'jpg' : format
}
