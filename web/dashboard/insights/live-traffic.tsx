import { useState } from 'react'

import { useServerEvents } from '../api/events.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { humanBytes, humanNumber } from '../parts/format.ts'

/** One message of `GET /api/insights/live`. */
interface Tick {
  readonly at: string
  readonly seconds: number
  readonly requests: number
  readonly bytes: number
  readonly hits: number
  readonly errors: number
}

const keptTicks = 60
const barHeight = 40

interface LiveTrafficProps {
  readonly zone: string
  /** Told when something was delivered. */
  readonly onTraffic: () => void
}

/** The last minute, second by second. */
export function LiveTraffic({ zone, onTraffic }: LiveTrafficProps) {
  const [ticks, setTicks] = useState<readonly Tick[]>([])
  const query = zone === '' ? '' : `?zone=${encodeURIComponent(zone)}`
  useServerEvents(`/api/insights/live${query}`, 'traffic', (tick) => {
    const latest = tick as Tick
    setTicks((before) => [...before, latest].slice(-keptTicks))
    if (latest.requests > 0) onTraffic()
  })
  const last = ticks.at(-1)
  const rate = last ? last.requests / Math.max(1, last.seconds) : 0
  const bytes = last ? last.bytes / Math.max(1, last.seconds) : 0
  const errors = last?.errors ?? 0
  const figures = {
    rate: <strong>{humanNumber(Math.round(rate))}</strong>,
    bytes: <strong>{humanBytes(Math.round(bytes))}</strong>,
  }
  return (
    <section className="card live" aria-label={t('Right now')}>
      <div>
        <h2>{t('Right now')}</h2>
        <p>
          {errors === 0
            ? rich('{rate} requests and {bytes} a second', figures)
            : rich('{rate} requests and {bytes} a second, {errors} errors', {
                ...figures,
                errors: humanNumber(errors),
              })}
        </p>
      </div>
      <Bars ticks={ticks} />
    </section>
  )
}

function Bars({ ticks }: { readonly ticks: readonly Tick[] }) {
  const most = Math.max(1, ...ticks.map(({ requests }) => requests))
  const offset = keptTicks - ticks.length
  return (
    <svg
      className="live-bars"
      viewBox={`0 0 ${keptTicks * 4} ${barHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {ticks.map(({ at, requests }, index) => {
        const height = Math.max(1, (requests / most) * barHeight)
        return (
          <rect
            key={at}
            x={(index + offset) * 4}
            y={barHeight - height}
            width={3}
            height={height}
          />
        )
      })}
    </svg>
  )
}
