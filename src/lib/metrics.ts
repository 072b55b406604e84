import { Counter, Gauge, type Registry } from 'prom-client'

export interface Described {
  /** With its unit, e.g. `sedge_request_seconds`. */
  readonly name: string
  readonly help: string
}

/** A number that is read when somebody asks. Where it is not known, or `read` throws, it is left out. */
export function readGauge(
  metrics: Registry,
  described: Described,
  read: () => number | undefined,
): void {
  const gauge = new Gauge({
    ...described,
    registers: [metrics],
    collect() {
      const value = valueOf(read)
      if (value === undefined) gauge.remove()
      else gauge.set(value)
    },
  })
}

/** The same, of something that only grows. */
export function readTotal(
  metrics: Registry,
  described: Described,
  read: () => number | undefined,
): void {
  const counter = new Counter({
    ...described,
    registers: [metrics],
    collect() {
      const value = valueOf(read)
      if (value === undefined) counter.remove()
      else {
        counter.reset()
        counter.inc(value)
      }
    },
  })
}

/** One number that fails must not take all others from who looks for what is wrong. */
function valueOf(read: () => number | undefined): number | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
