import { Counter, Histogram, Registry } from 'prom-client'

import type { RenderQueue } from '../../domain/media/render/render-queue.ts'
import type { LiveTick } from '../../domain/insights/live-tick.ts'
import { type Durations, openDurations } from '../../lib/durations.ts'
import { readGauge } from '../../lib/metrics.ts'
import { measureProcess, observeEventLoop } from '../../lib/process-metrics.ts'
import type { Publishing } from '../content/publishing.ts'
import type { World } from '../world.ts'
import type { MeasuredParts, Measuring } from './measuring.ts'

export const seconds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export function createMeasuring({ telemetry }: Pick<World, 'telemetry'>): Measuring {
  const metrics = new Registry()
  telemetry?.report(metrics)
  const registers = [metrics]
  const requestSeconds = requestSecondsIn(metrics)
  const responses = new Counter({
    name: 'sedge_api_answers_total',
    help: 'Answers of the API by plane and status.',
    labelNames: ['plane', 'status'],
    registers,
  })
  const refusals = new Counter({
    name: 'sedge_limit_refusals_total',
    help: 'Requests that were refused because a limit was used up, by limit.',
    labelNames: ['limit'],
    registers,
  })
  const ofEdge = requestSeconds.series('edge')
  measureProcess(metrics)
  return {
    metrics,
    onResponse({ operation, response, milliseconds }) {
      const plane = operation?.plane ?? 'none'
      requestSeconds.series(plane)(milliseconds / 1000)
      responses.inc({ plane, status: response.status })
      if (response.status === 429) refusals.inc({ limit: limitOf(response) })
    },
    onEdgeResponse: (milliseconds) => ofEdge(milliseconds / 1000),
    onTick: countDelivered(metrics),
    gauge: (described, read) => readGauge(metrics, described, read),
    measureParts: (world, parts) => measureParts(world, metrics, parts),
  }
}

export const requestSecondsIn = (metrics: Registry): Durations =>
  openDurations({
    name: 'sedge_request_seconds',
    help: 'Time until an answer began, by plane.',
    label: 'plane',
    buckets: seconds,
    metrics,
  })

/** The name of the limit, without the zone that it may be of. */
const limitOf = ({ headers }: Response): string =>
  /^"([\w-]+)/u.exec(headers.get('ratelimit-policy') ?? '')?.[1] ?? 'unknown'

/** Counts what was delivered, by a service or an edge. */
export function countDelivered(metrics: Registry): (tick: LiveTick) => void {
  const registers = [metrics]
  const delivered = new Counter({
    name: 'sedge_deliveries_total',
    help: 'Delivered answers by result of the cache.',
    labelNames: ['cache'],
    registers,
  })
  const deliveredBytes = new Counter({
    name: 'sedge_delivered_bytes_total',
    help: 'Bytes of delivered bodies.',
    registers,
  })
  const failed = new Counter({
    name: 'sedge_delivery_errors_total',
    help: 'Delivered answers of 400 and above.',
    registers,
  })
  return ({ zones }) => {
    for (const { requests, hits, bytes, errors } of zones) {
      delivered.inc({ cache: 'HIT' }, hits)
      delivered.inc({ cache: 'MISS' }, requests - hits)
      deliveredBytes.inc(bytes)
      failed.inc(errors)
    }
  }
}

/** What can be seen of the parts of the service. */
function measureParts(
  world: Pick<World, 'now' | 'monotonicMs'>,
  metrics: Registry,
  parts: MeasuredParts,
): void {
  const { now } = world
  const { tap, publishing, recorder, renderQueue, opening } = parts
  readGauge(
    metrics,
    { name: 'sedge_tap_collapsed', help: 'Hits whose paths were not told apart.' },
    () => tap.collapsed,
  )
  readGauge(
    metrics,
    { name: 'sedge_tap_dropped', help: 'Hits that were not counted.' },
    () => tap.dropped,
  )
  readGauge(
    metrics,
    { name: 'sedge_log_records_lost', help: 'Log records that were not kept.' },
    () => recorder.lost,
  )
  readGauge(
    metrics,
    { name: 'sedge_publishing_current', help: '1 where all that is committed is published.' },
    () => Number(publishing.publisher.isCurrent),
  )
  measureRendering(metrics, renderQueue)
  const groupSize = new Histogram({
    name: 'sedge_commit_group_size',
    help: 'Commits that were made durable and published together.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [metrics],
  })
  const lag = new Histogram({
    name: 'sedge_feed_lag_seconds',
    help: 'From when entries of the feed begin to be written until its subscribers are told.',
    buckets: seconds,
    registers: [metrics],
  })
  opening.use(observeFeed(publishing, { groupSize, lag, now }))
  opening.use(observeEventLoop(metrics, world))
}

export function measureRendering(metrics: Registry, renderQueue: Pick<RenderQueue, 'state'>): void {
  readGauge(
    metrics,
    { name: 'sedge_render_running', help: 'Pictures being worked on.' },
    () => renderQueue.state.running,
  )
  readGauge(
    metrics,
    { name: 'sedge_render_queued', help: 'Pictures that somebody waits for.' },
    () => renderQueue.state.queued,
  )
  readGauge(
    metrics,
    { name: 'sedge_render_queued_in_background', help: 'Pictures to be made while nobody waits.' },
    () => renderQueue.state.queuedInBackground,
  )
}

function observeFeed(
  { feed }: Publishing,
  { groupSize, lag, now }: { groupSize: Histogram; lag: Histogram; now: () => Date },
): Disposable {
  return feed.subscribe((entries) => {
    const commits = new Set(entries.map(({ commitId }) => commitId))
    commits.delete(undefined)
    if (commits.size > 0) groupSize.observe(commits.size)
    // Those before it have the times of their commits, which git keeps in whole seconds.
    const last = entries.at(-1)
    if (last !== undefined) lag.observe(Math.max(0, now().getTime() - last.at.getTime()) / 1000)
  })
}
