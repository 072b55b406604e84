import { refuse } from '../mp4/byte-source.ts'

/**
 * What one playlist may come to. A short line of a file becomes a whole URL, hundreds of times as
 * long: what comes out is counted before anything of it is put together.
 */
export interface PlaylistBounds {
  readonly references: number
  readonly lines: number
  readonly bytes: number
}

export const playlistBounds: PlaylistBounds = {
  references: 20_000,
  lines: 100_000,
  bytes: 8 * 2 ** 20,
}

/** Counts one playlist; refuses it as soon as it is over a bound. */
export function createPlaylistCount(bounds: PlaylistBounds = playlistBounds) {
  let references = 0
  let lines = 0
  let bytes = 0
  return {
    reference() {
      references += 1
      if (references > bounds.references)
        refuse(`The playlist would name more than ${bounds.references} addresses`)
    },
    line(text: string) {
      lines += 1
      bytes += Buffer.byteLength(text) + 1
      if (lines > bounds.lines) refuse(`The playlist has more than ${bounds.lines} lines`)
      if (bytes > bounds.bytes)
        refuse(`The playlist would be over ${bounds.bytes / 2 ** 20} MiB: shorter paths help`)
    },
  }
}

export type PlaylistCount = ReturnType<typeof createPlaylistCount>
