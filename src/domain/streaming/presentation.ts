import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import type { AssetRecord } from '../../ports/records/asset.ts'
import { bandwidthOf, type Bandwidth } from './segments/bandwidth.ts'
import {
  audioSegments,
  cutTimes,
  iframeSegments,
  videoSegments,
  type Segment,
} from './segments/cutting.ts'
import { withoutPreRoll } from './index/pre-roll.ts'
import type { AudioTrack, StreamIndex, Track, VideoTrack } from './index/stream-index.ts'

/** A stored file of a video, with its index. */
export interface Source {
  readonly record: AssetRecord
  readonly index: StreamIndex
  /** What its name says about its size; absent for the file the video is named by. */
  readonly label?: string
}

/** Something with a media playlist of its own, at `quality=<id>`. */
export interface Rendition<T extends Track = Track> {
  readonly id: string
  readonly record: AssetRecord
  /** Names the bytes of its segments: the source's, how it is cut, and how it is packaged. */
  readonly version: string
  readonly track: T
  readonly segments: readonly Segment[]
  /** Whole seconds; equal throughout a video, but for single key frames. */
  readonly targetDuration: number
  readonly bandwidth: Bandwidth
}

/** A video ready to be played: everything but the bytes. */
export interface Presentation {
  readonly video: readonly Rendition<VideoTrack>[]
  readonly audio: readonly Rendition<AudioTrack>[]
  readonly iframes: readonly Rendition<VideoTrack>[]
  readonly durationSeconds: number
}

/** Raise it whenever the same video would be packaged into other bytes: URLs of segments change. */
const packagingVersion = 2
const sourceDigits = 16
const cutDigits = 8

/**
 * Plans how a video is played. The first source is the video itself; sound comes from the first one that
 * has any, so that a change of frame size never changes the sound. Others have their turn between
 * one rendition and the next.
 */
export async function planPresentation(stored: readonly Source[]): Promise<Presentation> {
  const sources = withoutPreRoll(stored)
  const videos = sources.flatMap((source) =>
    source.index.video === undefined ? [] : [{ ...source, track: source.index.video }],
  )
  const cuts = cutTimes(videos.map(({ track }) => track))
  const cutName = nameOf(videos.length > 0 ? videos : sources)
  const ids = videoIds(videos)
  const video = await oneByOne(videos, ({ record, track }, place) => ({
    id: ids[place] ?? '',
    record,
    version: versionOf(record, cutName),
    track,
    segments: videoSegments(track, cuts[place] ?? []),
  }))
  const speaking = sources.find(({ index }) => index.audio.length > 0)
  const audio = await oneByOne(speaking?.index.audio ?? [], (track, place) => ({
    id: place === 0 ? 'audio' : `audio-${place + 1}`,
    record: (speaking as Source).record,
    version: versionOf((speaking as Source).record, cutName),
    track,
    segments: audioSegments(track, cuts[0] ?? []),
  }))
  const targetDuration = targetOf([...video, ...audio])
  return {
    video: await oneByOne(video, (plan) => finished(plan, targetDuration)),
    audio: await oneByOne(audio, (plan) => finished(plan, targetDuration)),
    iframes: await oneByOne(video, iframesOf),
    durationSeconds: Math.max(...[...video, ...audio].map(lengthOf)),
  }
}

async function oneByOne<From, To>(
  items: readonly From[],
  plan: (item: From, place: number) => To,
): Promise<readonly To[]> {
  const planned: To[] = []
  for (const [place, item] of items.entries()) {
    await setImmediate()
    planned.push(plan(item, place))
  }
  return planned
}

type Plan<T extends Track> = Omit<Rendition<T>, 'targetDuration' | 'bandwidth'>

const finished = <T extends Track>(plan: Plan<T>, targetDuration: number): Rendition<T> => ({
  ...plan,
  targetDuration,
  bandwidth: bandwidthOf(plan.track, plan.segments, targetDuration),
})

function iframesOf(plan: Plan<VideoTrack>): Rendition<VideoTrack> {
  const iframes = { ...plan, id: `${plan.id}-iframes`, segments: iframeSegments(plan.track) }
  return finished(iframes, targetOf([iframes]))
}

/** No segment may round to more (RFC 8216 §4.3.3.1). */
const targetOf = (plans: readonly { readonly segments: readonly Segment[] }[]): number =>
  plans
    .flatMap(({ segments }) => segments)
    .reduce((most, { duration }) => Math.max(most, Math.round(duration)), 1)

const lengthOf = ({ segments }: { readonly segments: readonly Segment[] }): number =>
  segments.reduce((sum, { duration }) => sum + duration, 0)

/** By the name of the file where it tells a size, else by the frames; no two alike. */
function videoIds(videos: readonly (Source & { readonly track: VideoTrack })[]): readonly string[] {
  const labels = new Set(videos.map(({ label }) => label))
  return videos.map(({ label, track }) => {
    const own = `${Math.min(track.width, track.height)}p`
    return label ?? (labels.has(own) ? 'source' : own)
  })
}

/** Cuts depend on all sizes of a video: one more may move them. */
const nameOf = (sources: readonly Source[]): string =>
  createHash('sha256')
    .update([packagingVersion, ...sources.map(({ record }) => record.sha256)].join('\n'))
    .digest('hex')
    .slice(0, cutDigits)

const versionOf = ({ sha256 }: AssetRecord, cutName: string): string =>
  `${sha256.slice(0, sourceDigits)}-${cutName}`
