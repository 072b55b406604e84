import { median, type Row } from '../../bench/harness.ts'
import { growthByWork, growthOf, lastTwoThirds } from './growth.ts'
import type { Soaked, SoakSample } from './soak.ts'

export interface Verdict {
  readonly rows: readonly Row[]
  /** What grew that should not have. */
  readonly grown: readonly string[]
}

const mib = 2 ** 20
const maxGrowth = 0.03
/** History is kept for good; what a commit adds to it must not become more with time. */
const maxGrowthByCommit = 1.2
/** What a commit may add in any case: packs that are joined make a saw of what is there. */
const maxBytesByCommit = 4 * 1024
/** By a file or a descriptor more or less nothing has grown. */
const slack = 2

/** Parts of the data directory that each commit adds to: what it did, what was told of it, and to whom. */
const growsByCommit = (part: string): boolean =>
  part.endsWith('.git') || /\.(?:sqlite|db)$/u.test(part)

interface Judged {
  readonly name: string
  readonly valueOf: (sample: SoakSample) => number
  readonly unit: 'MiB' | ''
}

const judged: readonly Judged[] = [
  { name: 'resident memory of the service', valueOf: ({ rssBytes }) => rssBytes, unit: 'MiB' },
  { name: 'of it, anonymous', valueOf: ({ anonymousBytes }) => anonymousBytes, unit: 'MiB' },
  { name: 'memory of its children', valueOf: ({ childrenBytes }) => childrenBytes, unit: 'MiB' },
  { name: 'file descriptors', valueOf: ({ descriptors }) => descriptors, unit: '' },
  { name: 'threads', valueOf: ({ threads }) => threads, unit: '' },
  { name: 'children', valueOf: ({ children }) => children, unit: '' },
]

export function judge({ samples }: Soaked): Verdict {
  const parts = new Set(samples.flatMap(({ diskByPart }) => [...diskByPart.keys()]))
  const disk = [...parts].toSorted().map((part) => ({
    name: `disk: ${part}`,
    part,
    valueOf: (sample: SoakSample) => sample.diskByPart.get(part) ?? 0,
    unit: 'MiB' as const,
  }))
  const results = [
    ...judged.map((what) => judgeFlat(samples, what)),
    ...disk.map((what) =>
      growsByCommit(what.part) ? judgeByCommit(samples, what) : judgeFlat(samples, what),
    ),
  ]
  return {
    rows: results.map(({ row }) => row),
    grown: results.flatMap(({ row, isGood }) => (isGood ? [] : row.what)),
  }
}

interface Judgement {
  readonly row: Row
  readonly isGood: boolean
}

function judgeFlat(samples: readonly SoakSample[], { name, valueOf, unit }: Judged): Judgement {
  const values = samples.map(valueOf)
  const growth = growthOf(values)
  const middle = median(lastTwoThirds(values))
  const isSmall = growth * middle <= (unit === 'MiB' ? mib / 4 : slack)
  return {
    row: {
      what: name,
      figure: `growth ≤ ${maxGrowth * 100} %`,
      measured: `${(growth * 100).toFixed(1)} % (median ${shown(middle, unit)}, at most ${shown(Math.max(...values), unit)})`,
    },
    isGood: growth <= maxGrowth || isSmall,
  }
}

function judgeByCommit(samples: readonly SoakSample[], { name, valueOf }: Judged): Judgement {
  const values = samples.map(valueOf)
  const [second, last] = growthByWork(
    values,
    samples.map(({ commits }) => commits),
  )
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
  return {
    row: {
      what: `${name}, for each commit`,
      figure: `last third ≤ ${maxGrowthByCommit} × the second, or 4 KiB`,
      measured: `${kib(last)} after ${kib(second)} (${shown(values.at(-1) ?? 0, 'MiB')} in all)`,
    },
    isGood: last <= Math.max(second * maxGrowthByCommit, maxBytesByCommit),
  }
}

const shown = (value: number, unit: Judged['unit']): string =>
  unit === 'MiB' ? `${(value / mib).toFixed(1)} MiB` : String(value)
