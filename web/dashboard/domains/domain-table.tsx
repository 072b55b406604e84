import { useState } from 'react'

import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { humanTime } from '../parts/format.ts'
import { Button } from '../parts/forms/button.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Link } from '../router.tsx'
import { CheckNow } from './check-now.tsx'
import { DomainDetails } from './domain-details.tsx'
import { type Domain, dnsStateOf, sslStateOf } from './domain-state.ts'

interface DomainTableProps {
  readonly domains: readonly Domain[]
  /** Whether they are of several zones. */
  readonly hasZones: boolean
}

/** Host names with how DNS and certificate stand, and what to do about each. */
export function DomainTable({ domains, hasZones }: DomainTableProps) {
  const [opened, setOpened] = useState<string>()
  const domain = domains.find(({ Hostname }) => Hostname === opened)
  const columns = columnsWith(setOpened)
  return (
    <>
      <DataTable
        label={t('Domains')}
        columns={hasZones ? columns : columns.filter(({ title }) => title !== t('Zone'))}
        rows={domains}
        keyOf={({ Hostname }) => Hostname}
        rowHeightPx={56}
      />
      {domain && <DomainDetails domain={domain} onClose={() => setOpened(undefined)} />}
    </>
  )
}

const columnsWith = (onOpen: (hostname: string) => void): readonly Column<Domain>[] => [
  {
    title: t('Host name'),
    width: 'minmax(10rem, 2fr)',
    cell: ({ Hostname }) => (
      <button type="button" className="link-button" onClick={() => onOpen(Hostname)}>
        {Hostname}
      </button>
    ),
  },
  {
    title: t('Zone'),
    width: 'minmax(6rem, 1fr)',
    isOptional: true,
    cell: ({ Zone }) => (
      <Link page="zone" search={{ zone: Zone }}>
        {Zone}
      </Link>
    ),
  },
  {
    title: t('DNS'),
    width: '11rem',
    isOptional: true,
    cell: (domain) => <DnsBadge domain={domain} />,
  },
  {
    title: t('Certificate'),
    width: '9.5rem',
    cell: (domain) => <SslBadge domain={domain} />,
  },
  {
    title: t('Next look'),
    width: '8.5rem',
    isOptional: true,
    cell: ({ SslNextCheck }) => <Moment time={SslNextCheck} />,
  },
  {
    title: t('Actions'),
    width: '15.5rem',
    isOptional: true,
    cell: (domain) => (
      <span className="row-actions">
        <Button kind="quiet" icon="info" onClick={() => onOpen(domain.Hostname)}>
          {rich('What to set<span> for {hostname}</span>', {
            hostname: domain.Hostname,
            span: (text) => <span className="hidden-text">{text}</span>,
          })}
        </Button>
        <CheckNow domain={domain} />
      </span>
    ),
  },
]

function DnsBadge({ domain }: { readonly domain: Domain }) {
  const { kind, text } = dnsStateOf(domain)
  return <Badge kind={kind}>{text}</Badge>
}

function SslBadge({ domain }: { readonly domain: Domain }) {
  const { kind, text } = sslStateOf(domain)
  const { SslExpires } = domain
  return (
    <span
      title={
        SslExpires === null
          ? undefined
          : t('until {sslExpires}', { sslExpires: humanTime(SslExpires) })
      }
    >
      <Badge kind={kind}>{text}</Badge>
    </span>
  )
}
