import type { World } from '../world.ts'
import { isMeasured, type Measuring } from './measuring.ts'
import type { createTracing } from './tracing.ts'

/** Where OpenTelemetry's interface keeps what was registered with it, in every copy of its first major version. */
const registered = Symbol.for('opentelemetry.js.api.1')

export interface Observers {
  readonly measuring: Measuring | undefined
  readonly trace: ReturnType<typeof createTracing>
}

/** Loads what measures and traces where somebody wants that: it is a twentieth of all that a start loads. */
export async function openObservers(
  world: Pick<World, 'config' | 'telemetry'>,
): Promise<Observers> {
  const measuring = isMeasured(world.config, world.telemetry)
    ? (await import('./metrics.ts')).createMeasuring(world)
    : undefined
  const trace =
    registered in globalThis ? (await import('./tracing.ts')).createTracing() : undefined
  return { measuring, trace }
}
