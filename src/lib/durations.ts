import { Histogram, type Registry } from 'prom-client'

import type { Described } from './metrics.ts'

interface Options extends Described {
  readonly metrics: Registry
  /** By what the series are told apart. */
  readonly label: string
  /** In seconds, smallest first. */
  readonly buckets: readonly number[]
}

/** How long things took, in seconds, for those who measure every request. */
export interface Durations {
  /** The series of that value of the label, to be kept by whoever notes often: noting looks nothing up. */
  series(value: string): (seconds: number) => void
}

interface Series {
  /** How many were no longer than each bucket says, and longer than the one before; last those longer than all. */
  readonly counts: Float64Array
  sum: number
}

/** Shown as a histogram of Prometheus. That of the library builds and escapes its labels for each value. */
export function openDurations(options: Options): Durations {
  const { metrics, name, help, label, buckets } = options
  const all = new Map<string, Series>()

  class Shown extends Histogram {
    /** What the registry asks for where it shows all as JSON. */
    override async get() {
      return (await this.getForPromString()) as unknown as ReturnType<Histogram['get']>
    }

    /** What it asks for where it shows all as text. */
    getForPromString() {
      const values = [...all].flatMap(valuesOf)
      return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values })
    }
  }

  const valuesOf = ([value, { counts, sum }]: readonly [string, Series]) => {
    const labels: Record<string, string | number> = { [label]: value }
    let total = 0
    const shown = buckets.map((bound, index) => ({
      metricName: `${name}_bucket`,
      labels: { le: bound, ...labels },
      value: (total += counts[index] ?? 0),
    }))
    total += counts[buckets.length] ?? 0
    return [
      ...shown,
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: total },
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ]
  }

  const _shown = new Shown({ name, help, labelNames: [label], registers: [metrics] })
  return {
    series(value) {
      const known = all.get(value)
      const series = known ?? { counts: new Float64Array(buckets.length + 1), sum: 0 }
      all.set(value, series)
      return (seconds) => {
        let index = 0
        while (index < buckets.length && seconds > (buckets[index] ?? 0)) index += 1
        series.counts[index] = (series.counts[index] ?? 0) + 1
        series.sum += seconds
      }
    },
  }
}
