import { encodePath } from '../../content/asset-path.ts'
import { createPlaylistCount } from './playlist-bounds.ts'

/** What of a video a URL is for: the playlist of one quality, or a part of that. */
export interface StreamUrl {
  readonly path: string
  readonly quality: string
  readonly segment?: number | 'init'
  /** Of a segment: `m4s`, or `vtt` where it is text. */
  readonly extension?: 'm4s' | 'vtt'
  /** The version of the segments, which makes their URL good for ever. */
  readonly version?: string
}

/** What every URL of a signed playlist carries on. */
export type UrlSuffix = string

/**
 * Relative to the endpoint, so that it works behind any host and prefix. Ends as the name of such a
 * file would: FFmpeg, and whatever is built on it, plays nothing else (`allowed_segment_extensions`).
 */
export function streamUri(url: StreamUrl, suffix: UrlSuffix): string {
  const { path, quality, segment, version, extension = 'm4s' } = url
  const name = encodeURIComponent(quality)
  const video = `?path=${encodePath(path)}${suffix}`
  if (segment === undefined) return `${video}&quality=${name}.m3u8`
  const pinned = version === undefined ? '' : `&v=${version}`
  const file = segment === 'init' ? 'init.mp4' : `${segment}.${extension}`
  return `${video}&quality=${name}${pinned}&segment=${file}`
}

type Attribute = readonly [name: string, value: string | number]

/** A tag with attributes (RFC 8216 §4.2). Strings that need quotes come with them. */
export const tag = (name: string, attributes: readonly Attribute[]): string =>
  `#${name}:${attributes.map(([key, value]) => `${key}=${value}`).join(',')}`

/** Quoted strings have no escapes: what cannot stand in them is left out (RFC 8216 §4.2). */
export const quoted = (text: string): string => `"${text.replaceAll(/["\u0000-\u001f]/gu, '')}"`

/** Throws `UnstreamableMediaError` before it holds more than a playlist may be. */
export function playlistText(lines: Iterable<string>): string {
  const count = createPlaylistCount()
  const kept: string[] = []
  for (const line of lines) {
    if (!line.startsWith('#') || line.includes('URI=')) count.reference()
    count.line(line)
    kept.push(line)
  }
  return `${kept.join('\n')}\n`
}
