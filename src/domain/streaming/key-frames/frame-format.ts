export type FrameCodec = 'h264' | 'hevc' | 'av1' | 'vp8' | 'vp9' | 'jpeg'

/** How the frames of a video are coded, and how they are to be shown. */
export interface FrameFormat {
  readonly codec: FrameCodec
  /** `avcC`, `hvcC` or `av1C` without its box header (ISO/IEC 14496-15, AV1 in ISOBMFF); else empty. */
  readonly configuration: Uint8Array
  /** As coded, before rotation. */
  readonly width: number
  readonly height: number
  /** Clockwise, in degrees. */
  readonly rotation: 0 | 90 | 180 | 270
  /** A `colr` box of the kind `nclx` without its header (ISO/IEC 14496-12 §12.1.5). */
  readonly colour: Uint8Array | undefined
}

/** The frames of a video that can be shown with nothing before them. */
export interface KeyFrames {
  readonly format: FrameFormat
  /** When each is shown, in seconds from the start, ascending; at least one. */
  readonly seconds: readonly number[]
  /** At least as late as the last of them. */
  readonly durationSeconds: number
  /** How many bytes each has; told without reading it. */
  sizeOf(place: number): Promise<number>
  read(place: number): Promise<Uint8Array<ArrayBuffer>>
}

/** No decoder is handed more: a key frame of 8K has a tenth of it. */
export const maxFrameBytes = 24 * 2 ** 20
export const maxFrameSide = 16_384
