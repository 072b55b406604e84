import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'

const videoFormats: ReadonlySet<string> = new Set(['mp4', 'm4v', 'mov', 'webm', 'mkv'])
const posterFormats = ['jpg', 'jpeg', 'webp', 'png', 'avif'] as const

/** Where an image would be stored that stands for a video: `film.poster.jpg` beside `film.mp4`. */
export function posterPaths(path: string): readonly string[] {
  const dot = path.lastIndexOf('.')
  if (!videoFormats.has(path.slice(dot + 1))) return []
  return posterFormats.map((format) => `${path.slice(0, dot)}.poster.${format}`)
}

/** The image that whoever stored a video says it is seen as. */
export const posterOf = (
  { path }: Pick<AssetRecord, 'path'>,
  assets: Pick<Manifest, 'asset'>,
): AssetRecord | undefined =>
  posterPaths(path)
    .map((each) => assets.asset(each))
    .find((poster) => poster !== undefined)
