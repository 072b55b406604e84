import type {
  MetricObjectWithValues,
  MetricValue,
  MetricValueWithName,
  Registry,
} from 'prom-client'

import { keyValuesOf, nanosecondsOf } from './attributes.ts'
import type { Message } from './protobuf.ts'

interface Times {
  /** Since when what only grows has been counted, in milliseconds since the epoch. */
  readonly startMs: number
  readonly nowMs: number
}

const cumulative = 2

/** All that the registry shows, by the same names and labels. */
export async function metricRecordsOf(
  metrics: Registry,
  times: Times,
): Promise<readonly Message[]> {
  const shown = await metrics.getMetricsAsJSON()
  return shown.flatMap((metric) => {
    const data = dataOf(metric, times)
    return data === undefined ? [] : [{ name: metric.name, description: metric.help, ...data }]
  })
}

/** `undefined` for what has no values, or is of a kind that is not in use here. */
function dataOf(
  { type, values }: MetricObjectWithValues<MetricValue<string>>,
  times: Times,
): Message | undefined {
  if (values.length === 0) return undefined
  // The library's types call it a number; what it shows is the name.
  const kind = String(type)
  if (kind === 'gauge') return { gauge: { dataPoints: numberPoints(values, times) } }
  const aggregationTemporality = cumulative
  if (kind === 'counter') {
    const dataPoints = numberPoints(values, times)
    return { sum: { dataPoints, aggregationTemporality, isMonotonic: true } }
  }
  if (kind !== 'histogram') return undefined
  return { histogram: { dataPoints: histogramPoints(values, times), aggregationTemporality } }
}

const numberPoints = (values: readonly MetricValue<string>[], times: Times): readonly Message[] =>
  values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({
      ...timesOf(times),
      asDouble: value,
      attributes: keyValuesOf(labelsOf(labels)),
    }))

const timesOf = ({ startMs, nowMs }: Times): Message => ({
  startTimeUnixNano: nanosecondsOf(startMs),
  timeUnixNano: nanosecondsOf(nowMs),
})

interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly bounds: number[]
  /** Each with those before it, as Prometheus counts; the last is of all. */
  readonly totals: number[]
  sum: number
}

/** Prometheus has a value for each bucket, OTLP one point for each series. */
function histogramPoints(
  values: readonly MetricValueWithName<string>[],
  times: Times,
): readonly Message[] {
  const seriesByLabels = new Map<string, Series>()
  for (const { labels, value, metricName = '' } of values) {
    const { le, ...own } = labelsOf(labels)
    const key = JSON.stringify(own, Object.keys(own).toSorted())
    const known = seriesByLabels.get(key)
    const series = known ?? { labels: own, bounds: [], totals: [], sum: 0 }
    seriesByLabels.set(key, series)
    if (metricName.endsWith('_sum')) series.sum = value
    if (le === undefined) continue
    series.totals.push(value)
    if (le !== '+Inf') series.bounds.push(Number(le))
  }
  return [...seriesByLabels.values()].map(({ labels, bounds, totals, sum }) => ({
    ...timesOf(times),
    count: String(totals.at(-1) ?? 0),
    sum,
    bucketCounts: totals.map((total, place) => String(total - (totals[place - 1] ?? 0))),
    explicitBounds: bounds,
    attributes: keyValuesOf(labels),
  }))
}

const labelsOf = (labels: MetricValue<string>['labels']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))
