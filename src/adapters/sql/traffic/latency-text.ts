import type { DurationHistogram } from '../../../lib/collections/duration-histogram.ts'

/** `40:12,41:3`: twelve of bucket 40, three of bucket 41. */
export const latencyText = (histogram: DurationHistogram): string =>
  [...histogram].map(([bucket, count]) => `${bucket}:${count}`).join(',')

export const readLatencyText = (text: string): readonly (readonly [number, number])[] =>
  text === ''
    ? []
    : text.split(',').map((pair) => {
        const [bucket, count] = pair.split(':')
        return [Number(bucket), Number(count)]
      })
