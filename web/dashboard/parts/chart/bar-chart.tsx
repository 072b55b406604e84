import { type KeyboardEvent, type PointerEvent, useState } from 'react'

import { useIsNarrow } from '../use-is-narrow.ts'
import type { ChartTimes } from './chart-times.ts'

export type Tone = 'accent' | 'accent-soft' | 'water' | 'warning' | 'danger'

export interface ChartBar {
  /** Milliseconds since 1970. */
  readonly from: number
  /** One for each series; `null` where there is nothing to say. */
  readonly values: readonly (number | null)[]
  /** Of the time before, in sum. */
  readonly former?: number | null
}

export interface BarChartProps {
  readonly label: string
  readonly bars: readonly ChartBar[]
  readonly series: readonly { readonly name: string; readonly tone: Tone }[]
  /** On one another; or all from the bottom, the largest first. */
  readonly isStacked: boolean
  /** The end of the scale. */
  readonly top: number
  readonly formatValue: (value: number) => string
  readonly times: ChartTimes
  /** What is said of the values of the time before. */
  readonly formerName?: string | undefined
  /** Both are among those that are wanted. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined
}

const labelsShown = { narrow: 4, wide: 9 } as const

/** Bars over time, with what they say at the pointer, by arrow keys and for a screen reader. */
export function BarChart(props: BarChartProps) {
  const { bars, top, formatValue, times } = props
  const isNarrow = useIsNarrow()
  const most = isNarrow ? labelsShown.narrow : labelsShown.wide
  const labels = times.labels(
    bars.map(({ from }) => from),
    most,
  )
  return (
    <div className="bar-chart">
      <div className="bar-chart-scale" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{formatValue(value)}</span>
        ))}
      </div>
      <Plot {...props} />
      <div className="bar-chart-axis" aria-hidden="true">
        {[...labels]
          // What begins at the very end would reach out of the chart.
          .filter(([place]) => place <= bars.length * 0.94)
          .map(([place, text]) => (
            <span key={place} style={{ left: `${(place / bars.length) * 100}%` }}>
              {text}
            </span>
          ))}
      </div>
    </div>
  )
}

/** What is pointed at, and from where on something is marked. */
interface Marked {
  readonly place: number
  readonly anchor: number | undefined
}

function Plot(props: BarChartProps) {
  const { bars, label, onZoom } = props
  const [marked, setMarked] = useState<Marked>()
  const placeAt = ({ clientX, currentTarget }: PointerEvent<HTMLDivElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const place = Math.floor(((clientX - left) / width) * bars.length)
    return Math.min(bars.length - 1, Math.max(0, place))
  }
  const zoom = ({ place, anchor }: Marked): void => {
    if (anchor === undefined || anchor === place) return
    onZoom?.(Math.min(anchor, place), Math.max(anchor, place))
  }
  const place = marked === undefined ? bars.length - 1 : Math.min(marked.place, bars.length - 1)
  const bar = bars[place]
  return (
    <div
      className="bar-chart-plot"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, bars.length - 1)}
      aria-valuenow={place}
      aria-valuetext={bar === undefined ? '' : spokenOf(bar, props)}
      onKeyDown={(event) => setMarked(byKey(event, marked, { count: bars.length, zoom }))}
      onBlur={() => setMarked(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        if (event.pointerType === 'mouse') event.currentTarget.setPointerCapture(event.pointerId)
        setMarked({ place: placeAt(event), anchor: placeAt(event) })
      }}
      onPointerMove={(event) => {
        const next = placeAt(event)
        const isDragging = event.buttons === 1
        setMarked((before) => ({ place: next, anchor: isDragging ? before?.anchor : undefined }))
      }}
      onPointerUp={(event) => {
        if (marked !== undefined) zoom({ ...marked, place: placeAt(event) })
        setMarked((before) => before && { ...before, anchor: undefined })
      }}
      onPointerLeave={(event) => {
        if (event.buttons === 0) setMarked(undefined)
      }}
    >
      <Drawing {...props} />
      {marked !== undefined && bar !== undefined && (
        <>
          <Band marked={{ ...marked, place }} count={bars.length} />
          <Tooltip {...props} bar={bar} share={(place + 0.5) / bars.length} />
        </>
      )}
    </div>
  )
}

interface Zooming {
  readonly count: number
  readonly zoom: (marked: Marked) => void
}

