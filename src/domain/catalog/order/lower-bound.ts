/** The first place below `end` that is not before, where all that are come first; else `end`. */
export function lowerBound(end: number, isBefore: (place: number) => boolean): number {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
