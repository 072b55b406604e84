import type { Subprocess } from 'bun'

import type { AudienceRow } from '../../ports/traffic/traffic-store.ts'
import type { HitRow } from '../../edge/hits/hit-counter.ts'
import type { TakenLines } from '../../ports/traffic/request-log-store.ts'
import { ownProgram } from '../../lib/files/own-program.ts'
import type { Log } from '../../lib/log.ts'
import { createHitIntake } from './hit-reports.ts'
import type { CertificateHolder } from '../tls/certificate-rotation.ts'
import type { Certificate } from '../tls/certificates.ts'
import { outcomeOf, type Query } from './worker-queries.ts'
import { createWorkerRequests, tell } from './worker-requests.ts'
import {
  type FromWorker,
  type ToWorker,
  type WorkerSettings,
  workerSettingsName,
} from './worker-messages.ts'

/** The processes that deliver beside this one. Each is replaced when it ends. */
export interface WorkerPool extends CertificateHolder {
  /** Resolves once all that they counted until now is here, or one of them is too slow. */
  collect(): Promise<void>
  /** Lets them finish what is in flight; resolves when all have ended and what they counted is here. */
  stop(graceMs: number): Promise<void>
}

export interface WorkerPoolOptions {
  readonly count: number
  readonly settings: WorkerSettings<unknown>
  /** What each listens with; absent: plain HTTP. */
  readonly certificates: readonly Certificate[] | undefined
  readonly onPublished: (listener: () => void) => Disposable
  readonly countHits: (rows: readonly HitRow[], audience: readonly AudienceRow[]) => void
  readonly takeLines: (taken: TakenLines) => void
  /** Tells what workers want to know. */
  readonly respondToQuery: Query
  readonly log: Log
  readonly monotonicMs: () => number
}

/** A worker that lived less long is started again only after a while. */
const longEnoughMs = 10_000
const firstDelayMs = 100
/** A report waits no longer for workers. */
const reportWithinMs = 500
const changeWithinMs = 2_000
const maxDelayMs = 10_000

export function startWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { count, log, monotonicMs, onPublished } = options
  const running = new Set<Subprocess>()
  const listening = new Set<Subprocess>()
  const waiting = new Set<Timer>()
  const reports = createWorkerRequests({ withinMs: reportWithinMs })
  const changes = createWorkerRequests({ withinMs: changeWithinMs })
  let { certificates } = options
  let isStopping = false
  const subscription = onPublished(() => tellAll({ kind: 'published' }))

  function tellAll(message: ToWorker): void {
    for (const worker of running) tell(worker, message)
  }

  /** `delayMs` is what to wait where this one does not live long either. */
  function start(delayMs: number): void {
    const startedAtMs = monotonicMs()
    const listeners = { onListening, onReported: reports.completed, onShown: changes.completed }
    const worker = spawnWorker({ ...options, ...listeners }, ({ exitCode, signalCode, pid }) => {
      running.delete(worker)
      listening.delete(worker)
      reports.ended(worker)
      changes.ended(worker)
      if (isStopping) return
      const lived = monotonicMs() - startedAtMs
      log.warn('an edge worker ended and is replaced', { pid, exitCode, signalCode })
      if (lived >= longEnoughMs) start(firstDelayMs)
      else startLater(delayMs)
    })
    running.add(worker)
    // Turn 0 is nobody's request: a new worker listens before it is counted.
    if (certificates !== undefined) tell(worker, { kind: 'certificates', turn: 0, certificates })
  }

  function onListening(worker: Subprocess): void {
    if (running.has(worker)) listening.add(worker)
    // It may have read the feed just before it could hear of the newest.
    tell(worker, { kind: 'published' })
  }

  function startLater(delayMs: number): void {
    const timer = setTimeout(() => {
      waiting.delete(timer)
      start(Math.min(delayMs * 2, maxDelayMs))
    }, delayMs)
    waiting.add(timer)
  }

  for (let place = 0; place < count; place += 1) start(firstDelayMs)
  return {
    collect: async () => void (await reports.send(listening, (turn) => ({ kind: 'report', turn }))),
    /** Workers that start later are given them too. */
    async openBeside(given) {
      certificates = given
      const message = { kind: 'certificates', certificates: given } as const
      return await changes.send(listening, (turn) => ({ ...message, turn }))
    },
    closeFormer: () => tellAll({ kind: 'close-former' }),
    async stop(graceMs) {
      isStopping = true
      for (const timer of waiting) clearTimeout(timer)
      tellAll({ kind: 'stop' })
      await allEnded(running, graceMs)
      subscription[Symbol.dispose]()
    },
  }
}

async function allEnded(running: ReadonlySet<Subprocess>, graceMs: number): Promise<void> {
  const timer = setTimeout(() => {
    for (const worker of running) worker.kill('SIGKILL')
  }, graceMs)
  await Promise.all([...running].map(({ exited }) => exited))
  clearTimeout(timer)
}

interface Heard {
  readonly onListening: (worker: Subprocess) => void
  readonly onReported: (worker: Subprocess, turn: number) => void
  readonly onShown: (worker: Subprocess, turn: number) => void
}

const program = ownProgram('src/cli/main.ts', ['--no-orphans'])

/** It gets no key but those of certificates: all it can do is deliver and proxy. */
function spawnWorker(
  {
    settings,
    countHits,
    takeLines,
    respondToQuery,
    log,
    onListening,
    onReported,
    onShown,
  }: WorkerPoolOptions & Heard,
  onEnd: (worker: Subprocess) => void,
): Subprocess {
  const takeHits = createHitIntake({
    countHits,
    onDropped: (hits) => log.warn('hits of an edge worker were not counted', { hits }),
  })
  const onFault = (error: unknown) => log.error('an edge worker was told nothing', { error })
  async function tellOutcome(worker: Subprocess, turn: number, query: unknown): Promise<void> {
    const outcome = await outcomeOf(query, { respond: respondToQuery, onFault })
    tell(worker, { kind: 'query-outcome', turn, outcome })
  }
  return Bun.spawn([...program.cmd, 'edge-worker'], {
    env: {
      ...program.env,
      PATH: process.env['PATH'] ?? '',
      [workerSettingsName]: JSON.stringify(settings),
      // Bun's client would let requests beyond 256 wait, and event streams are open for long.
      BUN_CONFIG_MAX_HTTP_REQUESTS: '65336',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    serialization: 'advanced',
    ipc(message: FromWorker, worker) {
      if (message.kind === 'hits') tell(worker, { kind: 'counted', number: takeHits(message) })
      else if (message.kind === 'lines') takeLines(message.taken)
      else if (message.kind === 'query') void tellOutcome(worker, message.turn, message.query)
      else if (message.kind === 'reported') onReported(worker, message.turn)
      else if (message.kind === 'certificates-shown') onShown(worker, message.turn)
      else onListening(worker)
    },
    onExit: onEnd,
  })
}
