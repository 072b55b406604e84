import type { AssetRecord } from '../../ports/records/asset.ts'
import { unexpired } from '../content/delivered/expiry.ts'
import { ServiceError } from '../errors.ts'
import { unprocessable, type Video, type VideoLibrary, type SubtitleFile } from './video-library.ts'
import { masterPlaylist } from './hls/master-playlist.ts'
import { mediaPlaylist, subtitlePlaylist, subtitleQuality } from './hls/media-playlist.ts'
import type { Presentation, Rendition } from './presentation.ts'
import { urlOf, type PlaylistRequest } from './stream-request.ts'
import { UnstreamableMediaError } from './mp4/byte-source.ts'

export interface Playlist {
  /** `file`: stored ready-made. */
  readonly kind: 'master' | 'media' | 'file'
  readonly text: string
  /** The stored files it was made from, the one that was asked for first. */
  readonly sources: readonly AssetRecord[]
}

/** A playlist of a video: of all there is, or of one rendition. */
export async function videoPlaylist(
  library: VideoLibrary,
  record: AssetRecord,
  request: PlaylistRequest,
): Promise<Playlist> {
  const among = request.pin && unexpired(request.pin.assets)
  const video = await library.open(record, among)
  try {
    return playlistOf(video, library.subtitles(record, among), request)
  } catch (error) {
    throw error instanceof UnstreamableMediaError ? unprocessable(error) : error
  }
}

function playlistOf(
  video: Video,
  subtitles: readonly SubtitleFile[],
  request: PlaylistRequest,
): Playlist {
  const url = urlOf(request)
  const { quality } = request
  if (quality === undefined) return master(video, subtitles, url)
  const { record, presentation } = video
  const rendition = renditionOf(presentation, quality)
  if (rendition !== undefined)
    return {
      kind: 'media',
      text: mediaPlaylist(rendition, url),
      sources: sourcesOf(record, presentation, []),
    }
  const file = subtitleOf(subtitles, quality)
  return {
    kind: 'media',
    text: subtitlePlaylist(factsOf(file), presentation.durationSeconds, url),
    sources: [record, file.record],
  }
}

function master(
  { record, presentation }: Video,
  subtitles: readonly SubtitleFile[],
  url: ReturnType<typeof urlOf>,
): Playlist {
  return {
    kind: 'master',
    text: masterPlaylist({ ...url, presentation, subtitles: subtitles.map(factsOf) }),
    sources: sourcesOf(record, presentation, subtitles),
  }
}

/** `source` is the video that was asked for, whatever its size. */
export function renditionOf(
  { video, audio, iframes }: Presentation,
  quality: string,
): Rendition | undefined {
  const all: readonly Rendition[] = [...video, ...audio, ...iframes]
  return quality === 'source' ? all[0] : all.find(({ id }) => id === quality)
}

export function subtitleOf(subtitles: readonly SubtitleFile[], quality: string): SubtitleFile {
  const file = subtitles.find(({ language }) => subtitleQuality(language) === quality)
  if (file === undefined) throw unknownQuality(quality)
  return file
}

export const unknownQuality = (quality: string): ServiceError =>
  new ServiceError('NotFound', `There is no quality "${quality}": the master playlist lists all`, {
    target: 'quality',
  })

/** Each once; the one that was asked for comes first. */
function sourcesOf(
  record: AssetRecord,
  { video, audio }: Presentation,
  subtitles: readonly SubtitleFile[],
): readonly AssetRecord[] {
  return [...new Set([record, ...[...video, ...audio, ...subtitles].map((part) => part.record)])]
}

const factsOf = ({ language, record }: SubtitleFile) => ({
  language,
  sizeBytes: record.sizeBytes,
  version: record.sha256,
})
