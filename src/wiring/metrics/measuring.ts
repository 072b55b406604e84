import type { Registry } from 'prom-client'

import type { LiveTick } from '../../domain/insights/live-tick.ts'
import type { LogRecorder } from '../../domain/logs/log-recorder.ts'
import type { RenderQueue } from '../../domain/media/render/render-queue.ts'
import type { HitTap } from '../../edge/hits/hit-tap.ts'
import type { MeasuredResponse } from '../../http/observed/observed-response.ts'
import type { Described } from '../../lib/metrics.ts'
import type { Publishing } from '../content/publishing.ts'
import type { World } from '../world.ts'

/** What is measured while the service runs. Nothing is where nobody listens to it. */
export interface Measuring {
  readonly metrics: Registry
  readonly onResponse: (answered: MeasuredResponse) => void
  readonly onEdgeResponse: (milliseconds: number) => void
  readonly onTick: (tick: LiveTick) => void
  /** A number that is read when somebody asks. */
  readonly gauge: (described: Described, read: () => number | undefined) => void
  /** Has what can be seen of the parts of the service measured. */
  readonly measureParts: (world: Pick<World, 'now' | 'monotonicMs'>, parts: MeasuredParts) => void
}

export interface MeasuredParts {
  readonly tap: HitTap
  readonly publishing: Publishing
  readonly recorder: LogRecorder
  readonly renderQueue: RenderQueue
  readonly opening: AsyncDisposableStack
}

/** Whether somebody fetches numbers, or is sent them. */
export const isMeasured = (
  { metricsPort }: Pick<World['config'], 'metricsPort'>,
  telemetry: World['telemetry'],
): boolean => metricsPort !== undefined || telemetry?.takesMetrics === true
