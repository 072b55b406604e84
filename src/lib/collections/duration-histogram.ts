/**
 * Durations, counted in buckets whose bounds grow by the same factor: bucket n has those nearest to
 * 2^(n / 8) microseconds, from 1 microsecond to two minutes. So histograms of many places and times add
 * up, and what is read from one is off by at most {@link histogramError}, whatever its size.
 */
export type DurationHistogram = ReadonlyMap<number, number>

const bucketsPerDoubling = 8
/** 2^27 microseconds are 134 seconds. What lasts longer counts as this. */
export const lastBucket = 27 * bucketsPerDoubling
/** 4.5 % of the true value. */
export const histogramError = 2 ** (1 / (2 * bucketsPerDoubling)) - 1

/** Never below 0, nor above the last one. */
export function bucketOf(milliseconds: number): number {
  const bucket = Math.round(Math.log2(milliseconds * 1000) * bucketsPerDoubling)
  return bucket > 0 ? Math.min(bucket, lastBucket) : 0
}

/** Milliseconds that the bucket stands for. */
export const durationOf = (bucket: number): number => 2 ** (bucket / bucketsPerDoubling) / 1000

/**
 * The duration in milliseconds that `share` (above 0, up to 1) of all do not exceed; `undefined` where
 * there is none.
 */
export function durationAt(histogram: DurationHistogram, share: number): number | undefined {
  let left = Math.ceil(countOf(histogram) * share)
  for (const [bucket, count] of [...histogram].toSorted(([a], [b]) => a - b)) {
    left -= count
    if (left <= 0) return durationOf(bucket)
  }
  return undefined
}

const countOf = (histogram: DurationHistogram): number =>
  [...histogram.values()].reduce((sum, count) => sum + count, 0)

/** The sum of all. */
export function addHistograms(
  histograms: Iterable<Iterable<readonly [bucket: number, count: number]>>,
): Map<number, number> {
  const sum = new Map<number, number>()
  for (const histogram of histograms)
    for (const [bucket, count] of histogram) sum.set(bucket, (sum.get(bucket) ?? 0) + count)
  return sum
}
