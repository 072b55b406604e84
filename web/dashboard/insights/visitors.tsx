import type { ReactNode } from 'react'

import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { csvUrl, type Report } from './chosen-period.ts'

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
          <NamedBars rows={rows} others={Others} none="No page" linkOf={siteOf} />
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
          <NamedBars rows={rows} others={Others} none="Not said" linkOf={() => undefined} />
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

const siteOf = (name: string): string | undefined =>
  name.includes('.') ? `https://${name}/` : undefined

interface NamedBarsProps {
  readonly rows: readonly Named[]
  readonly others: Omit<Named, 'Name'>
  /** What requests without a name are called. */
  readonly none: string
  readonly linkOf: (name: string) => string | undefined
}

function NamedBars({ rows, others, none, linkOf }: NamedBarsProps) {
  if (rows.length === 0) return <p className="fine-print">{t('No requests in this period.')}</p>
  const all = others.Requests === 0 ? rows : [...rows, { Name: 'Others', ...others }]
  const most = Math.max(...all.map(({ Requests }) => Requests))
  return (
    <ol className="bars">
      {all.map(({ Name, Requests, Bytes }) => (
        <BarRow key={Name} requests={Requests} bytes={Bytes} most={most}>
          <Naming name={Name === noName ? none : Name} href={linkOf(Name)} />
        </BarRow>
      ))}
    </ol>
  )
}

const Naming = ({ name, href }: { readonly name: string; readonly href: string | undefined }) =>
  href === undefined ? (
    <span>{name}</span>
  ) : (
    <a href={href} rel="noreferrer" target="_blank">
      {name}
    </a>
  )

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
