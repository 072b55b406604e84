import { type AssetPath, parseAssetPath } from '../../content/asset-path.ts'
import { invalid, ServiceError } from '../../errors.ts'

/** How an uploader names the file. */
export interface NamedFile {
  /** Decoded; the whole path, or what is below the directory of the grant. */
  readonly path: string | undefined
  /** What the file is called where the uploader has it. */
  readonly fileName: string | undefined
}

/** Whether a grant is for all that is below a directory. */
export const isForDirectory = (granted: string): boolean => granted.endsWith('/')

/**
 * Where a file goes that comes with a grant for `granted`: a file, or a directory with a slash at its end.
 * Refuses names that would lead elsewhere, and never says what is there.
 */
export function grantedPath(granted: string, { path = '', fileName = '' }: NamedFile): AssetPath {
  if (!isForDirectory(granted)) {
    if (path !== '' && !isSame(path, granted)) throw elsewhere()
    return parseAssetPath(granted)
  }
  const name = path === '' ? fileName : path
  if (name === '') throw invalid('path', 'must name the file: the grant is for a directory')
  const whole = withoutClients(name)
  const target = parseAssetPath(whole.startsWith(granted) ? whole : granted + name)
  // The name may hold what Unicode turns into something else.
  if (!target.startsWith(granted)) throw elsewhere()
  return target
}

const isSame = (path: string, granted: string): boolean =>
  withoutClients(path).normalize('NFC') === granted

const withoutClients = (path: string): string => path.replace(/^\/?clients\//u, '')

const elsewhere = () =>
  new ServiceError('Forbidden', 'the grant is for another path', { target: 'path' })
