import { all, one } from './playlist-reader.ts'
import type { Choice, Media, Stream } from './read-stream.ts'

/** A rule by its number in Apple's HLS authoring specification, or by its section of RFC 8216. */
interface Rule {
  readonly name: string
  /** What breaks it. */
  readonly breaches: (stream: Stream) => readonly string[]
}

/** Answers every breach as `rule: what breaks it`; none, and the stream is clean. */
export const breachesOf = (stream: Stream): readonly string[] =>
  rules.flatMap(({ name, breaches }) => breaches(stream).map((what) => `${name}: ${what}`))

/** Where sound and video of a source do not end together, their lists cannot either. */
const sourceToleranceSeconds = 0.35
/** Subtitles are in what a variant declares, but are no measured media here. */
const subtitleBitsPerSecond = 200
const nonSync = 0x1_0000

const showsVideo = ({ attributes }: Choice): boolean => attributes.has('RESOLUTION')
const videoChoices = ({ variants }: Stream): readonly Choice[] => variants.filter(showsVideo)
/** Everything that is played through: not single key frames, not text. */
const played = ({ variants, sounds }: Stream): readonly Media[] =>
  [...variants, ...sounds].map(({ media }) => media)
const everything = (stream: Stream): readonly Media[] => [
  ...played(stream),
  ...[...stream.iframes, ...stream.subtitles].map(({ media }) => media),
]
const packaged = (stream: Stream): readonly Media[] => [
  ...played(stream),
  ...stream.iframes.map(({ media }) => media),
]
const uris = (media: readonly Media[]): readonly string[] => media.map(({ uri }) => uri)
const lacking = (choices: readonly Choice[], name: string): readonly string[] =>
  uris(choices.filter(({ attributes }) => !attributes.has(name)).map(({ media }) => media))
const lackingTag = (media: readonly Media[], tag: string): readonly string[] =>
  uris(media.filter(({ lines }) => all(lines, tag).length !== 1))
const soundsOf = ({ sounds }: Stream, { attributes }: Choice): readonly Choice[] =>
  sounds.filter((sound) => sound.attributes.get('GROUP-ID') === attributes.get('AUDIO'))

const rules: readonly Rule[] = [
  {
    name: '4.3.1.1',
    breaches: ({ lines }) => (lines[0]?.tag === 'EXTM3U' ? [] : ['no EXTM3U at the start']),
  },
  { name: '6.1', breaches: eachSizeHasIframes },
  {
    name: '6.2',
    breaches: ({ iframes }) =>
      lackingTag(
        iframes.map(({ media }) => media),
        'EXT-X-I-FRAMES-ONLY',
      ),
  },
  {
    name: '6.3',
    breaches: ({ iframes }) =>
      segmentsWhere(
        iframes.map(({ media }) => media),
        ({ samples }) => samples.length !== 1,
      ),
  },
  { name: '7.3', breaches: (stream) => played(stream).flatMap(brokenTime) },
  {
    name: '7.4',
    breaches: (stream) =>
      segmentsWhere(
        packaged(stream),
        ({ samples }) => ((samples[0]?.flags ?? nonSync) & nonSync) !== 0,
      ),
  },
  {
    name: '7.7',
    breaches: (stream) =>
      everything(stream).flatMap(({ target, segments }) =>
        segments.flatMap(({ seconds, uri }) =>
          Math.round(seconds) <= target && seconds <= target + 0.5 ? [] : uri,
        ),
      ),
  },
  {
    name: '8.1',
    breaches: (stream) =>
      uris(
        played(stream).filter(
          (media) => Math.abs(lengthOf(media) - media.presentedEnd) > media.longestSample,
        ),
      ),
  },
  {
    name: '8.2',
    breaches: (stream) => pairs(stream, (some, other) => some.target === other.target),
  },
  {
    name: '8.3',
    breaches: (stream) =>
      pairs(
        stream,
        (some, other) => Math.abs(lengthOf(some) - lengthOf(other)) <= sourceToleranceSeconds,
      ),
  },
  {
    name: '8.6',
    breaches: (stream) =>
      uris(everything(stream).filter(({ lines }) => one(lines, 'EXT-X-PLAYLIST-TYPE') !== 'VOD')),
  },
  {
    name: '8.10',
    breaches: ({ sounds, subtitles }) => lacking([...sounds, ...subtitles], 'LANGUAGE'),
  },
  { name: '8.20', breaches: (stream) => lackingTag(packaged(stream), 'EXT-X-MAP') },
  { name: '4.3.3.4', breaches: (stream) => lackingTag(everything(stream), 'EXT-X-ENDLIST') },
  {
    name: '9.1',
    breaches: ({ variants, iframes }) => lacking([...variants, ...iframes], 'CODECS'),
  },
  {
    name: '9.2',
    breaches: ({ variants, iframes }) =>
      [...variants.filter(({ media }) => media.initType.startsWith('video')), ...iframes]
        .filter((choice) => !showsVideo(choice))
        .map(({ media }) => media.uri),
  },
  {
    name: '9.11',
    breaches: (stream) => [
      ...(all(stream.lines, 'EXT-X-INDEPENDENT-SEGMENTS').length === 1 ? [] : ['master']),
      ...lackingTag(played(stream), 'EXT-X-INDEPENDENT-SEGMENTS'),
    ],
  },
  {
    name: '9.14',
    breaches: ({ variants, iframes }) => lacking([...variants, ...iframes], 'AVERAGE-BANDWIDTH'),
  },
  { name: '9.15', breaches: (stream) => lacking(videoChoices(stream), 'FRAME-RATE') },
  {
    name: '9.17',
    breaches: (stream) =>
      stream.variants
        .filter((choice) => choice.attributes.has('AUDIO') && soundsOf(stream, choice).length === 0)
        .map(({ media }) => media.uri),
  },
  { name: '1.26', breaches: (stream) => wrongRates(stream, 'BANDWIDTH', peakRate) },
  { name: '1.27', breaches: (stream) => wrongRates(stream, 'AVERAGE-BANDWIDTH', averageRate) },
  {
    name: 'init type',
    breaches: (stream) =>
      packaged(stream)
        .map(({ initType }) => initType)
        .filter((type) => !/^(video|audio)\/mp4$/u.test(type)),
  },
  {
    name: 'segment type',
    breaches: (stream) =>
      segmentsWhere(
        everything(stream),
        ({ contentType }) => !/^((video|audio)\/iso\.segment|text\/vtt.*)$/u.test(contentType),
      ),
  },
]

