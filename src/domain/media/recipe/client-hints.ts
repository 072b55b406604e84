import { snappedDensity, snappedWidth } from '../../../lib/width-ladder.ts'

/** What a client says of where an image will be seen; what it does not say is left out. */
export interface ClientHints {
  /** Device pixels that the image will be wide. */
  readonly width?: number | undefined
  /** CSS pixels. */
  readonly viewportWidth?: number | undefined
  /** Device pixels to a CSS pixel. */
  readonly density?: number | undefined
  /** Whether it says that its connection is slow. */
  readonly isSlow?: boolean
}

/** Where a client says nothing, in device pixels. */
const usualWidth = 1080

/** The step of the ladder that is wide enough, in device pixels: the window's where the image's is not said. */
export function hintedWidth(hints: ClientHints): number {
  const { width, viewportWidth, density = 1 } = hints
  const wanted = width ?? (viewportWidth === undefined ? usualWidth : viewportWidth * density)
  return snappedWidth(wanted)
}

export const hintedDensity = ({ density = 1 }: ClientHints): number => snappedDensity(density)
