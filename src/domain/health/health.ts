import type { Log } from '../../lib/log.ts'

/** One part of the service that can be asked whether it works. */
export interface Probe {
  readonly name: string
  /** Rejects where the part does not work. */
  run(): Promise<void>
  /** Costs something (a write, a process): asked only when somebody wants to know exactly. */
  readonly isDeep: boolean
  /** Whether the service is not fit for use without it: every check tells how it was when last asked. */
  readonly isVital?: boolean
}

export interface CheckResult {
  readonly name: string
  readonly healthy: boolean
  readonly latencyMs: number
  /** Why it does not work, for operators alone. */
  readonly reason?: string
}

export interface HealthReport {
  readonly healthy: boolean
  readonly checks: readonly CheckResult[]
}

export interface Health {
  /**
   * A deep check really uses every part. It costs something, so all who ask within a few seconds share
   * one. Any other is cheap, and tells of vital parts what the last deep one found.
   */
  check(options: { readonly deep: boolean }): Promise<HealthReport>
  /** What the last deep check found where it is no older than this, else what another one finds. */
  recent(maxAgeMs: number): Promise<RecentReport>
}

export interface RecentReport extends HealthReport {
  /** Since it was found. */
  readonly ageMs: number
}

interface Dependencies {
  readonly probes: readonly Probe[]
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
  readonly log: Pick<Log, 'warn'>
}

/** A probe that has not answered by then has failed. */
const probeTimeoutMs = 5_000
/** How long what a deep check has found is told again instead of another one. */
const sharedForMs = 3_000

interface DeepCheck {
  readonly report: Promise<HealthReport>
  /** Absent while it is under way. */
  endedAt?: number
}

export function createHealth(dependencies: Dependencies): Health {
  const { probes, monotonicMs } = dependencies
  const isVital = new Set(probes.filter((probe) => probe.isVital).map(({ name }) => name))
  let latest: DeepCheck | undefined
  let found: readonly CheckResult[] = []

  const run = (wanted: readonly Probe[]): Promise<readonly CheckResult[]> =>
    Promise.all(wanted.map((probe) => runProbe(probe, dependencies)))

  async function lookDeeply(): Promise<HealthReport> {
    const checks = await run(probes)
    const isDeep = new Set(probes.filter((probe) => probe.isDeep).map(({ name }) => name))
    found = checks.filter(({ name }) => isDeep.has(name))
    return reportOf(checks)
  }

  function startDeep(): DeepCheck {
    const check: DeepCheck = { report: lookDeeply() }
    void check.report.finally(() => {
      check.endedAt = monotonicMs()
    })
    return check
  }

  function deepOf(maxAgeMs: number): DeepCheck {
    const isOver = latest?.endedAt !== undefined && monotonicMs() - latest.endedAt > maxAgeMs
    if (latest === undefined || isOver) latest = startDeep()
    return latest
  }

  return {
    async recent(maxAgeMs) {
      const check = deepOf(maxAgeMs)
      const report = await check.report
      return { ...report, ageMs: Math.max(0, monotonicMs() - (check.endedAt ?? monotonicMs())) }
    },
    async check({ deep }) {
      if (deep) return await deepOf(sharedForMs).report
      const checks = await run(probes.filter((probe) => !probe.isDeep))
      return reportOf([...checks, ...found.filter(({ name }) => isVital.has(name))])
    },
  }
}

const reportOf = (checks: readonly CheckResult[]): HealthReport => ({
  healthy: checks.every(({ healthy }) => healthy),
  checks,
})

async function runProbe(probe: Probe, { monotonicMs, log }: Dependencies): Promise<CheckResult> {
  const { name } = probe
  const start = monotonicMs()
  const deadline = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => deadline.resolve(false), probeTimeoutMs)
  let reason = 'It did not respond in time'
  const answer = probe.run().then(() => true)
  const healthy = await Promise.race([answer, deadline.promise]).catch((cause: unknown) => {
    log.warn('a health check failed', { check: name, cause })
    reason = cause instanceof Error ? cause.message : String(cause)
    return false
  })
  // A timer that is left running would keep an ending process alive.
  clearTimeout(timer)
  const latencyMs = Math.round((monotonicMs() - start) * 1000) / 1000
  return { name, healthy, latencyMs, ...(!healthy && { reason }) }
}
