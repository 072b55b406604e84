import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { humanBytes, humanDay, humanNumber, humanShare } from '../parts/format.ts'

export type ZoneTraffic = ResponseOf<'getZoneTraffic'>['Zones'][number]

/** Of the last seven days; `undefined` of a zone that nobody asked for, and of all until it is known. */
export function useZoneTraffic(): {
  readonly isKnown: boolean
  readonly of: (zone: string) => ZoneTraffic | undefined
} {
  const { data } = useOperation('getZoneTraffic', { days: 7 }, { staleMs: 60_000 })
  const byZone = new Map(data?.Zones.map((each) => [each.Zone, each]))
  return { isKnown: data !== undefined, of: (zone) => byZone.get(zone) }
}

interface CellProps {
  readonly isKnown: boolean
  readonly traffic: ZoneTraffic | undefined
}

/** Requests, and how they lie over the days. */
export function RequestsCell({ isKnown, traffic }: CellProps) {
  if (!isKnown) return <span>…</span>
  return (
    <span className="zone-requests" title={t('In 7 days')}>
      <DayBars days={traffic?.Daily ?? []} />
      {humanNumber(traffic?.Requests ?? 0)}
    </span>
  )
}

export const BandwidthCell = ({ isKnown, traffic }: CellProps) => (
  <span title={t('In 7 days')}>{isKnown ? humanBytes(traffic?.Bytes ?? 0) : '…'}</span>
)

export const HitRatioCell = ({ traffic }: CellProps) => (
  <span title={t('In 7 days')}>
    {traffic?.HitRatio == null ? '–' : humanShare(traffic.HitRatio)}
  </span>
)

const heightPx = 24
const barPx = 5
const stepPx = 7

/** So small that it only shows the shape; each bar says its day to whoever rests on it. */
function DayBars({ days }: { readonly days: ZoneTraffic['Daily'] }) {
  const most = Math.max(1, ...days.map(({ Requests }) => Requests))
  return (
    <svg
      className="day-bars"
      width={days.length * stepPx}
      height={heightPx}
      role="img"
      aria-label={t('Requests by day')}
    >
      {days.map(({ Date: day, Requests }, index) => {
        const height = Requests === 0 ? 1 : Math.max(2, (Requests / most) * heightPx)
        return (
          <rect
            key={day}
            x={index * stepPx}
            y={heightPx - height}
            width={barPx}
            height={height}
            rx={1}
          >
            <title>
              {t('{day}: {requests}', {
                day: humanDay(day),
                requests: plural(Requests, {
                  one: '{count} request',
                  other: '{count} requests',
                }),
              })}
            </title>
          </rect>
        )
      })}
    </svg>
  )
}
