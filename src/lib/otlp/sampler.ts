import type { ParentSpan } from './span-records.ts'

/** By the names of OpenTelemetry (`OTEL_TRACES_SAMPLER`). */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export interface Sampling {
  readonly name: (typeof samplerNames)[number]
  /** The share of traces that those with a ratio keep, from 0 to 1. */
  readonly ratio: number
}

/** Whether a span is reported. All services with the same ratio decide alike of a trace. */
export type Sampler = (traceId: string, parent: ParentSpan | undefined) => boolean

/**
 * Where the digits of a trace's id are that are random (W3C Trace Context, level 2, has them in its last seven
 * bytes): as many of them as a number holds exactly.
 */
const randomDigits = [-14, -1] as const
const randomBits = 52

export function createSampler({ name, ratio }: Sampling): Sampler {
  const least = (1 - ratio) * 2 ** randomBits
  const ofRatio = (traceId: string) => Number.parseInt(traceId.slice(...randomDigits), 16) >= least
  const root = name.endsWith('always_on')
    ? () => true
    : name.endsWith('always_off')
      ? () => false
      : ofRatio
  return name.startsWith('parentbased_')
    ? (traceId, parent) => parent?.isSampled ?? root(traceId)
    : root
}
