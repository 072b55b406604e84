import { useEffect, useRef } from 'react'
import uPlot from 'uplot'

import type { ResponseOf } from '../../../src/client/types.ts'
import { humanBytes, humanDay, humanNumber } from '../parts/format.ts'

type Day = ResponseOf<'getStatistics'>['Daily'][number]

const heightPx = 240
/** Steps of the axes: never half a day, never half a request. */
const dayCounts = [1, 2, 7, 14, 30]
const wholeNumbers = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat()

/** Requests of each day, and how many of them the cache answered. A table says the same in words. */
export function TrafficChart({ days }: { readonly days: readonly Day[] }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const draw = () => chartIn(element, days)
    let chart = draw()
    const sizes = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: heightPx }),
    )
    sizes.observe(element)
    const redraw = () => {
      chart.destroy()
      chart = draw()
    }
    const schemes = matchMedia('(prefers-color-scheme: dark)')
    const themes = new MutationObserver(redraw)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    schemes.addEventListener('change', redraw)
    return () => {
      schemes.removeEventListener('change', redraw)
      themes.disconnect()
      sizes.disconnect()
      chart.destroy()
    }
  }, [days])
  return (
    <section className="card" aria-label="Requests by day">
      <div ref={place} aria-hidden="true" className="chart" />
      <details className="chart-table">
        <summary>Show as a table</summary>
        <DayTable days={days} />
      </details>
    </section>
  )
}

/** The colours are those of the page, in its theme. */
function chartIn(element: HTMLElement, days: readonly Day[]): uPlot {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  }
  return new uPlot(
    {
      width: element.clientWidth,
      height: heightPx,
      scales: { y: { range: (_, _least, most) => [0, Math.max(most * 1.1, 4)] } },
      axes: [
        { ...axis, incrs: dayCounts.map((count) => count * 86_400), values: '{MMM} {D}' },
        {
          ...axis,
          size: 64,
          incrs: wholeNumbers,
          values: (_, values) => values.map((value) => humanNumber(value)),
        },
      ],
      series: [
        { label: 'Day', value: '{YYYY}-{MM}-{DD}' },
        series('Requests', { stroke: colour('--accent'), fill: colour('--accent-soft') }),
        series('From the cache', { stroke: colour('--water') }),
      ],
    },
    [
      days.map(({ Date: day }) => Date.parse(`${day}T00:00`) / 1000),
      days.map(({ TotalRequests }) => TotalRequests),
      days.map(({ CacheHit }) => CacheHit),
    ],
    element,
  )
}

const series = (label: string, paint: Pick<uPlot.Series, 'stroke' | 'fill'>): uPlot.Series => ({
  label,
  width: 2,
  ...paint,
  value: (_, value) => (Number.isFinite(value) ? humanNumber(value) : '—'),
})

const DayTable = ({ days }: { readonly days: readonly Day[] }) => (
  <table className="formats">
    <caption className="hidden-text">Requests by day</caption>
    <thead>
      <tr>
        <th>Day</th>
        <th>Requests</th>
        <th>From the cache</th>
        <th>Bandwidth</th>
      </tr>
    </thead>
    <tbody>
      {days.map(({ Date: day, TotalRequests, CacheHit, Bandwidth }) => (
        <tr key={day}>
          <td>{humanDay(day)}</td>
          <td>{humanNumber(TotalRequests)}</td>
          <td>{humanNumber(CacheHit)}</td>
          <td>{humanBytes(Bandwidth)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
