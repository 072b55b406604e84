import { type AssetPath, parseAssetPath } from '../../domain/content/asset-path.ts'
import { invalid } from '../../domain/errors.ts'

interface Said {
  /** Decoded. */
  readonly path: string | undefined
  /** What the client calls the file. */
  readonly filename: string | undefined
}

/** Where an upload goes: its path, which takes the name of the file where it ends in a slash. */
export function uploadTarget({ path, filename }: Said): AssetPath {
  if (path === undefined || path === '')
    throw invalid('path', 'must say where the file goes, e.g. acme/v1/titles/film.mp4')
  if (!path.endsWith('/')) return parseAssetPath(path)
  if (filename === undefined || filename === '')
    throw invalid('path', 'must end in the name of the file, or filename must say it')
  if (filename.includes('/')) throw invalid('filename', 'must be a name without slashes')
  return parseAssetPath(path + filename)
}
