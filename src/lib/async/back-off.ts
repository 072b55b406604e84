interface BackOff {
  readonly firstMs: number
  readonly longestMs?: number
  /** Between 0 and 1: how much sooner than that it may be, as a share of it. */
  readonly spread?: number
  /** 0 ≤ x < 1: the shortest is at 0. */
  readonly random: number
}

/**
 * How long to wait after so many failures in a row, one at least: doubled with each, up to the longest.
 * Some of it is taken off by chance, so that those who failed together do not come back together.
 */
export function backOffMs(
  failures: number,
  { firstMs, longestMs = Infinity, spread = 0.5, random }: BackOff,
): number {
  const doubled = Math.min(firstMs * 2 ** Math.max(failures - 1, 0), longestMs)
  return doubled * (1 - spread * (1 - random))
}
