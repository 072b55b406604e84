import type { CodedFormat } from '../../ports/media/frame-decoder.ts'

const sequenceParameterSet = 7

/**
 * How the WebCodecs registry names a format (W3C WebCodecs Codec Registry §3). Decoders of software take
 * what the bytes say, so of all but H.264 a usual profile does.
 */
export const codecString = (codec: CodedFormat, frame: Uint8Array): string =>
  codec === 'h264' ? h264(frame) : usual[codec]

const usual = {
  hevc: 'hvc1.1.6.L93.B0',
  vp8: 'vp8',
  vp9: 'vp09.00.10.08',
  av1: 'av01.0.04M.08',
} as const

/** Profile, constraints and level are the three bytes behind the header of the first parameter set. */
function h264(frame: Uint8Array): string {
  for (let at = 3; at + 3 < Math.min(frame.length, 4096); at += 1) {
    const follows = frame[at - 1] === 1 && frame[at - 2] === 0 && frame[at - 3] === 0
    if (follows && ((frame[at] ?? 0) & 0x1f) === sequenceParameterSet)
      return `avc1.${Buffer.from(frame.subarray(at + 1, at + 4)).toString('hex')}`
  }
  return 'avc1.640028'
}
