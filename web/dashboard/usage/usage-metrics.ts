import { t } from '../language/text.ts'
import type { Tone } from '../parts/chart/bar-chart.tsx'
import { byteScaleTop, countScaleTop } from '../parts/chart/scale.ts'
import { humanBytes, humanNumber } from '../parts/format.ts'
import type { UsageTotals } from './chosen-usage.ts'

export type UsageCounts = Omit<UsageTotals, 'StoredByteDays'>

/** One of the tabs: what its card says, and what its chart stacks for each day. */
export interface UsageMetric {
  readonly id: string
  readonly name: string
  /** What the chart is of. */
  readonly title: string
  readonly series: readonly { readonly name: string; readonly tone: Tone }[]
  readonly valuesOf: (counts: UsageCounts) => readonly number[]
  /** The figure on the card, in tables, and that is compared. */
  readonly wholeOf: (counts: UsageCounts) => number
  readonly format: (value: number) => string
  readonly topOf: (most: number) => number
}

const ofBytes = { format: humanBytes, topOf: byteScaleTop } as const
const ofCounts = { format: humanNumber, topOf: countScaleTop } as const

export const usageMetrics: readonly [UsageMetric, ...UsageMetric[]] = [
  {
    id: 'stored',
    name: t('Stored'),
    title: t('Bytes stored at the end of each day'),
    series: [{ name: t('Stored'), tone: 'accent' }],
    valuesOf: ({ StoredBytes }) => [StoredBytes],
    wholeOf: ({ StoredBytes }) => StoredBytes,
    ...ofBytes,
  },
  {
    id: 'traffic',
    name: t('Traffic'),
    title: t('Bytes delivered each day'),
    series: [{ name: t('Traffic'), tone: 'accent' }],
    valuesOf: ({ Bytes }) => [Bytes],
    wholeOf: ({ Bytes }) => Bytes,
    ...ofBytes,
  },
  {
    id: 'requests',
    name: t('Requests'),
    title: t('Requests each day, from the cache and not'),
    series: [
      { name: t('From the cache'), tone: 'accent' },
      { name: t('Not from the cache'), tone: 'accent-soft' },
    ],
    valuesOf: ({ Requests, CacheHit }) => [CacheHit, Requests - CacheHit],
    wholeOf: ({ Requests }) => Requests,
    ...ofCounts,
  },
  {
    id: 'transforms',
    name: t('Transforms'),
    title: t('Images made of assets each day'),
    series: [
      { name: t('From the cache'), tone: 'accent' },
      { name: t('Made'), tone: 'warning' },
    ],
    valuesOf: ({ Transforms, TransformsMade }) => [Transforms - TransformsMade, TransformsMade],
    wholeOf: ({ Transforms }) => Transforms,
    ...ofCounts,
  },
  {
    id: 'uploads',
    name: t('Uploads'),
    title: t('Files whose bytes were stored each day'),
    series: [{ name: t('Uploads'), tone: 'accent' }],
    valuesOf: ({ Uploads }) => [Uploads],
    wholeOf: ({ Uploads }) => Uploads,
    ...ofCounts,
  },
  {
    id: 'ai',
    name: t('AI calls'),
    title: t('Calls each day to the models that are set'),
    series: [
      { name: t('Vision'), tone: 'accent' },
      { name: t('Chat'), tone: 'water' },
      { name: t('Embeddings'), tone: 'warning' },
    ],
    valuesOf: ({ VisionCalls, ChatCalls, EmbeddingCalls }) => [
      VisionCalls,
      ChatCalls,
      EmbeddingCalls,
    ],
    wholeOf: ({ AiCalls }) => AiCalls,
    ...ofCounts,
  },
]
