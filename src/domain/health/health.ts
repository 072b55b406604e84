/** One part of the service that can be asked whether it works. */
export interface Probe {
  readonly name: string
  /** Rejects where the part does not work. */
  run(): Promise<void>
  /** Costs something (a write, a process): asked only when somebody wants to know exactly. */
  readonly isDeep: boolean
}

export interface CheckResult {
  readonly name: string
  readonly healthy: boolean
  readonly latencyMs: number
}

export interface HealthReport {
  readonly healthy: boolean
  readonly checks: readonly CheckResult[]
}

export interface Health {
  check(options: { readonly deep: boolean }): Promise<HealthReport>
}

interface Dependencies {
  readonly probes: readonly Probe[]
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
  readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void
}

/** A probe that has not answered by then has failed. */
const probeTimeoutMs = 5_000

export const createHealth = (dependencies: Dependencies): Health => ({
  async check({ deep }) {
    const wanted = dependencies.probes.filter(({ isDeep }) => deep || !isDeep)
    const checks = await Promise.all(wanted.map((probe) => runProbe(probe, dependencies)))
    return { healthy: checks.every(({ healthy }) => healthy), checks }
  },
})

async function runProbe(probe: Probe, { monotonicMs, warn }: Dependencies): Promise<CheckResult> {
  const { name } = probe
  const start = monotonicMs()
  const deadline = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => deadline.resolve(false), probeTimeoutMs)
  const answer = probe.run().then(() => true)
  const healthy = await Promise.race([answer, deadline.promise]).catch((cause: unknown) => {
    warn('a health check failed', { check: name, cause })
    return false
  })
  // A timer that is left running would keep an ending process alive.
  clearTimeout(timer)
  return { name, healthy, latencyMs: Math.round((monotonicMs() - start) * 1000) / 1000 }
}
