import { humanNumber, humanTime } from '../parts/format.ts'

export const hourMs = 3_600_000

export interface HourOfTraffic {
  readonly Hour: string
  readonly Requests: number
}

interface HourChartProps {
  /** Those with traffic; others have none. */
  readonly hours: readonly HourOfTraffic[]
  /** The beginning of the first hour that is shown. */
  readonly from: number
  readonly count: number
  /** Hours between two labels below. */
  readonly labelEvery: number
}

const heightPx = 48
const barPx = 3
const stepPx = 4

/** Requests hour by hour as bars, with a scale beside and times below. */
export function HourChart({ hours, from, count, labelEvery }: HourChartProps) {
  const bars = barsOf(hours, from, count)
  const sum = bars.reduce((total, { requests }) => total + requests, 0)
  const most = Math.max(...bars.map(({ requests }) => requests))
  const top = scaleTop(most)
  return (
    <div className="hour-chart">
      <div className="hour-scale" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{humanNumber(value)}</span>
        ))}
      </div>
      <svg
        className="hourly"
        viewBox={`0 0 ${count * stepPx} ${heightPx}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${humanNumber(sum)} requests in ${count} hours, at most ${humanNumber(most)} in an hour`}
      >
        {bars.map(({ at, requests }, index) => {
          const height = requests > 0 ? Math.max(2, (requests / top) * heightPx) : 0.75
          return (
            <rect
              key={at}
              x={index * stepPx + 0.5}
              width={barPx}
              y={heightPx - height}
              height={height}
              className={requests > 0 ? 'hourly-bar' : 'hourly-none'}
            >
              <title>{`${humanTime(new Date(at))}: ${humanNumber(requests)}`}</title>
            </rect>
          )
        })}
      </svg>
      <HourAxis bars={bars} labelEvery={labelEvery} />
    </div>
  )
}

interface Bar {
  readonly at: number
  readonly requests: number
}

interface HourAxisProps {
  readonly bars: readonly Bar[]
  readonly labelEvery: number
}

const days = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric' })
const times = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** Midnights say which day begins, other hours the time; all in the time zone of whoever looks. */
const HourAxis = ({ bars, labelEvery }: HourAxisProps) => (
  <div className="hour-axis" aria-hidden="true">
    {bars.map(({ at }, index) => {
      const hour = new Date(at).getHours()
      // What begins at the very end would reach out of the chart.
      if (hour % labelEvery !== 0 || index > bars.length * 0.93) return null
      return (
        <span key={at} style={{ left: `${(index / bars.length) * 100}%` }}>
          {(hour === 0 ? days : times).format(at)}
        </span>
      )
    })}
  </div>
)

/** Every hour, those without traffic too. */
function barsOf(hours: readonly HourOfTraffic[], from: number, count: number): readonly Bar[] {
  const requestsByHour = new Map(hours.map(({ Hour, Requests }) => [Date.parse(Hour), Requests]))
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * hourMs
    return { at, requests: requestsByHour.get(at) ?? 0 }
  })
}

/** A round number above all bars whose half is whole. */
export function scaleTop(most: number): number {
  for (let power = 1; ; power *= 10)
    for (const digit of [2, 4, 10]) if (digit * power >= most) return digit * power
}

/** The name of the time zone, for whoever wonders. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
