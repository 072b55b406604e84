import {
  boxesIn,
  find,
  need,
  unsigned64,
  viewOf,
  type Box,
} from '../../src/domain/streaming/mp4/boxes.ts'
import { readFragment, type FragmentSample } from '../fixtures/media/read-fragment.ts'
import type { StreamResponse } from './streaming-world.ts'
import { all, one, readPlaylist, type PlaylistLine } from './playlist-reader.ts'

export type Fetch = (uri: string) => Promise<StreamResponse>

export interface MediaSegment {
  readonly uri: string
  readonly contentType: string
  /** As the playlist says. */
  readonly seconds: number
  readonly sizeBytes: number
  /** None where it is text. */
  readonly samples: readonly FragmentSample[]
}

/** A media playlist and everything it names, read by a second reader of boxes. */
export interface Media {
  readonly uri: string
  readonly lines: readonly PlaylistLine[]
  readonly target: number
  readonly initType: string
  readonly segments: readonly MediaSegment[]
  /** When the last sample has been presented, by the boxes alone. */
  readonly presentedEnd: number
  readonly longestSample: number
}

/** A line of the master playlist with what it leads to. */
export interface Choice {
  readonly attributes: ReadonlyMap<string, string>
  readonly media: Media
}

export interface Stream {
  readonly lines: readonly PlaylistLine[]
  readonly variants: readonly Choice[]
  readonly iframes: readonly Choice[]
  readonly sounds: readonly Choice[]
  readonly subtitles: readonly Choice[]
}

export async function readStream(masterUri: string, fetch: Fetch): Promise<Stream> {
  const lines = readPlaylist(textOf(await fetch(masterUri)))
  const choices = async (some: readonly PlaylistLine[]): Promise<readonly Choice[]> =>
    Promise.all(
      some.map(async ({ attributes, uri }) => ({
        attributes,
        media: await readMedia(attributes.get('URI') ?? uri, fetch),
      })),
    )
  const media = all(lines, 'EXT-X-MEDIA')
  const typed = (type: string) => media.filter(({ attributes }) => attributes.get('TYPE') === type)
  return {
    lines,
    variants: await choices(all(lines, 'EXT-X-STREAM-INF')),
    iframes: await choices(all(lines, 'EXT-X-I-FRAME-STREAM-INF')),
    sounds: await choices(typed('AUDIO')),
    subtitles: await choices(typed('SUBTITLES')),
  }
}

async function readMedia(uri: string, fetch: Fetch): Promise<Media> {
  const lines = readPlaylist(textOf(await fetch(uri)))
  const map = all(lines, 'EXT-X-MAP')[0]?.attributes.get('URI')
  const init = map === undefined ? undefined : await fetch(map)
  const segments = await Promise.all(
    all(lines, 'EXTINF').map(async (line) => {
      const { bytes, contentType } = await fetch(line.uri)
      return {
        uri: line.uri,
        contentType,
        seconds: Number.parseFloat(line.value),
        sizeBytes: bytes.length,
        samples: contentType.startsWith('text/') ? [] : readFragment(bytes),
      }
    }),
  )
  const target = Number(one(lines, 'EXT-X-TARGETDURATION'))
  const times = timesOf(init?.bytes, segments)
  return { uri, lines, target, initType: init?.contentType ?? '', segments, ...times }
}

function timesOf(init: Uint8Array | undefined, segments: readonly MediaSegment[]) {
  if (init === undefined) return { presentedEnd: 0, longestSample: 0 }
  const trak = boxesIn(need(boxesIn(need(boxesIn(init), 'moov')), 'trak'))
  const timescale = viewOf(need(boxesIn(need(trak, 'mdia')), 'mdhd')).getUint32(12)
  const samples = segments.flatMap((segment) => segment.samples)
  const ends = samples.map(
    (sample) => sample.decodeTime + sample.compositionOffset + sample.duration,
  )
  return {
    presentedEnd: (Math.max(...ends) - editStart(trak)) / timescale,
    longestSample: Math.max(...samples.map(({ duration }) => duration)) / timescale,
  }
}

function editStart(trak: readonly Box[]): number {
  const edts = find(trak, 'edts')
  return edts === undefined ? 0 : unsigned64(viewOf(need(boxesIn(edts.payload), 'elst')), 16)
}

const textOf = ({ bytes }: StreamResponse): string => Buffer.from(bytes).toString()
