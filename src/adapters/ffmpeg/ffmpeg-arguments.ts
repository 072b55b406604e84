import type { CodedFrames } from '../../ports/media/frame-decoder.ts'

const demuxers = { h264: 'h264', hevc: 'hevc', vp8: 'ivf', vp9: 'ivf', av1: 'ivf' } as const
/** More is refused before a decoder has memory for it. */
const maxPixels = 134_217_728

/** One thread: what is decoded is a frame, and others have their cores. It opens no file by any name. */
export const ffmpegArguments = (frames: CodedFrames): readonly string[] => [
  ...words('-hide_banner -nostdin -v quiet -protocol_whitelist pipe'),
  ...words(`-threads 1 -max_pixels ${maxPixels}`),
  // Nothing has to be found out: what it is, is said.
  ...words(`-probesize 32 -analyzeduration 0 -f ${demuxers[frames.codec]} -i pipe:0`),
  ...words(`-map 0:v:0 -frames:v ${frames.frames.length} -fps_mode passthrough`),
  ...words(`-filter_threads 1 -vf ${filtersOf(frames)}`),
  ...words('-threads 1 -c:v mjpeg -q:v 2 -f image2pipe pipe:1'),
]

const words = (text: string): readonly string[] => text.split(' ')

const turns = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
} as const

function filtersOf({ rotation, within }: CodedFrames): string {
  const size =
    within === undefined
      ? []
      : [`${within.width}:${within.height}:force_original_aspect_ratio=decrease:flags=area`]
  return [
    ...size.map((each) => `scale=${turned(each, rotation)}`),
    ...turns[rotation],
    // JPEGs have the full range, and the colours of BT.601.
    'scale=out_range=full:out_color_matrix=bt601',
    'format=yuvj420p',
  ].join(',')
}

/** It is made smaller before it is turned, which is then cheaper. */
function turned(size: string, rotation: CodedFrames['rotation']): string {
  if (rotation % 180 === 0) return size
  const [width, height, ...rest] = size.split(':')
  return [height, width, ...rest].join(':')
}

/** Elementary streams lie one after another as they are; other frames are in the smallest file there is for them (IVF). */
export function inputOf({ codec, frames, width, height }: CodedFrames): Uint8Array<ArrayBuffer> {
  if (codec === 'h264' || codec === 'hevc') return Buffer.concat(frames)
  const head = Buffer.alloc(ivfHeadBytes)
  head.write('DKIF')
  head.writeUInt16LE(ivfHeadBytes, 6)
  head.write(fourCcs[codec], 8)
  head.writeUInt16LE(width, 12)
  head.writeUInt16LE(height, 14)
  head.writeUInt32LE(1, 16)
  head.writeUInt32LE(1, 20)
  head.writeUInt32LE(frames.length, 24)
  return Buffer.concat([
    head,
    ...frames.flatMap((frame, time) => [ivfFrameHead(frame, time), frame]),
  ])
}

const ivfHeadBytes = 32
const ivfFrameHeadBytes = 12
const fourCcs = { vp8: 'VP80', vp9: 'VP90', av1: 'AV01' } as const

function ivfFrameHead(frame: Uint8Array, time: number): Buffer {
  const head = Buffer.alloc(ivfFrameHeadBytes)
  head.writeUInt32LE(frame.length)
  head.writeUInt32LE(time, 4)
  return head
}
