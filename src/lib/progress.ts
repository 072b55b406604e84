/** Where progress is shown. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

interface Options {
  readonly label: string
  readonly total: number
  /** What is counted, e.g. `files`. */
  readonly unit: string
  /** Says an amount with its unit, e.g. `1.5 GB`; without it amounts are numbers of the unit. */
  readonly amount?: ((value: number) => string) | undefined
  readonly output: ProgressOutput
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
}

export interface Progress {
  advance(by: number): void
  /** For what was done before: it says nothing of how fast it goes. */
  skip(by: number): void
  finish(): void
}

const redrawMs = 100
const lineMs = 5_000
const barWidth = 28

/** A bar with rate and time left on a terminal; elsewhere a plain line now and then. */
export function createProgress(options: Options): Progress {
  const { output, monotonicMs } = options
  const start = monotonicMs()
  const interval = output.isTTY ? redrawMs : lineMs
  let done = 0
  let skipped = 0
  let shownAt = start

  function show(isLast: boolean): void {
    const text = describe(options, { done, skipped, elapsedMs: monotonicMs() - start })
    if (output.isTTY) output.write(`\r\u001b[2K${clip(text, output.columns)}${isLast ? '\n' : ''}`)
    else output.write(`${text}\n`)
    shownAt = monotonicMs()
  }

  return {
    advance(by) {
      done += by
      if (monotonicMs() - shownAt >= interval) show(false)
    },
    skip(by) {
      done += by
      skipped += by
    },
    finish: () => show(true),
  }
}

interface Standing {
  readonly done: number
  readonly skipped: number
  readonly elapsedMs: number
}

function describe(
  { label, total, unit, amount, output }: Options,
  { done, skipped, elapsedMs }: Standing,
): string {
  const fraction = total === 0 ? 1 : done / total
  const rate = (done - skipped) / Math.max(elapsedMs / 1000, 0.001)
  const left = rate === 0 || done >= total ? '' : `, ${duration((total - done) / rate)} left`
  const facts =
    amount === undefined
      ? `${done}/${total} ${unit}, ${rate.toFixed(0)}/s${left}`
      : `${amount(done)} of ${amount(total)}, ${amount(Math.round(rate))}/s${left}`
  if (!output.isTTY) return `${label}: ${facts}`
  const filled = Math.round(fraction * barWidth)
  return `${label} [${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}] ${facts}`
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A terminal that does not know how wide it is says 0. */
const clip = (text: string, columns = 0): string =>
  columns > 0 && text.length > columns ? text.slice(0, columns) : text
