import { UnstreamableMediaError } from './unstreamable-media-error.ts'

/** Where what a stored playlist names is to be found. */
export interface Resolver {
  /** `path` is absolute and still percent-encoded; `search` is `''` or begins with `?`. */
  locate(path: string, search: string): string
}

/** Only there so that relative references can be resolved; nothing is ever fetched from it. */
const anyHost = 'https://origin.invalid'

/**
 * A playlist that was stored ready-made, for an address that is not its own: references relative to
 * where it is stored are written out. Absolute ones, to other hosts, stay.
 */
export function rewriteStoredPlaylist(text: string, storedAt: string, resolver: Resolver): string {
  if (!/^\uFEFF?#EXTM3U\s/u.test(`${text.slice(0, 16)}\n`))
    throw new UnstreamableMediaError('The playlist does not begin with #EXTM3U')
  const base = new URL(storedAt.split('/').map(encodeURIComponent).join('/'), `${anyHost}/`)
  return text
    .split(/\r\n|\n/u)
    .map((line) => rewriteLine(line, (reference) => rewrite(reference, base, resolver)))
    .join('\n')
}

function rewriteLine(line: string, change: (reference: string) => string): string {
  if (line.startsWith('#EXT'))
    return line.replaceAll(/(?<=[:,]\s*URI=")[^"]*(?=")/gu, (reference) => change(reference))
  return line.trim() === '' || line.startsWith('#') ? line : change(line.trim())
}

function rewrite(reference: string, base: URL, resolver: Resolver): string {
  // Variables (EXT-X-DEFINE) are put in by the player.
  const target = reference.includes('{$') ? null : URL.parse(reference, base)
  if (target === null || target.origin !== anyHost) return reference
  return resolver.locate(target.pathname, target.search) + target.hash
}
