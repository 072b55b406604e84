import { widthLadder } from '../../../lib/width-ladder.ts'

/** So much more than it is shown an image may have in each direction. */
const mostTooWide = 1.25

/**
 * The steps below a natural width, and that itself at the end where it is no larger than the highest. The
 * last step is left out where the one before it reaches that far.
 */
export function widthsBelow(natural: number): readonly number[] {
  const highest = widthLadder.at(-1) ?? natural
  if (natural > highest) return widthLadder
  const below = widthLadder.filter((width) => width < natural)
  const reaches = (below.at(-2) ?? 0) * mostTooWide >= natural
  return [...(reaches ? below.slice(0, -1) : below), natural]
}
