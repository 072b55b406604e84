import { z } from 'zod'

import type { PinnedDelivery } from '../../../domain/content/past/pinned-delivery.ts'
import { namedVersionIn } from '../../../domain/content/past/version-names.ts'
import { deliveredAsset } from '../../../domain/content/delivered/delivered-assets.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { type VideoThumbnails, versionOf } from '../../../domain/media/stills/video-thumbnails.ts'
import { thumbnailTrack } from '../../../domain/streaming/key-frames/thumbnail-track.ts'
import { urlOf } from '../../../domain/streaming/stream-request.ts'
import type { Segment } from '../../../domain/streaming/streams.ts'
import { operation } from '../../../http/operation.ts'
import { contentDigest } from '../../../lib/bytes/checksums.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { type HostRules, parsePathAt, requireShown, versionIn } from '../asset-url.ts'
import { endingWith } from '../ending-response.ts'
import { grantOf, type GrantTerms } from './stream-grant.ts'
import { segmentResponse } from './stream-response.ts'

export interface ThumbnailDependencies extends HostRules, GrantTerms {
  readonly thumbnails: VideoThumbnails
  readonly pinned: PinnedDelivery
}

const query = z.object({
  path: z.string().describe('A video: MP4, MOV, WebM or Matroska'),
  v: z
    .string()
    .regex(/^[0-9a-f]{16}-\d{1,4}$/u, 'must be as the track says it')
    .optional()
    .describe('As the track says it: then the response is the image that it names'),
  expires: z.string().optional().describe('Unix seconds; with `sig`, for what is private'),
  sig: z.string().optional().describe('Lower-case hex HMAC-SHA256 of `<path>:<expires>`'),
})

/** `GET /api/stream/thumbnails`. */
export const getThumbnails = operation({
  id: 'getThumbnails',
  plane: 'delivery',
  method: 'get',
  path: '/api/stream/thumbnails',
  summary: 'Small images of all of a video, for the seek bar of a player',
  description:
    'A WebVTT track whose cues name parts of one image (`#xywh=`), at most 64 of them, each at most 160 pixels wide and high. The image is at the same path with `v`, is made when it is first asked for, and is kept for a year: its URL can mean no other.',
  access: 'public',
  envelope: 'flat',
  query,
  responses: {
    200: {
      description: 'The track; with `v` the image',
      contentType: 'text/vtt',
      otherContentTypes: ['image/webp'],
    },
    206: {
      description: 'A part of it',
      contentType: 'text/vtt',
      otherContentTypes: ['image/webp'],
    },
    304: { description: 'The client has it already' },
    416: { description: 'No byte of the range is there' },
    403: { description: 'The signature is wrong or expired, or the zone is suspended' },
    404: { description: 'No such video, or another one by now' },
    422: { description: 'Not a video of which images can be made' },
    503: { description: 'Too many images wait to be made' },
  },
}).handledBy((dependencies: ThumbnailDependencies) => async ({ query: asked, request, caller }) => {
  const { version, text: named } = versionIn(asked.path, request, dependencies)
  const path = parsePathAt(named, request, dependencies)
  requireShown(path, request, dependencies)
  const grant = grantOf(asked.path, asked, dependencies)
  const assets = await dependencies.pinned.from({
    version,
    paths: [path],
    isSigned: grant !== undefined && namedVersionIn(asked.path).version === version,
    address: caller.ip,
  })
  const record = deliveredAsset(assets, path, { isSigned: grant !== undefined })
  const video = { path, grant, ...(version !== undefined && { pin: { version, assets } }) }
  const { signal } = request
  const part =
    asked.v === undefined
      ? trackPart(record, await dependencies.thumbnails.plan(record, { signal }), urlOf(video))
      : await imagePart(record, asked.v, { signal, thumbnails: dependencies.thumbnails })
  const response = await segmentResponse(request, part, video)
  return endingWith(response, [record], dependencies.now())
})

type Plan = Awaited<ReturnType<VideoThumbnails['plan']>>

function trackPart(
  record: AssetRecord,
  plan: Plan,
  { path, suffix }: ReturnType<typeof urlOf>,
): Segment {
  const url = `/api/stream/thumbnails?path=${encodeURIComponent(path).replaceAll('%2F', '/')}&v=${plan.version}${suffix}`
  const bytes = Buffer.from(thumbnailTrack(plan, url))
  return partOf(record, bytes, { contentType: 'text/vtt; charset=utf-8', isImmutable: false })
}

interface Making {
  readonly thumbnails: VideoThumbnails
  readonly signal: AbortSignal
}

async function imagePart(record: AssetRecord, version: string, { thumbnails, signal }: Making) {
  if (version !== versionOf(record))
    throw new ServiceError('NotFound', 'The video has changed: load its track again', {
      target: 'v',
    })
  const bytes = await thumbnails.sprite(record, { signal })
  return partOf(record, bytes, { contentType: 'image/webp', isImmutable: true })
}

const partOf = (
  record: AssetRecord,
  bytes: Uint8Array,
  { contentType, isImmutable }: Pick<Segment, 'contentType' | 'isImmutable'>,
): Segment => ({
  contentType,
  isImmutable,
  sizeBytes: bytes.length,
  tag: contentDigest(bytes),
  sources: [record],
  read: async () => [new Uint8Array(bytes)],
})
