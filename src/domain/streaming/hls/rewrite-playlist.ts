import { setImmediate } from 'node:timers/promises'

import { createPlaylistCount, type PlaylistCount } from './playlist-bounds.ts'
import { refuse } from '../mp4/byte-source.ts'

/** Where what a stored playlist names is to be found. */
export interface Resolver {
  /** `path` is absolute and still percent-encoded; `search` is `''` or begins with `?`. */
  locate(path: string, search: string): string
}

/** Only there so that relative references can be resolved; nothing is ever fetched from it. */
const anyHost = 'https://origin.invalid'
/** A URL of the service is shorter than half of this. */
const maxLineLength = 16_384
/** Others have their turn after so many lines: a few milliseconds of work. */
const linesPerSlice = 500

/**
 * A playlist that was stored ready-made, for a URL that is not its own: references relative to
 * where it is stored are written out, line by line. Absolute ones, to other hosts, stay. Throws
 * `UnstreamableMediaError` for what is no playlist or would become too large a one.
 */
export async function rewriteStoredPlaylist(
  text: string,
  storedAt: string,
  resolver: Resolver,
): Promise<string> {
  if (!/^\uFEFF?#EXTM3U\s/u.test(`${text.slice(0, 16)}\n`))
    refuse('The playlist does not begin with #EXTM3U')
  const base = new URL(storedAt.split('/').map(encodeURIComponent).join('/'), `${anyHost}/`)
  const count = createPlaylistCount()
  const change = (reference: string) => {
    count.reference()
    return rewrite(reference, base, resolver)
  }
  const slices: string[] = []
  for (const lines of inSlices(text)) {
    slices.push(lines.map((line) => counted(rewriteLine(line, change), count)).join('\n'))
    await setImmediate()
  }
  return slices.join('\n')
}

/** The lines of a text, some at a time, so that they are never all held. */
function* inSlices(text: string): Generator<readonly string[]> {
  let lines: string[] = []
  let start = 0
  while (start <= text.length) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    if (end - start > maxLineLength)
      refuse(`A line of the playlist is over ${maxLineLength} characters long`)
    lines.push(text.slice(start, endOfLine(text, start, end)))
    start = end + 1
    if (lines.length < linesPerSlice) continue
    yield lines
    lines = []
  }
  if (lines.length > 0) yield lines
}

/** A line ends with LF or CR LF (RFC 8216 §4.1); whatever more there is of CR says nothing either. */
function endOfLine(text: string, start: number, end: number): number {
  let last = end
  while (last > start && text[last - 1] === '\r') last -= 1
  return last
}

function counted(line: string, count: PlaylistCount): string {
  count.line(line)
  return line
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
