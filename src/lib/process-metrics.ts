import { Histogram, type Registry } from 'prom-client'

import { createLongestTurn, heldMs, watchTurns } from './loop-turns.ts'
import { readGauge, readTotal } from './metrics.ts'

const lookEveryMs = 50
const buckets = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 10]

/** How late a timer is: so long everything else waits for its turn too. */
export function observeEventLoop(
  metrics: Registry,
  { monotonicMs }: { readonly monotonicMs: () => number },
): Disposable {
  const late = new Histogram({
    name: 'sedge_event_loop_lag_seconds',
    help: 'How long what is ready to run waits for its turn.',
    buckets,
    registers: [metrics],
  })
  const held = new Histogram({
    name: 'sedge_event_loop_turn_seconds',
    help: 'For how long the thread of the loop computed at a stretch while others waited for their turn.',
    buckets,
    registers: [metrics],
  })
  const [longest, longestHeld] = [createLongestTurn(monotonicMs), createLongestTurn(monotonicMs)]
  readGauge(
    metrics,
    {
      name: 'sedge_event_loop_longest_turn_seconds',
      help: 'The longest that it computed at a stretch in the last minute or two.',
    },
    () => longestHeld.ms / 1000,
  )
  readGauge(
    metrics,
    {
      name: 'sedge_event_loop_longest_seconds',
      help: 'The longest that it waited in the last minute or two.',
    },
    () => longest.ms / 1000,
  )
  return watchTurns({
    everyMs: lookEveryMs,
    monotonicMs,
    onTurn(turn) {
      late.observe(turn.waitedMs / 1000)
      longest.add(turn.waitedMs)
      held.observe(heldMs(turn) / 1000)
      longestHeld.add(heldMs(turn))
    },
  })
}

/**
 * By the names that clients of Prometheus have for them. Not the library's own set: in Bun most of its
 * numbers about Node's heap and handles are 0, and its timers cannot be stopped.
 */
export function measureProcess(metrics: Registry): void {
  readTotal(
    metrics,
    { name: 'process_cpu_seconds_total', help: 'User and system time.' },
    () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  )
  readGauge(
    metrics,
    { name: 'process_start_time_seconds', help: 'When it started, since the epoch.' },
    () => performance.timeOrigin / 1000,
  )
  readGauge(metrics, { name: 'process_resident_memory_bytes', help: 'Resident memory.' }, () =>
    process.memoryUsage.rss(),
  )
  readGauge(
    metrics,
    { name: 'nodejs_heap_size_used_bytes', help: 'Used heap of JavaScript.' },
    () => process.memoryUsage().heapUsed,
  )
  readGauge(
    metrics,
    { name: 'nodejs_heap_size_total_bytes', help: 'Heap of JavaScript.' },
    () => process.memoryUsage().heapTotal,
  )
}
