import { rewriteStoredPlaylist } from '../../../src/domain/streaming/hls/rewrite-playlist.ts'
import { UnstreamableMediaError } from '../../../src/domain/streaming/mp4/byte-source.ts'
import { type FuzzTarget, outcomeOf, promise, textOf } from '../fuzz-target.ts'

/** A playlist keeps its lines, and written out once it stays as it is. DASH is written here and never read. */
export const playlists: FuzzTarget = {
  name: 'playlists',
  words: [
    '#EXTM3U\n',
    '#EXTINF:4,\n',
    '#EXT-X-KEY:METHOD=AES-128,URI="',
    '#EXT-X-MAP:URI="a.mp4"',
    '",',
    'URI=',
    '#EXT-X-STREAM-INF:BANDWIDTH=1\n',
    '#EXT-X-MEDIA:TYPE=AUDIO,',
    '../',
    '//',
    'https://example.org/',
    'data:',
    '?a=b',
    '#a',
    '%2e%2e/',
    '\r\n',
    '\r',
    '\\',
    '"',
    '{$a}',
    '#EXT-X-DEFINE:NAME="a",VALUE="b"',
    'javascript:',
    'http://[',
    ':80',
  ],
  look: (input) =>
    outcomeOf(async () => {
      const text = textOf(input)
      const written = await rewriteStoredPlaylist(text, storedAt, asIs)
      const count = linesOf(text)
      promise(linesOf(written) === count, `it had ${count} lines and has ${linesOf(written)}`)
      const again = await rewriteStoredPlaylist(written, storedAt, asIs)
      promise(again === written, 'it is otherwise when it is written again')
      const tags = new Set(written.match(/^#EXT[A-Z0-9-]*/gmu))
      return `read: ${[...tags.intersection(knownTags)].toSorted().join(' ')}`
    }, isRefusal),
}

/** What chance makes of them is none: a way for each would never end. */
const knownTags = new Set([
  '#EXTM3U',
  '#EXTINF',
  '#EXT-X-KEY',
  '#EXT-X-MAP',
  '#EXT-X-STREAM-INF',
  '#EXT-X-I-FRAME-STREAM-INF',
  '#EXT-X-MEDIA',
  '#EXT-X-DEFINE',
  '#EXT-X-SESSION-DATA',
  '#EXT-X-ENDLIST',
])

const storedAt = 'acme/v1/films/list.m3u8'
const asIs = { locate: (path: string, search: string) => path + search }
const linesOf = (text: string): number => text.split('\n').length
const isRefusal = (thrown: unknown): thrown is Error => thrown instanceof UnstreamableMediaError