const resolutions = (choices: readonly Choice[]): readonly string[] =>
  choices.map(({ attributes }) => attributes.get('RESOLUTION') ?? '')

function eachSizeHasIframes(stream: Stream): readonly string[] {
  const present = new Set(resolutions(stream.iframes))
  return resolutions(videoChoices(stream)).filter((resolution) => !present.has(resolution))
}

const segmentsWhere = (
  media: readonly Media[],
  isBroken: (segment: Media['segments'][number]) => boolean,
): readonly string[] =>
  media.flatMap(({ segments }) => segments.filter(isBroken).map(({ uri }) => uri))

/** Each segment must start when the one before has ended. */
function brokenTime({ segments }: Media): readonly string[] {
  return segments.flatMap(({ samples, uri }, index) => {
    const before = segments[index - 1]?.samples.at(-1)
    const isNext =
      before === undefined || before.decodeTime + before.duration === samples[0]?.decodeTime
    return isNext ? [] : [uri]
  })
}

/** Video and every sound that may go with them. */
function pairs(stream: Stream, agree: (one: Media, other: Media) => boolean): readonly string[] {
  return stream.variants.flatMap((variant) =>
    soundsOf(stream, variant)
      .filter((sound) => !agree(variant.media, sound.media))
      .map((sound) => `${variant.media.uri} and ${sound.media.uri}`),
  )
}

/** What is declared is what is measured: never less, and at most a tenth more. */
function wrongRates(
  stream: Stream,
  name: string,
  rate: (media: Media) => number,
): readonly string[] {
  return [...stream.variants, ...stream.iframes].flatMap((choice) => {
    const own = showsVideo(choice) ? rate(choice.media) : 0
    const sound = Math.max(0, ...soundsOf(stream, choice).map(({ media }) => rate(media)))
    const text = choice.attributes.has('SUBTITLES') ? subtitleBitsPerSecond : 0
    const measured = own + sound
    const declared = Number(choice.attributes.get(name))
    const isTrue = declared >= measured - 1 && declared <= measured * 1.1 + text
    return isTrue ? [] : [`${declared} for ${measured} in ${choice.media.uri}`]
  })
}

const lengthOf = ({ segments }: Pick<Media, 'segments'>): number =>
  segments.reduce((sum, { seconds }) => sum + seconds, 0)

const averageRate = (media: Pick<Media, 'segments'>): number =>
  (8 * media.segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)) / lengthOf(media)

/** RFC 8216 §4.1: over segments in a row that last 0.5 to 1.5 target durations. */
function peakRate(media: Media): number {
  let peak = averageRate(media)
  for (let first = 0; first < media.segments.length; first += 1)
    for (let end = first + 1; end <= media.segments.length; end += 1) {
      const some = { segments: media.segments.slice(first, end) }
      const share = lengthOf(some) / media.target
      if (share >= 0.5 && share <= 1.5) peak = Math.max(peak, averageRate(some))
    }
  return peak
}
