import { locale } from '../../language/language.ts'

export type ChartStep = 'minute' | 'hour' | 'day'

/** How the times of a chart are written, in a time zone. */
export interface ChartTimes {
  /** All of a bar's time, for whoever points at it. */
  readonly full: (from: number) => string
  /** What stands below some of the bars, by their place. */
  readonly labels: (starts: readonly number[], most: number) => ReadonlyMap<number, string>
}

const stepMs = { minute: 60_000, hour: 3_600_000 } as const
/** Labels stand where the time is a multiple of one of these, in steps. */
const strides = {
  minute: [1, 5, 10, 15, 30, 60],
  hour: [1, 2, 3, 6, 12, 24],
  day: [1, 7, 14],
} as const

export function chartTimes(step: ChartStep, timeZone: string): ChartTimes {
  const day = new Intl.DateTimeFormat(locale(), { timeZone, day: 'numeric', month: 'short' })
  const dayLong = new Intl.DateTimeFormat(locale(), {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  const time = new Intl.DateTimeFormat(locale(), { timeZone, hour: '2-digit', minute: '2-digit' })
  const both = new Intl.DateTimeFormat(locale(), {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  const clock = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  /** Minutes since midnight there. */
  const minutesOf = (from: number): number => {
    const [hour = 0, minute = 0] = clock.format(from).split(':').map(Number)
    return hour * 60 + minute
  }
  const textOf = (from: number): string =>
    step === 'day' || minutesOf(from) === 0 ? day.format(from) : time.format(from)

  return {
    full(from) {
      if (step === 'day') return dayLong.format(from)
      return step === 'minute' ? both.format(from) : both.formatRange(from, from + stepMs.hour)
    },
    labels(starts, most) {
      const stride = strides[step].find((each) => starts.length / each <= most) ?? 1
      const width = step === 'minute' ? 1 : 60
      const isRound = (from: number, place: number) =>
        step === 'day'
          ? (starts.length - 1 - place) % stride === 0
          : minutesOf(from) % (stride * width) === 0
      const places = starts.flatMap((from, place) => (isRound(from, place) ? [place] : []))
      const every = Math.ceil(places.length / most)
      return new Map(
        places
          .filter((_, index) => index % every === 0)
          .map((place) => [place, textOf(starts[place] ?? 0)]),
      )
    },
  }
}

/** The name of the browser's time zone. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
