/** Widths that pages are offered, so that no two pages ask for sizes that differ by a few pixels. */
export const widthLadder: readonly number[] = [
  160, 320, 480, 640, 828, 1080, 1280, 1600, 1920, 2560, 3840,
]

/** Nearer than this the natural width is no step of its own. */
const minStep = 1.1

/** The steps below a natural width, and that itself at the end where it is no larger than the highest. */
export function widthsBelow(natural: number): readonly number[] {
  const highest = widthLadder.at(-1) ?? natural
  const below = widthLadder.filter((width) => width * minStep < natural)
  return natural <= highest ? [...below, natural] : widthLadder
}
