import { type AssetPath, parseAssetPath } from '../../domain/content/asset-path.ts'
import { grantedPath } from '../../domain/uploads/grants/granted-path.ts'
import { invalid } from '../../domain/errors.ts'

interface Said {
  /** Decoded. */
  readonly path: string | undefined
  /** What the client calls the file. */
  readonly filename: string | undefined
}

/**
 * Where an upload goes: its path, which takes the name of the file where it ends in a slash. With a grant,
 * what that is for and the uploader's name say it.
 */
export function uploadTarget({ path, filename }: Said, granted?: string): AssetPath {
  if (granted !== undefined) return targetOfGrant({ path, filename }, granted)
  if (path === undefined || path === '')
    throw invalid('path', 'must say where the file goes, e.g. acme/v1/titles/film.mp4')
  if (!path.endsWith('/')) return parseAssetPath(path)
  if (filename === undefined || filename === '')
    throw invalid('path', 'must end in the name of the file, or filename must say it')
  if (filename.includes('/')) throw invalid('filename', 'must be a name without slashes')
  return parseAssetPath(path + filename)
}

function targetOfGrant({ path, filename = '' }: Said, granted: string): AssetPath {
  const named = path?.endsWith('/') === true ? path + filename : path
  return grantedPath(granted, { path: named, fileName: filename })
}
