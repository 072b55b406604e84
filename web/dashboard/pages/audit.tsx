import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { Moment } from '../parts/inline.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { PeriodSelect, usePeriod } from '../parts/forms/period.tsx'

type Entry = ResponseOf<'listAuditLogs'>['Entries'][number]

/** Who changed what. */
export function Page() {
  const [days, setDays] = usePeriod()
  const [sought, setSought] = useState('')
  const audit = useOperation('listAuditLogs', { days, limit: 5_000 }, { keepsPrevious: true })
  return (
    <>
      <PageHeader
        title="Audit"
        lead="Every change: who made it, from where, and what became of it."
      />
      <div className="toolbar">
        <PeriodSelect days={days} onChange={setDays} />
        <TextField
          label="Only with"
          type="search"
          value={sought}
          placeholder="an action, a name, a URL"
          onChange={(event) => setSought(event.target.value)}
        />
      </div>
      <QueryResult query={audit} label="The audit log is loading">
        {({ Entries }) => {
          const found = Entries.filter((entry) => says(entry, sought.toLowerCase()))
          return found.length === 0 ? (
            <EmptyState icon="history" title="Nothing was changed">
              <p>Choose a longer period, or search for less.</p>
            </EmptyState>
          ) : (
            <DataTable
              label="Audit log"
              columns={columns}
              rows={found}
              keyOf={({ timestamp, requestId, target, action }) =>
                [timestamp, requestId, target, action].join(' ')
              }
            />
          )
        }}
      </QueryResult>
    </>
  )
}

const says = ({ action, actor, target, ip }: Entry, sought: string): boolean =>
  [action, actor, target, ip ?? ''].some((text) => text.toLowerCase().includes(sought))

const columns: readonly Column<Entry>[] = [
  { title: 'When', width: '9rem', cell: ({ timestamp }) => <Moment time={timestamp} /> },
  { title: 'What', width: '11rem', cell: ({ action }) => <code>{action}</code> },
  { title: 'Where', width: 'minmax(8rem, 2fr)', cell: ({ target }) => target },
  { title: 'Who', width: 'minmax(6rem, 1fr)', isOptional: true, cell: ({ actor }) => actor },
  { title: 'From', width: '9rem', isOptional: true, cell: ({ ip }) => ip ?? '' },
]
