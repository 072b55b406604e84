/** A playlist as lines of tags and addresses: all that the rules need, and nothing believed. */
export interface PlaylistLine {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly value: string
  /** The URL on the line that follows, where one does. */
  readonly uri: string
}

export function readPlaylist(text: string): readonly PlaylistLine[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (!line.startsWith('#EXT')) return []
    const colon = line.indexOf(':')
    const value = colon === -1 ? '' : line.slice(colon + 1)
    const next = lines[index + 1] ?? ''
    return [
      {
        tag: colon === -1 ? line.slice(1) : line.slice(1, colon),
        value,
        attributes: attributesOf(value),
        uri: next.startsWith('#') ? '' : next,
      },
    ]
  })
}

function attributesOf(value: string): ReadonlyMap<string, string> {
  return new Map(
    [...value.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)/gu)].map(([, name = '', text = '']) => [
      name,
      text.replaceAll('"', ''),
    ]),
  )
}

export const all = (lines: readonly PlaylistLine[], tag: string): readonly PlaylistLine[] =>
  lines.filter((line) => line.tag === tag)

export const one = (lines: readonly PlaylistLine[], tag: string): string | undefined =>
  lines.find((line) => line.tag === tag)?.value
