import { mkdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** One side of a comparison: does its work once and answers a rate or a cost, in the bench's unit. */
export interface Contender {
  readonly name: string
  run(round: number): Promise<number>
}

export interface Comparison {
  /** What is measured, with its unit, e.g. `PUT 10 KB (writes/s)`. */
  readonly title: string
  readonly ours: Contender
  readonly peers: readonly Contender[]
  readonly rounds: number
}

export interface Row {
  readonly what: string
  readonly figure: string
  readonly measured: string
}

/**
 * Runs everyone in turn, round after round, so that a machine that slows down slows them all, and
 * answers our median as a ratio of each peer's, pair by pair.
 */
export async function compare({
  title,
  ours,
  peers,
  rounds,
}: Comparison): Promise<ReadonlyMap<string, number>> {
  const all = [ours, ...peers]
  const results = new Map(all.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round += 1)
    for (const contender of round % 2 === 0 ? all : all.toReversed())
      results.get(contender.name)?.push(await contender.run(round))
  console.log(`\n${title}, ${rounds} rounds in turn`)
  const mine = results.get(ours.name) ?? []
  const ratios = new Map<string, number>()
  for (const [name, values] of results) {
    const ratio = median(mine.map((value, round) => value / (values[round] ?? Number.NaN)))
    ratios.set(name, ratio)
    console.log(
      `  ${name.padEnd(44)} ${format(median(values)).padStart(12)}   ours/it ${ratio.toFixed(2)}x`,
    )
  }
  return ratios
}

/** For services that tests open: without the checks of each response that tests have. */
export const asInProduction = { CHECK_RESPONSES: 'false' }

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** `fraction` 0..1; the value at that place of the sorted list. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

/** Prints the table of required figures beside the measured ones and keeps it with date and machine. */
export async function report(bench: string, rows: readonly Row[]): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const lines = [
    `# bench/${bench}, ${today}`,
    '',
    machine(),
    '',
    `Command: \`npx bun bench/${bench}.ts\``,
    '',
    '| what | figure | measured |',
    '| --- | --- | --- |',
    ...rows.map(({ what, figure, measured }) => `| ${what} | ${figure} | ${measured} |`),
    '',
  ]
  console.log(lines.join('\n'))
  mkdirSync(new URL('results/', import.meta.url), { recursive: true })
  await Bun.write(new URL(`results/${today}-${bench}.md`, import.meta.url), lines.join('\n'))
}

function machine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `Machine: ${cpus().length} x ${cpu?.model ?? 'unknown CPU'}, ${memory} GiB, ${process.platform} ${process.arch}, Bun ${Bun.version}. Shared and noisy: read the ratios.`
}

const format = (value: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 4 })
