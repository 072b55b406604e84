/** Numbers about the process, as Prometheus reads them (text format 0.0.4). */
export interface Metrics {
  counter(described: Described): Counter
  histogram(described: Described & { readonly buckets: readonly number[] }): Histogram
  /** Read when somebody asks; where it throws the metric is left out. */
  gauge(described: Described, read: () => number): void
  /** The same, of something that only grows. */
  total(described: Described, read: () => number): void
  render(): string
}

export interface Described {
  /** With its unit, e.g. `sedge_request_seconds`. */
  readonly name: string
  readonly help: string
}

export type Labels = Readonly<Record<string, string>>

export interface Counter {
  add(amount: number, labels?: Labels): void
}

export interface Histogram {
  observe(value: number, labels?: Labels): void
}

interface Family extends Described {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly lines: () => readonly string[]
}

export function createMetrics(): Metrics {
  const families: Family[] = []
  return {
    counter(described) {
      const sums = new Map<string, number>()
      const lines = () => [...sums].map(([labels, sum]) => `${described.name}${labels} ${sum}`)
      families.push({ ...described, type: 'counter', lines })
      return {
        add(amount, labels) {
          const key = labelText(labels)
          sums.set(key, (sums.get(key) ?? 0) + amount)
        },
      }
    },
    histogram({ buckets, ...described }) {
      const series = new Map<string, Series>()
      const lines = () =>
        [...series.values()].flatMap((each) => histogramLines(described.name, buckets, each))
      families.push({ ...described, type: 'histogram', lines })
      return {
        observe(value, labels) {
          const key = labelText(labels)
          const known = series.get(key) ?? newSeries(labels, buckets.length)
          series.set(key, known)
          const place = buckets.findIndex((bound) => value <= bound)
          const bucket = place < 0 ? buckets.length : place
          known.counts[bucket] = (known.counts[bucket] ?? 0) + 1
          known.sum += value
        },
      }
    },
    gauge(described, read) {
      families.push({ ...described, type: 'gauge', lines: () => readLines(described.name, read) })
    },
    total(described, read) {
      families.push({ ...described, type: 'counter', lines: () => readLines(described.name, read) })
    },
    render: () => families.map(familyText).join(''),
  }
}

interface Series {
  readonly labels: Labels
  /** By bucket, the last for what is over them all. */
  readonly counts: number[]
  sum: number
}

const newSeries = (labels: Labels = {}, buckets: number): Series => ({
  labels,
  counts: Array.from({ length: buckets + 1 }, () => 0),
  sum: 0,
})

const familyText = ({ name, help, type, lines }: Family): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines(), ''].join('\n')

function readLines(name: string, read: () => number): readonly string[] {
  try {
    return [`${name} ${read()}`]
  } catch {
    return []
  }
}

function histogramLines(
  name: string,
  buckets: readonly number[],
  { labels, counts, sum }: Series,
): readonly string[] {
  let total = 0
  const lines = counts.map((count, place) => {
    total += count
    const bound = buckets[place] === undefined ? '+Inf' : String(buckets[place])
    return `${name}_bucket${labelText({ ...labels, le: bound })} ${total}`
  })
  const text = labelText(labels)
  return [...lines, `${name}_sum${text} ${sum}`, `${name}_count${text} ${total}`]
}

function labelText(labels: Labels = {}): string {
  const members = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return members.length === 0 ? '' : `{${members.join(',')}}`
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
