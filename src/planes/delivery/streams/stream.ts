import { z } from 'zod'

import { invalid } from '../../../domain/errors.ts'
import type { Streams } from '../../../domain/streaming/streams.ts'
import { relatedPaths } from '../../../domain/streaming/related-files.ts'
import type { PinnedDelivery } from '../../../domain/content/past/pinned-delivery.ts'
import { operation } from '../../../http/operation.ts'
import { namedVersionIn } from '../../../domain/content/past/version-names.ts'
import { type HostRules, parsePathAt, requireShown, versionIn } from '../asset-url.ts'
import { endingWith } from '../ending-response.ts'
import { grantOf, type GrantTerms } from './stream-grant.ts'
import { playlistResponse, segmentResponse } from './stream-response.ts'

export interface StreamDependencies extends HostRules, GrantTerms {
  readonly streams: Streams
  readonly pinned: PinnedDelivery
}

const query = z.object({
  path: z.string().optional().describe('An MP4 video or a stored `.m3u8`'),
  video: z.string().optional().describe('The same as `path`'),
  quality: z
    .string()
    .optional()
    .describe('A rendition that the master playlist names; `720` is `720p`, `.m3u8` may follow'),
  segment: z
    .string()
    .optional()
    .describe('Its number, from 0, or `init`; `.m4s`, `.vtt` or `.mp4` may follow'),
  init: z.string().optional().describe('Present: the same as `segment=init`'),
  v: z.string().optional().describe('The version in the URLs of a playlist'),
  expires: z.string().optional().describe('Unix seconds; with `sig`, for what is private'),
  sig: z.string().optional().describe('Lower-case hex HMAC-SHA256 of `<path>:<expires>`'),
})
type Query = z.infer<typeof query>

/** The video that was asked for, whatever its size is. */
const ownQuality = 'source'

const segmentTypes = [
  'video/iso.segment',
  'audio/iso.segment',
  'video/mp4',
  'audio/mp4',
  'text/vtt',
] as const

/** `GET /api/stream`. */
export const getStream = operation({
  id: 'getStream',
  plane: 'delivery',
  method: 'get',
  path: '/api/stream',
  summary: 'A stored video as HTTP Live Streaming',
  description:
    'With a path alone the master playlist: one variant a stored size (`name.mp4`, `name_720p.mp4`, …), the sound apart, single key frames, and WebVTT files beside the video (`name.en.vtt`) as subtitles. With `quality` the playlist of one rendition; with `segment` a part of it, packaged when it is asked for and never transcoded. Cuts are at key frames, about six seconds apart. A frame by its time is an image: `t` of `/api/transform`.',
  access: 'public',
  envelope: 'flat',
  query,
  responses: {
    200: {
      description: 'A playlist; with `segment` a whole segment',
      contentType: 'application/vnd.apple.mpegurl',
      otherContentTypes: segmentTypes,
    },
    206: {
      description: 'A part of a segment',
      contentType: 'video/iso.segment',
      otherContentTypes: segmentTypes.slice(1),
    },
    304: { description: 'The client has it already' },
    416: { description: 'No byte of the range is there' },
    403: { description: 'The signature is wrong or expired, or the zone is suspended' },
    404: { description: 'No such video, quality or segment' },
    422: { description: 'The video cannot be streamed; `message` says why' },
  },
}).handledBy((dependencies: StreamDependencies) => async ({ query: asked, request, caller }) => {
  const { streams, pinned } = dependencies
  const text = asked.path ?? asked.video
  if (text === undefined) throw invalid('path', 'is required')
  const { version, text: named } = versionIn(text, request, dependencies)
  const path = parsePathAt(named, request, dependencies)
  requireShown(path, request, dependencies)
  const grant = grantOf(text, asked, dependencies)
  const assets = await pinned.from({
    version,
    paths: [path, ...relatedPaths(path)],
    // A signature is for what it names: the host name of a preview adds nothing to that.
    isSigned: grant !== undefined && namedVersionIn(text).version === version,
    address: caller.ip,
  })
  const video = { path, grant, ...(version !== undefined && { pin: { version, assets } }) }
  const segment = segmentOf(asked)
  const quality = qualityOf(asked)
  if (segment === undefined) {
    const playlist = await streams.playlist({ ...video, quality })
    const response = await playlistResponse(request, playlist, video)
    return endingWith(response, playlist.sources, dependencies.now())
  }
  const part = { ...video, quality: quality ?? ownQuality, segment, version: asked.v || undefined }
  const made = await streams.segment(part)
  const response = await segmentResponse(request, made, video)
  return endingWith(response, made.sources, dependencies.now())
})

/** What is empty was not asked for; players and people leave the `p` out. */
function qualityOf({ quality = '' }: Query): string | undefined {
  const name = quality.replace(/\.m3u8$/u, '')
  return /^\d{1,5}$/u.test(name) ? `${name}p` : name || undefined
}

function segmentOf({ segment = '', init }: Query): number | 'init' | undefined {
  if (init !== undefined || /^init(\.mp4)?$/u.test(segment)) return 'init'
  if (segment === '') return undefined
  if (!/^\d{1,9}(\.m4s|\.vtt)?$/u.test(segment))
    throw invalid('segment', 'must be a whole number or init')
  return Number.parseInt(segment, 10)
}
