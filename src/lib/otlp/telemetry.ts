import type { Registry } from 'prom-client'

import { readTotal } from '../metrics.ts'
import { type Attributes, type KeyValue, keyValuesOf } from './attributes.ts'
import { createBoundedBatches } from './bounded-batches.ts'
import { logRecordOf } from './log-records.ts'
import { metricRecordsOf } from './metric-records.ts'
import { sendOtlp, type SendOutcome } from './otlp-receiver.ts'
import { signals } from './otlp-schema.ts'
import type { OtlpTarget } from './otlp-target.ts'
import type { Message } from './protobuf.ts'
import type { Signal } from './signal-names.ts'
import { createSampler, type Sampling } from './sampler.ts'
import { type ServerSpan, spanRecordOf } from './span-records.ts'

/** Where what a process does is reported by OTLP. Plain data, so that workers can be told. */
export interface TelemetryOptions {
  /** Those signals alone that are wanted. */
  readonly targets: Readonly<Partial<Record<Signal, OtlpTarget>>>
  /** What tells this service from others. */
  readonly resource: Attributes
  readonly sampling: Sampling
  readonly metricsEveryMs: number
}

/** Reports what one process does. Nothing here ever rejects or makes anybody wait, but for the end. */
export interface Telemetry extends AsyncDisposable {
  /** What the log prints, line by line, each as JSON. Absent where no logs are wanted. */
  readonly addLogLine: ((line: string) => void) | undefined
  /** Absent where no spans are wanted. */
  readonly addSpan: ((span: ServerSpan) => void) | undefined
  readonly takesMetrics: boolean
  /** Reports all that `metrics` shows, in the place of what was named before, and shows there what was dropped. */
  report(metrics: Registry): void
}

export interface ProcessOf {
  /** Tells this process from all others for all time. */
  readonly instanceId: string
  /** What it does, e.g. `worker`. */
  readonly role: string
  readonly version: string
  readonly newId: () => string
  readonly now: () => Date
  readonly monotonicMs: () => number
  readonly random: () => number
  /** Not what is reported itself: that would go round in circles. */
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

const everyMs = 1_000
/** A receiver that takes longer is left without what was to be sent last. */
const endWithinMs = 1_000

export function openTelemetry(options: TelemetryOptions, own: ProcessOf): Telemetry {
  const ending = new AbortController()
  const attributes = keyValuesOf(resourceOf(options.resource, own))
  const sendTo =
    (signal: Signal, target: OtlpTarget) =>
    async (items: readonly Message[]): Promise<SendOutcome> =>
      await sendOtlp(signal, {
        target,
        message: messageOf(signal, items, { attributes, version: own.version }),
        ending: ending.signal,
      })
  const batchesFor = (signal: Signal) => {
    const target = options.targets[signal]
    return (
      target &&
      createBoundedBatches<Message>({
        ...own,
        send: sendTo(signal, target),
        everyMs,
        onTrouble: troubleOf(signal, target, own),
      })
    )
  }
  const spans = batchesFor('traces')
  const logs = batchesFor('logs')
  const { metrics: target } = options.targets
  const metrics =
    target &&
    openMetrics({
      ...own,
      everyMs: options.metricsEveryMs,
      send: sendTo('metrics', target),
      onTrouble: troubleOf('metrics', target, own),
    })
  const dropped = {
    traces: () => spans?.dropped,
    logs: () => logs?.dropped,
    metrics: metrics?.failed,
  }
  return {
    addLogLine: logs && ((line) => logs.add(logRecordOf(line))),
    addSpan: spans && spanAdder(spans, createSampler(options.sampling), own.newId),
    takesMetrics: metrics !== undefined,
    report(registry) {
      for (const [signal, read] of Object.entries(dropped))
        if (read?.() !== undefined) readTotal(registry, describedDrops(signal), read)
      metrics?.report(registry)
    },
    async [Symbol.asyncDispose]() {
      const late = setTimeout(() => ending.abort(), endWithinMs)
      await Promise.all([spans?.finish(), logs?.finish(), metrics?.finish()])
      clearTimeout(late)
    },
  }
}

const describedDrops = (signal: string) => ({
  name: `sedge_telemetry_${signal}_dropped_total`,
  help: `Of what is reported by OTLP as ${signal}: what the receiver did not take, or not in time.`,
})

const troubleOf =
  (signal: Signal, { url }: OtlpTarget, { warn }: Pick<ProcessOf, 'warn'>) =>
  (reason: string): void =>
    warn('telemetry is not taken', { signal, host: new URL(url).host, reason })

const resourceOf = (
  resource: Attributes,
  { instanceId, role, version }: Pick<ProcessOf, 'instanceId' | 'role' | 'version'>,
): Attributes => ({
  'service.version': version,
  'service.instance.id': instanceId,
  'sedge.role': role,
  'process.pid': process.pid,
  ...resource,
})

interface Sender {
  readonly attributes: readonly KeyValue[]
  readonly version: string
}

function messageOf(
  signal: Signal,
  items: readonly Message[],
  { attributes, version }: Sender,
): Message {
  const [resources, scopes, list] = signals[signal].names
  const scope = { name: 'sedge', version }
  return { [resources]: [{ resource: { attributes }, [scopes]: [{ scope, [list]: items }] }] }
}

function spanAdder(
  spans: { add(item: Message): void },
  samples: ReturnType<typeof createSampler>,
  newId: () => string,
): (span: ServerSpan) => void {
  const digits = (): string => newId().replaceAll('-', '')
  return (span) => {
    const traceId = span.parent?.traceId ?? digits()
    if (samples(traceId, span.parent)) spans.add(spanRecordOf(span, traceId, digits().slice(0, 16)))
  }
}

interface Metering extends Pick<ProcessOf, 'now'> {
  readonly everyMs: number
  readonly send: (items: readonly Message[]) => Promise<SendOutcome>
  readonly onTrouble: (reason: string) => void
}

/** Numbers are read when they are sent; one that was not taken is in the next, for all of them add up. */
function openMetrics({ now, everyMs: intervalMs, send, onTrouble }: Metering) {
  let reported: { readonly registry: Registry; readonly startMs: number } | undefined
  let failed = 0
  let isFailing = false
  let sending: Promise<void> | undefined

  async function sendNow(): Promise<void> {
    if (reported === undefined) return
    const { registry, startMs } = reported
    const outcome = await metricRecordsOf(registry, { startMs, nowMs: now().getTime() }).then(
      send,
      (error: unknown): SendOutcome => ({ kind: 'refused', reason: String(error) }),
    )
    const isTaken = outcome.kind === 'taken'
    if (!isTaken) failed += 1
    if (!isTaken && !isFailing) onTrouble(outcome.reason)
    isFailing = !isTaken
  }

  const start = (): void => {
    sending ??= sendNow().finally(() => {
      sending = undefined
    })
  }
  const timer = setInterval(start, intervalMs)
  timer.unref()
  return {
    report(registry: Registry): void {
      reported = { registry, startMs: now().getTime() }
    },
    failed: () => failed,
    async finish(): Promise<void> {
      clearInterval(timer)
      await sending
      if (!isFailing) await sendNow()
    },
  }
}
