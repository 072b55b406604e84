import { anyOf, together, type Bandwidth } from '../segments/bandwidth.ts'
import { frameRateOf } from '../index/frame-rate.ts'
import { subtitleQuality } from './media-playlist.ts'
import type { Presentation, Rendition } from '../presentation.ts'
import { playlistText, quoted, streamUri, tag } from './playlist-lines.ts'
import type { AudioTrack, VideoTrack } from '../index/stream-index.ts'

export interface SubtitleFacts {
  /** BCP 47. */
  readonly language: string
  readonly sizeBytes: number
}

interface Video {
  readonly path: string
  readonly suffix: string
  readonly presentation: Presentation
  readonly subtitles: readonly SubtitleFacts[]
}

type Attribute = readonly [string, string | number]

/** Sounds of one codec: a player that has it can play any of them. */
interface AudioGroup {
  readonly id: string
  readonly renditions: readonly Rendition<AudioTrack>[]
}

const subtitleGroup = 'subtitles'

/** RFC 8216 §4.3.4: every way to play a video. Cheaper ways come first. */
export function masterPlaylist(video: Video): string {
  return playlistText(linesOf(video))
}

function* linesOf(video: Video): Generator<string> {
  const groups = audioGroups(video.presentation.audio)
  yield '#EXTM3U'
  yield '#EXT-X-VERSION:7'
  yield '#EXT-X-INDEPENDENT-SEGMENTS'
  for (const group of groups) yield* audioMedia(group, video)
  yield* subtitleMedia(video)
  yield* videoVariants(video, groups)
  yield* audioVariants(video, groups)
  for (const rendition of video.presentation.iframes) yield iframeVariant(rendition, video)
}

function audioGroups(audio: Presentation['audio']): readonly AudioGroup[] {
  const byFormat = Map.groupBy(audio, ({ track }) =>
    (track.codec.split('.')[0] ?? '').toLowerCase(),
  )
  return [...byFormat].map(([format, renditions]) => ({
    id: byFormat.size === 1 ? 'audio' : `audio-${format}`,
    renditions,
  }))
}

function audioMedia({ id: group, renditions }: AudioGroup, video: Video): readonly string[] {
  const names = uniqueNames(renditions.map(({ track }) => track.language))
  return renditions.map(({ id: quality, track }, place) =>
    tag('EXT-X-MEDIA', [
      ['TYPE', 'AUDIO'],
      ['GROUP-ID', quoted(group)],
      ['NAME', quoted(names[place] ?? '')],
      ['LANGUAGE', quoted(track.language)],
      ['DEFAULT', place === 0 ? 'YES' : 'NO'],
      ['AUTOSELECT', 'YES'],
      ['CHANNELS', quoted(String(track.channels))],
      ['URI', quoted(streamUri({ path: video.path, quality }, video.suffix))],
    ]),
  )
}

function subtitleMedia({ path, suffix, subtitles }: Video): readonly string[] {
  const names = uniqueNames(subtitles.map(({ language }) => language))
  return subtitles.map(({ language }, place) =>
    tag('EXT-X-MEDIA', [
      ['TYPE', 'SUBTITLES'],
      ['GROUP-ID', quoted(subtitleGroup)],
      ['NAME', quoted(names[place] ?? '')],
      ['LANGUAGE', quoted(language)],
      ['DEFAULT', 'NO'],
      ['AUTOSELECT', 'YES'],
      ['FORCED', 'NO'],
      ['URI', quoted(streamUri({ path, quality: subtitleQuality(language) }, suffix))],
    ]),
  )
}

/** In English, which every player can show; a second of one language gets a number. */
function uniqueNames(languages: readonly string[]): readonly string[] {
  const display = new Intl.DisplayNames(['en'], { type: 'language' })
  const counts = new Map<string, number>()
  return languages.map((language) => {
    const name = language === 'und' ? 'Unknown' : (display.of(language) ?? language)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} ${count}`
  })
}

function videoVariants(video: Video, groups: readonly AudioGroup[]): readonly string[] {
  const ascending = video.presentation.video.toSorted((a, b) => a.bandwidth.peak - b.bandwidth.peak)
  const choices = groups.length === 0 ? [undefined] : groups
  return ascending.flatMap((rendition) =>
    choices.flatMap((group) => [
      tag('EXT-X-STREAM-INF', [
        ...bandwidthAttributes(variantBandwidth(video, [rendition.bandwidth], group)),
        ['CODECS', codecs([rendition, ...(group?.renditions ?? [])])],
        ...resolutionAttributes(rendition.track),
        ['FRAME-RATE', frameRateOf(rendition.track).toFixed(3)],
        ...groupAttributes(video, group),
      ]),
      streamUri({ path: video.path, quality: rendition.id }, video.suffix),
    ]),
  )
}

/** For those who only listen, and for connections that bear no frames. */
function audioVariants(video: Video, groups: readonly AudioGroup[]): readonly string[] {
  return groups.flatMap((group) => [
    tag('EXT-X-STREAM-INF', [
      ...bandwidthAttributes(variantBandwidth(video, [], group)),
      ['CODECS', codecs(group.renditions)],
      ...groupAttributes(video, group),
    ]),
    streamUri({ path: video.path, quality: group.renditions[0]?.id ?? '' }, video.suffix),
  ])
}

function iframeVariant(rendition: Rendition<VideoTrack>, video: Video): string {
  return tag('EXT-X-I-FRAME-STREAM-INF', [
    ...bandwidthAttributes(rendition.bandwidth),
    ['CODECS', codecs([rendition])],
    ...resolutionAttributes(rendition.track),
    ['URI', quoted(streamUri({ path: video.path, quality: rendition.id }, video.suffix))],
  ])
}

/** The most that any playable combination needs. */
function variantBandwidth(
  { subtitles, presentation }: Video,
  own: readonly Bandwidth[],
  group: AudioGroup | undefined,
): Bandwidth {
  const sound = anyOf((group?.renditions ?? []).map(({ bandwidth }) => bandwidth))
  const text = anyOf(
    subtitles.map(({ sizeBytes }) => {
      const rate = Math.ceil((8 * sizeBytes) / presentation.durationSeconds)
      return { peak: rate, average: rate }
    }),
  )
  return together(...own, sound, text)
}

const bandwidthAttributes = ({ peak, average }: Bandwidth): readonly Attribute[] => [
  ['BANDWIDTH', peak],
  ['AVERAGE-BANDWIDTH', average],
]

const resolutionAttributes = ({ width, height, range }: VideoTrack): readonly Attribute[] => [
  ['RESOLUTION', `${width}x${height}`],
  ['VIDEO-RANGE', range],
]

const codecs = (renditions: readonly Rendition[]): string =>
  quoted([...new Set(renditions.map(({ track }) => track.codec))].join(','))

const groupAttributes = (video: Video, group: AudioGroup | undefined): readonly Attribute[] => [
  ...(group === undefined ? [] : [['AUDIO', quoted(group.id)] as const]),
  ...(video.subtitles.length === 0 ? [] : [['SUBTITLES', quoted(subtitleGroup)] as const]),
  ['CLOSED-CAPTIONS', 'NONE'],
]
