/**
 * Widths of images that pages ask for, each at most a quarter more than the one before: so no page asks for
 * much more than it shows, and no two ask for sizes that differ by a few pixels.
 */
export const widthLadder: readonly number[] = [
  32, 40, 48, 60, 72, 88, 108, 132, 160, 200, 248, 308, 384, 480, 600, 720, 864, 1080, 1280, 1600,
  1920, 2400, 3000, 3750,
]

/** The step that is no smaller than a width; of what is wider than all of them the widest. */
export const snappedWidth = (width: number): number =>
  widthLadder.find((step) => step >= width) ?? widthLadder.at(-1) ?? width

/** Device pixels to a CSS pixel, as far as it matters to what is made. */
const densities = [1, 1.5, 2, 3, 4] as const

/** The step that is no smaller than a density; of what is denser than all of them the last. */
export const snappedDensity = (density: number): number =>
  densities.find((step) => step >= density) ?? 4
