import { createPlaylistCount } from './playlist-bounds.ts'

/** Everything after the address of the endpoint; keys and values are encoded here alone. */
export interface StreamAddress {
  readonly path: string
  readonly quality: string
  readonly segment?: number | 'init'
  /** The version of the segments, which makes their address good for ever. */
  readonly version?: string
}

/** What every address of a signed playlist carries on. */
export type AddressSuffix = string

/** Relative to the endpoint, so that it works behind any host and prefix. */
export function streamUri(address: StreamAddress, suffix: AddressSuffix): string {
  const { path, quality, segment, version } = address
  const fields = [
    `path=${path.split('/').map(encodeURIComponent).join('/')}`,
    `quality=${encodeURIComponent(quality)}`,
    ...(segment === undefined ? [] : [`segment=${segment}`]),
    ...(version === undefined ? [] : [`v=${version}`]),
  ]
  return `?${fields.join('&')}${suffix}`
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
