import type { ReactNode } from 'react'

import { t } from '../language/text.ts'
import { useOperation } from '../api/queries.ts'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Icon } from '../parts/icon.tsx'
import { conditionOf } from '../parts/log-condition.ts'
import { Link } from '../router.tsx'
import { csvUrl, inLogs, type Report } from './chosen-period.ts'

interface Named {
  readonly Name: string
  readonly Requests: number
  readonly Bytes: number
}

const shown = 10

export function Referrers({ report }: { readonly report: Report }) {
  const found = useOperation('getReferrers', { ...report, limit: shown }, { keepsPrevious: true })
  return (
    <section className="card">
      <ListHeading title={t('Referrers')} csv={csvUrl('referrers', { ...report, limit: 100 })} />
      <QueryResult query={found} label={t('The referrers are loading')}>
        {({ Referrers: rows, Others }) => (
          <NamedBars
            rows={rows}
            others={Others}
            none={t('No page')}
            naming={(name) => <Referrer name={name} report={report} />}
          />
        )}
      </QueryResult>
    </section>
  )
}

export function Agents({ report }: { readonly report: Report }) {
  const found = useOperation('getAgents', { ...report, limit: shown }, { keepsPrevious: true })
  return (
    <section className="card">
      <ListHeading
        title={t('Browsers and programs')}
        csv={csvUrl('agents', { ...report, limit: 100 })}
      />
      <QueryResult query={found} label={t('The browsers are loading')}>
        {({ Agents: rows, Others }) => (
          <NamedBars
            rows={rows}
            others={Others}
            none={t('Not said')}
            naming={(name) => <Agent name={name} report={report} />}
          />
        )}
      </QueryResult>
    </section>
  )
}

/** The title of a list, and the way to have it as a file. */
export const ListHeading = ({ title, csv }: { readonly title: string; readonly csv: string }) => (
  <div className="spread">
    <h2>{title}</h2>
    <a className="fine-print" href={csv} download aria-label={t('{title} as CSV', { title })}>
      {t('CSV')}
    </a>
  </div>
)

const noName = '(none)'

interface NamingProps {
  readonly name: string
  readonly report: Report
}

/** To its requests, and to the site itself. */
const Referrer = ({ name, report }: NamingProps) => (
  <span className="bar-name">
    <Link page="logs" search={inLogs(report, conditionOf('referrer', name))}>
      {name}
    </Link>
    {name.includes('.') && (
      <a
        className="fine-print"
        href={`https://${name}/`}
        rel="noreferrer"
        target="_blank"
        aria-label={t('Open {name}', { name })}
      >
        <Icon name="external" />
      </a>
    )}
  </span>
)

/** What is not known has no name in the log either. */
const Agent = ({ name, report }: NamingProps) =>
  name === 'Other' ? (
    <span>{name}</span>
  ) : (
    <Link page="logs" search={inLogs(report, conditionOf('agent', name))}>
      {name}
    </Link>
  )

interface NamedBarsProps {
  readonly rows: readonly Named[]
  readonly others: Omit<Named, 'Name'>
  /** What requests without a name are called. */
  readonly none: string
  readonly naming: (name: string) => ReactNode
}

function NamedBars({ rows, others, none, naming }: NamedBarsProps) {
  if (rows.length === 0) return <p className="fine-print">{t('No requests in this period.')}</p>
  const most = Math.max(others.Requests, ...rows.map(({ Requests }) => Requests))
  return (
    <ol className="bars">
      {rows.map(({ Name, Requests, Bytes }) => (
        <BarRow key={Name} requests={Requests} bytes={Bytes} most={most}>
          {Name === noName ? <span>{none}</span> : naming(Name)}
        </BarRow>
      ))}
      {others.Requests > 0 && (
        <BarRow requests={others.Requests} bytes={others.Bytes} most={most}>
          <span>{t('Others')}</span>
        </BarRow>
      )}
    </ol>
  )
}

interface BarRowProps {
  readonly requests: number
  readonly bytes: number
  /** Requests of the longest bar. */
  readonly most: number
  readonly children: ReactNode
}

export const BarRow = ({ requests, bytes, most, children }: BarRowProps) => (
  <li>
    {children}
    <span className="fine-print">
      {humanNumber(requests)}, {humanBytes(bytes)}
    </span>
    <meter min={0} max={Math.max(1, most)} value={requests} aria-label={t('Share of requests')}>
      {requests}
    </meter>
  </li>
)
