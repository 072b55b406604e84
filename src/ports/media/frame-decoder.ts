import type { Rendered } from './renderer.ts'

/** How frames are coded that no image file holds as they are. */
export type CodedFormat = 'h264' | 'hevc' | 'vp8' | 'vp9' | 'av1'

/** Frames of one video, each of which can be shown with nothing before it. */
export interface CodedFrames {
  readonly codec: CodedFormat
  /** Of H.264 and H.265 as an elementary stream that has its parameter sets (annex B). */
  readonly frames: readonly Uint8Array[]
  /** As they are coded. */
  readonly width: number
  readonly height: number
  /** They are turned clockwise, in degrees. */
  readonly rotation: 0 | 90 | 180 | 270
  /** They are made to fit into this, after they are turned; as large as they are where left out. */
  readonly within?: { readonly width: number; readonly height: number } | undefined
}

/**
 * Decodes single frames. What it is handed may be hostile: whatever it is, {@link decode} ends within
 * {@link maxMs}, and nothing else is harmed by it. Decoding is done in a child that can be killed, without a
 * network and without files.
 */
export interface FrameDecoder extends AsyncDisposable {
  readonly codecs: readonly CodedFormat[]
  /** What to do where it is not installed, as in `apt-get install x`. */
  readonly install: string
  readonly maxMs: number
  /** Whether it is installed. Asked before each time: it may be installed at any moment. */
  isThere(): boolean
  /**
   * A JPEG of each frame, in their order, at most as many as there are frames; at least one. Rejects with
   * `UnrenderableImageError` where the frames are at fault (damaged, hostile, over a budget), and with
   * `RendererUnavailableError` where nothing can be decoded now.
   */
  decode(frames: CodedFrames): Promise<Rendered<readonly Uint8Array[]>>
}