/** Arrows go from bar to bar, with Shift they mark, Enter shows what is marked, Escape lets go. */
function byKey(
  event: KeyboardEvent,
  before: Marked | undefined,
  { count, zoom }: Zooming,
): Marked | undefined {
  const place = before?.place ?? count - 1
  const next = new Map([
    ['ArrowLeft', place - 1],
    ['ArrowRight', place + 1],
    ['Home', 0],
    ['End', count - 1],
  ]).get(event.key)
  if (event.key === 'Escape') return undefined
  if (event.key === 'Enter' && before !== undefined) {
    zoom(before)
    return undefined
  }
  if (next === undefined) return before
  event.preventDefault()
  const anchor = event.shiftKey ? (before?.anchor ?? place) : undefined
  return { place: Math.min(count - 1, Math.max(0, next)), anchor }
}

const Band = ({ marked, count }: { readonly marked: Marked; readonly count: number }) => {
  const { place, anchor = place } = marked
  const first = Math.min(place, anchor)
  const width = Math.abs(place - anchor) + 1
  return (
    <div
      className={anchor === place ? 'bar-chart-point' : 'bar-chart-band'}
      style={{ left: `${(first / count) * 100}%`, width: `${(width / count) * 100}%` }}
    />
  )
}

interface TooltipProps extends BarChartProps {
  readonly bar: ChartBar
  readonly share: number
}

/** Told to a screen reader by the chart itself. */
const Tooltip = ({ bar, share, series, formatValue, times, formerName }: TooltipProps) => (
  <div
    className="bar-chart-tooltip"
    aria-hidden="true"
    style={{ left: `${share * 100}%`, transform: `translateX(-${share * 100}%)` }}
  >
    <p>{times.full(bar.from)}</p>
    <dl>
      {series.map(({ name, tone }, index) => (
        <div key={name}>
          <dt>
            <span className={`swatch tone-${tone}`} />
            {name}
          </dt>
          <dd>{textOf(bar.values[index], formatValue)}</dd>
        </div>
      ))}
      {formerName !== undefined && (
        <div>
          <dt>
            <span className="swatch swatch-line" />
            {formerName}
          </dt>
          <dd>{textOf(bar.former, formatValue)}</dd>
        </div>
      )}
    </dl>
  </div>
)

const textOf = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '–' : format(value)

function spokenOf(
  { from, values, former }: ChartBar,
  { series, formatValue, times, formerName }: BarChartProps,
): string {
  const parts = series.map(({ name }, index) => `${name}: ${textOf(values[index], formatValue)}`)
  if (formerName !== undefined) parts.push(`${formerName}: ${textOf(former, formatValue)}`)
  return `${times.full(from)}. ${parts.join(', ')}`
}

const heightUnits = 100

function Drawing({ bars, series, isStacked, top, formerName }: BarChartProps) {
  const width = bars.length
  return (
    <svg
      className="bar-chart-drawing"
      viewBox={`0 0 ${width} ${heightUnits}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {series.map(({ name, tone }, index) => (
        <path key={name} className={`tone-${tone}`} d={pathOf(bars, { index, isStacked, top })} />
      ))}
      {formerName !== undefined && <path className="bar-chart-former" d={lineOf(bars, top)} />}
    </svg>
  )
}

interface Drawn {
  readonly index: number
  readonly isStacked: boolean
  readonly top: number
}

/** All bars of a series as one shape: hundreds of elements would be slow to draw anew. */
const pathOf = (bars: readonly ChartBar[], { index, isStacked, top }: Drawn): string =>
  bars
    .map(({ values }, place) => {
      const value = values[index] ?? 0
      if (value <= 0) return ''
      const below = isStacked
        ? values.slice(0, index).reduce<number>((sum, each) => sum + (each ?? 0), 0)
        : 0
      const height = Math.max(0.6, (value / top) * heightUnits)
      const y = heightUnits - (below / top) * heightUnits
      return `M${place + 0.12} ${y}v${-height}h0.76v${height}z`
    })
    .join('')

function lineOf(bars: readonly ChartBar[], top: number): string {
  let isOpen = false
  return bars
    .map(({ former }, place) => {
      const wasOpen = isOpen
      isOpen = former !== null && former !== undefined
      if (!isOpen) return ''
      const y = heightUnits - Math.min(1, (former ?? 0) / top) * heightUnits
      return `${wasOpen ? 'L' : 'M'}${place + 0.5} ${y}`
    })
    .join('')
}
