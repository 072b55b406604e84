import { t } from '../language/text.ts'
import type { Tone } from '../parts/chart/bar-chart.tsx'
import { byteScaleTop, countScaleTop, scaleTop } from '../parts/chart/scale.ts'
import { humanBytes, humanMilliseconds, humanNumber, humanShare } from '../parts/format.ts'
import type { SeriesTotals } from './chosen-period.ts'

/** One of the tabs: what its card says, and what its chart draws. */
export interface Metric {
  readonly id: string
  readonly name: string
  /** What the chart is of. */
  readonly title: string
  readonly series: readonly { readonly name: string; readonly tone: Tone }[]
  readonly isStacked: boolean
  readonly valuesOf: (totals: SeriesTotals) => readonly (number | null)[]
  /** One figure for all of it: what is on the card, and what is compared. */
  readonly wholeOf: (totals: SeriesTotals) => number | null
  readonly format: (value: number) => string
  readonly topOf: (most: number) => number
  /** Where less is better. */
  readonly isCost?: boolean
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

export const metrics: readonly [Metric, ...Metric[]] = [
  {
    id: 'requests',
    name: t('Requests'),
    title: t('Requests, from the cache and not'),
    series: [
      { name: t('From the cache'), tone: 'accent' },
      { name: t('Not from the cache'), tone: 'accent-soft' },
    ],
    isStacked: true,
    valuesOf: ({ CacheHit, CacheMiss }) => [CacheHit, CacheMiss],
    wholeOf: ({ Requests }) => Requests,
    format: humanNumber,
    topOf: countScaleTop,
  },
  {
    id: 'bandwidth',
    name: t('Bandwidth'),
    title: t('Bytes delivered'),
    series: [{ name: t('Bandwidth'), tone: 'accent' }],
    isStacked: true,
    valuesOf: ({ Bytes }) => [Bytes],
    wholeOf: ({ Bytes }) => Bytes,
    format: humanBytes,
    topOf: byteScaleTop,
  },
  {
    id: 'hits',
    name: t('Hit ratio'),
    title: t('Share of requests that the cache answered'),
    series: [{ name: t('Hit ratio'), tone: 'accent' }],
    isStacked: true,
    valuesOf: ({ CacheHit, Requests }) => [shareOf(CacheHit, Requests)],
    wholeOf: ({ CacheHit, Requests }) => shareOf(CacheHit, Requests),
    format: humanShare,
    topOf: () => 1,
  },
  {
    id: 'status',
    name: t('Errors'),
    title: t('Requests by status'),
    series: [
      { name: t('2xx, delivered'), tone: 'accent' },
      { name: t('3xx, unchanged or elsewhere'), tone: 'water' },
      { name: t('4xx, refused'), tone: 'warning' },
      { name: t('5xx, failed'), tone: 'danger' },
    ],
    isStacked: true,
    valuesOf: ({ Status }) => [Status['2xx'], Status['3xx'], Status['4xx'], Status['5xx']],
    wholeOf: ({ Status, Requests }) => shareOf(Status['4xx'] + Status['5xx'], Requests),
    format: humanNumber,
    topOf: countScaleTop,
    isCost: true,
  },
  {
    id: 'latency',
    name: t('Latency, 95 %'),
    title: t('Time until the answer began'),
    series: [
      { name: t('99 % within'), tone: 'water' },
      { name: t('95 % within'), tone: 'accent-soft' },
      { name: t('Half within'), tone: 'accent' },
    ],
    isStacked: false,
    valuesOf: ({ Latency }) => [Latency?.P99 ?? null, Latency?.P95 ?? null, Latency?.P50 ?? null],
    wholeOf: ({ Latency }) => Latency?.P95 ?? null,
    format: humanMilliseconds,
    topOf: scaleTop,
    isCost: true,
  },
  {
    id: 'transforms',
    name: t('Transforms'),
    title: t('Images made of assets'),
    series: [
      { name: t('From the cache'), tone: 'accent' },
      { name: t('Made'), tone: 'warning' },
    ],
    isStacked: true,
    valuesOf: ({ Transforms, TransformsMade }) => [Transforms - TransformsMade, TransformsMade],
    wholeOf: ({ Transforms }) => Transforms,
    format: humanNumber,
    topOf: countScaleTop,
  },
]

/** What the card says. A share is one, whatever the chart counts. */
export const wholeText = (metric: Metric, totals: SeriesTotals): string => {
  const whole = metric.wholeOf(totals)
  if (whole === null) return '–'
  return metric.id === 'status' ? humanShare(whole) : metric.format(whole)
}

/** How the whole of now is to that of before; `undefined` where there was nothing. */
export function changeOf(
  metric: Metric,
  now: SeriesTotals,
  before: SeriesTotals | undefined,
): number | undefined {
  const [whole, former] = [metric.wholeOf(now), before && metric.wholeOf(before)]
  if (whole === null || !former) return undefined
  return whole / former - 1
}
