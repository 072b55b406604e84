import type { Rendition } from '../presentation.ts'
import { playlistText, quoted, streamUri, tag } from './playlist-lines.ts'

interface Place {
  readonly path: string
  readonly suffix: string
}

/** RFC 8216 §4.3.3: the segments of one rendition, complete. */
export function mediaPlaylist(rendition: Rendition, { path, suffix }: Place): string {
  const { id: quality, version } = rendition
  const isIframes = quality.endsWith('-iframes')
  const uri = (segment: number | 'init') => streamUri({ path, quality, segment, version }, suffix)
  return playlistText(lines())

  /** One at a time: every line has the path in it. */
  function* lines(): Generator<string> {
    yield* head(rendition.targetDuration)
    yield isIframes ? '#EXT-X-I-FRAMES-ONLY' : '#EXT-X-INDEPENDENT-SEGMENTS'
    yield tag('EXT-X-MAP', [['URI', quoted(uri('init'))]])
    for (const [number, { duration }] of rendition.segments.entries()) {
      yield extinf(duration)
      yield uri(number)
    }
    yield '#EXT-X-ENDLIST'
  }
}

export interface Subtitles {
  /** BCP 47. */
  readonly language: string
  readonly version: string
}

/** The whole WebVTT file as one segment. Subtitles may have a target duration of their own. */
export function subtitlePlaylist(
  { language, version }: Subtitles,
  durationSeconds: number,
  { path, suffix }: Place,
): string {
  const quality = subtitleQuality(language)
  return playlistText([
    ...head(Math.max(1, Math.round(durationSeconds))),
    extinf(durationSeconds),
    streamUri({ path, quality, segment: 0, version, extension: 'vtt' }, suffix),
    '#EXT-X-ENDLIST',
  ])
}

export const subtitleQuality = (language: string): string => `subtitles-${language}`

const head = (targetDuration: number): readonly string[] => [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  `#EXT-X-TARGETDURATION:${targetDuration}`,
  '#EXT-X-MEDIA-SEQUENCE:0',
  '#EXT-X-PLAYLIST-TYPE:VOD',
]

const extinf = (seconds: number): string => `#EXTINF:${seconds.toFixed(5)},`
