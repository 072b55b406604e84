/** The samples of one track in decode order. Times are in units of the track's timescale. */
export interface Samples {
  readonly count: number
  /** Where each sample begins in the source file. */
  readonly offsets: Float64Array
  readonly sizes: Uint32Array
  /** One more than there are samples: the last is where the last sample ends. */
  readonly decodeTimes: Float64Array
  /** Composition time minus decode time; absent where they are the same throughout. */
  readonly compositionOffsets: Int32Array | undefined
  /** The samples at which decoding can start with nothing before them; absent where all are. */
  readonly keySamples: Uint32Array | undefined
}

interface TrackFacts {
  /** RFC 6381. */
  readonly codec: string
  readonly timescale: number
  /** BCP 47; `und` where the file does not say. */
  readonly language: string
  /** The sample description as the source has it, decoder configuration included. */
  readonly sampleEntry: Uint8Array
  /** The composition time that is presented at time 0: what comes before is only decoded. */
  readonly editStart: number
  readonly samples: Samples
}

export interface VideoTrack extends TrackFacts {
  readonly kind: 'video'
  /** As displayed, after rotation. */
  readonly width: number
  readonly height: number
  /** The transformation matrix of the track header, as the source has it. */
  readonly matrix: Uint8Array
  readonly range: 'SDR' | 'PQ' | 'HLG'
}

export interface AudioTrack extends TrackFacts {
  readonly kind: 'audio'
  readonly channels: number
}

export type Track = VideoTrack | AudioTrack

/** All that packaging a file needs besides the bytes of its samples. */
export interface StreamIndex {
  readonly video: VideoTrack | undefined
  readonly audio: readonly AudioTrack[]
}

/** When a sample is presented, in seconds of the movie. */
export const presentedAt = (track: Track, sample: number): number =>
  compositionTime(track.samples, sample, track.editStart) / track.timescale

const compositionTime = (samples: Samples, sample: number, editStart: number): number =>
  (samples.decodeTimes[sample] ?? 0) + (samples.compositionOffsets?.[sample] ?? 0) - editStart

/** When the presentation of a track ends, in seconds of the movie. */
export function endOf(track: Track): number {
  const { samples } = track
  let end = 0
  for (let sample = 0; sample < samples.count; sample += 1) {
    const start = compositionTime(samples, sample, track.editStart)
    end = Math.max(end, start + durationOf(samples, sample))
  }
  return end / track.timescale
}

export const durationOf = (samples: Samples, sample: number): number =>
  (samples.decodeTimes[sample + 1] ?? 0) - (samples.decodeTimes[sample] ?? 0)
