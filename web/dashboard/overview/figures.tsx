import type { ReactNode } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import type { SeriesTotals } from '../insights/chosen-period.ts'
import { t } from '../language/text.ts'
import { humanBytes, humanChange, humanNumber, humanShare } from '../parts/format.ts'
import { Link } from '../router.tsx'
import { useWeek } from './week.tsx'

interface FiguresProps {
  readonly zones: ResponseOf<'listZones'>
}

/** What there is, and what was delivered in a week beside the week before; each leads to where it is told whole. */
export function Figures({ zones }: FiguresProps) {
  const week = useWeek()
  const [now, before] = [week?.Totals, week?.Former?.Totals]
  const files = zones.reduce((sum, { FileCount }) => sum + FileCount, 0)
  const bytes = zones.reduce((sum, { StorageUsed }) => sum + StorageUsed, 0)
  const changeOf = (of: (totals: SeriesTotals) => number) => (
    <Change now={now && of(now)} before={before && of(before)} />
  )
  return (
    <dl className="figures">
      <OverviewFigure
        name={<Link page="zones">{t('Zones')}</Link>}
        value={humanNumber(zones.length)}
      />
      <OverviewFigure name={<Link page="assets">{t('Assets')}</Link>} value={humanNumber(files)} />
      <OverviewFigure name={t('Stored')} value={humanBytes(bytes)} />
      <OverviewFigure
        name={<Metric>{t('Requests')}</Metric>}
        value={now === undefined ? '…' : humanNumber(now.Requests)}
        change={changeOf(({ Requests }) => Requests)}
      />
      <OverviewFigure
        name={<Metric id="bandwidth">{t('Delivered')}</Metric>}
        value={now === undefined ? '…' : humanBytes(now.Bytes)}
        change={changeOf(({ Bytes }) => Bytes)}
      />
      <OverviewFigure
        name={<Metric id="hits">{t('Hit ratio')}</Metric>}
        value={now === undefined || now.Requests === 0 ? '–' : humanShare(ratioOf(now))}
        change={changeOf(ratioOf)}
      />
    </dl>
  )
}

const ratioOf = ({ CacheHit, Requests }: SeriesTotals): number =>
  Requests === 0 ? 0 : CacheHit / Requests

const Metric = ({ id, children }: { readonly id?: string; readonly children: ReactNode }) => (
  <Link page="insights" search={{ period: '7d', metric: id }}>
    {children}
  </Link>
)

interface OverviewFigureProps {
  readonly name: ReactNode
  readonly value: string
  readonly change?: ReactNode
}

const OverviewFigure = ({ name, value, change }: OverviewFigureProps) => (
  <div className="card figure">
    <dt>{name}</dt>
    <dd>{value}</dd>
    {change !== undefined && <dd className="figure-change">{change}</dd>}
  </div>
)

interface ChangeProps {
  readonly now: number | undefined
  readonly before: number | undefined
}

function Change({ now, before }: ChangeProps) {
  if (now === undefined || !before) return <>{t('nothing the week before')}</>
  return <>{t('{change} to the week before', { change: humanChange(now / before - 1) })}</>
}
