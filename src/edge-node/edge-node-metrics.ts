import { Counter, Histogram, Registry } from 'prom-client'

import type { LiveTick } from '../domain/insights/live-tick.ts'
import { readGauge } from '../lib/metrics.ts'
import { measureProcess, observeEventLoop } from '../lib/process-metrics.ts'
import {
  countDelivered,
  measureRendering,
  requestSecondsIn,
  seconds,
} from '../wiring/metrics/metrics.ts'
import type { MediaDelivery } from '../wiring/media.ts'
import type { EdgeNodeWorld } from './edge-node-settings.ts'
import type { Replicated } from './replicated-manifest.ts'
import type { Responding } from './route.ts'

/** What is measured while an edge runs. Nothing is where nobody listens to it. */
export interface EdgeNodeMeasuring {
  readonly metrics: Registry
  readonly onTick: (tick: LiveTick) => void
  readonly onFill: (result: FillResult) => void
  /** Counts the time since `start`, by `performance.now()`, and the status. */
  note(route: Responding, status: number, start: number): void
  /** The same with its time and status counted. */
  timed(
    route: Responding,
    respond: () => Promise<Response> | Response,
  ): Promise<Response> | Response
}

export type FillResult = 'fetched' | 'absent' | 'failed'

export function createEdgeNodeMeasuring({
  settings,
  telemetry,
}: Pick<EdgeNodeWorld, 'settings' | 'telemetry'>): EdgeNodeMeasuring | undefined {
  if (!settings.isMeasured) return undefined
  const metrics = new Registry()
  telemetry?.report(metrics)
  const registers = [metrics]
  const requestSeconds = requestSecondsIn(metrics)
  const responses = new Counter({
    name: 'sedge_edge_answers_total',
    help: 'Answers by who gave them and status.',
    labelNames: ['route', 'status'],
    registers,
  })
  const fills = new Counter({
    name: 'sedge_edge_fills_total',
    help: 'Bytes that were asked for at the origin, by what came of it.',
    labelNames: ['result'],
    registers,
  })
  measureProcess(metrics)
  function note(route: Responding, status: number, start: number): void {
    requestSeconds.series(planes[route])((performance.now() - start) / 1000)
    responses.inc({ route, status })
  }
  return {
    metrics,
    note,
    onTick: countDelivered(metrics),
    onFill: (result) => fills.inc({ result }),
    timed(route, respond) {
      const start = performance.now()
      const noted = (response: Response): Response => {
        note(route, response.status, start)
        return response
      }
      const given = respond()
      return given instanceof Promise ? given.then(noted) : noted(given)
    },
  }
}

/** The same names as at a service. */
const planes: Readonly<Record<Responding, string>> = {
  asset: 'edge',
  api: 'delivery',
  read: 'read',
  origin: 'origin',
}

interface Parts {
  readonly replicated: Replicated
  readonly media: MediaDelivery
  /** What is kept of what was fetched. */
  readonly blobBytes: () => number
  readonly isConnected: () => boolean
  readonly originSeq: () => number
  /** At a node: for so long at most it may have missed something. */
  readonly behindMs: (() => number) | undefined
  readonly opening: AsyncDisposableStack
}

const lookEveryMs = 1_000

/** What can be seen of the parts of an edge. */
export function measureEdgeNode(
  world: EdgeNodeWorld,
  measuring: EdgeNodeMeasuring | undefined,
  parts: Parts,
): void {
  if (measuring === undefined) return
  const { metrics } = measuring
  const { replicated, media, blobBytes, isConnected, opening } = parts
  readGauge(
    metrics,
    { name: 'sedge_edge_connected', help: '1 while the feed of the origin is heard.' },
    () => Number(isConnected()),
  )
  readGauge(
    metrics,
    { name: 'sedge_edge_feed_seq', help: 'The number of the feed that is served.' },
    () => replicated.replica.position?.seq ?? 0,
  )
  readGauge(
    metrics,
    { name: 'sedge_edge_blob_bytes', help: 'Bytes that were fetched and are kept on the disk.' },
    blobBytes,
  )
  readGauge(
    metrics,
    { name: 'sedge_edge_made_bytes', help: 'Pictures that were made and are kept on the disk.' },
    () => media.madeBytes(),
  )
  const { behindMs } = parts
  if (behindMs !== undefined)
    readGauge(
      metrics,
      {
        name: 'sedge_node_behind_seconds',
        help: 'For so long at most something newer may have been published than reads show here.',
      },
      () => behindMs() / 1000,
    )
  measureRendering(metrics, media.renderQueue)
  opening.use(observeEventLoop(metrics, world))
  measureLag(world, metrics, parts)
  const shown = new Histogram({
    name: 'sedge_feed_lag_seconds',
    help: 'From the time in a feed entry, by the clock of the origin, until it shows here.',
    buckets: seconds,
    registers: [metrics],
  })
  opening.use(
    replicated.replica.relayed.subscribe((entries) => {
      // Those before it have the times of their commits, which git keeps in whole seconds.
      const atMs = entries.at(-1)?.at.getTime() ?? 0
      shown.observe(Math.max(0, world.now().getTime() - atMs) / 1000)
    }),
  )
}

function measureLag(
  { monotonicMs }: EdgeNodeWorld,
  metrics: Registry,
  { replicated, isConnected, originSeq, opening }: Parts,
): void {
  const lagEntries = () => Math.max(0, originSeq() - (replicated.replica.position?.seq ?? 0))
  let currentAtMs = monotonicMs()
  const timer = setInterval(() => {
    if (isConnected() && lagEntries() === 0) currentAtMs = monotonicMs()
  }, lookEveryMs)
  opening.defer(() => clearInterval(timer))
  readGauge(
    metrics,
    {
      name: 'sedge_edge_feed_lag_entries',
      help: 'Entries that the origin had when it was last told where this edge stands, and that do not show here.',
    },
    lagEntries,
  )
  readGauge(
    metrics,
    {
      name: 'sedge_edge_feed_lag_seconds',
      help: 'How long ago nothing was missing here, as far as is known.',
    },
    () => (monotonicMs() - currentAtMs) / 1000,
  )
}
