import { median } from '../../bench/harness.ts'

const windows = 8

/**
 * By which share what was sampled at even times grew in the last two thirds, as a line through the medians of
 * windows says it (Theil and Sen): neither a single high sample nor the saw of a collector moves it. 0.03 is 3 %.
 */
export function growthOf(samples: readonly number[]): number {
  const medians = mediansOf(lastTwoThirds(samples))
  const middle = median(medians)
  if (medians.length < 2 || middle === 0) return 0
  return (slopeOf(medians) * (medians.length - 1)) / middle
}

/** How much more there is of `samples` for each of `work`, in the second and in the last third. */
export function growthByWork(
  samples: readonly number[],
  work: readonly number[],
): readonly [second: number, last: number] {
  const perUnit = (from: number, to: number) => {
    const [begin, end] = [placeAt(samples, from), placeAt(samples, to)]
    const done = (work[end] ?? 0) - (work[begin] ?? 0)
    return done === 0 ? 0 : ((samples[end] ?? 0) - (samples[begin] ?? 0)) / done
  }
  return [perUnit(1 / 3, 2 / 3), perUnit(2 / 3, 1)]
}

export const lastTwoThirds = <T>(samples: readonly T[]): readonly T[] =>
  samples.slice(Math.floor(samples.length / 3))

const placeAt = (samples: readonly number[], share: number): number =>
  Math.min(samples.length - 1, Math.floor(samples.length * share))

function mediansOf(samples: readonly number[]): readonly number[] {
  const count = Math.min(windows, samples.length)
  return Array.from({ length: count }, (_, window) =>
    median(
      samples.slice(
        Math.floor((samples.length * window) / count),
        Math.floor((samples.length * (window + 1)) / count),
      ),
    ),
  )
}

const slopeOf = (values: readonly number[]): number =>
  median(
    values.flatMap((from, place) =>
      values.slice(place + 1).map((to, further) => (to - from) / (further + 1)),
    ),
  )
