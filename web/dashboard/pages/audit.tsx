import { useState } from 'react'

import type { Input } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { AuditDetails, type AuditEntry } from '../audit/audit-details.tsx'
import { saveAudit } from '../audit/audit-file.ts'
import { t } from '../language/text.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { PeriodSelect, usePeriod } from '../parts/forms/period.tsx'
import { humanNumber } from '../parts/format.ts'
import { Moment } from '../parts/inline.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { useSearch } from '../router.tsx'

/** Who changed what. */
export function Page() {
  const [days, setDays] = usePeriod()
  const [open, setOpen] = useState<AuditEntry>()
  const filters = useFilters()
  const audit = useOperation(
    'listAuditLogs',
    { days, limit: 5_000, ...filters.input },
    { keepsPrevious: true },
  )
  const entries = audit.data?.Entries ?? []
  return (
    <>
      <PageHeader
        title={t('Audit')}
        lead={t('Every change: who made it, from where, and what became of it.')}
      >
        <Button icon="download" onClick={() => saveAudit(entries)}>
          {t('CSV')}
        </Button>
      </PageHeader>
      <div className="toolbar">
        <PeriodSelect days={days} onChange={setDays} />
        {filters.fields.map(({ name, label, hint, value, change }) => (
          <TextField
            key={name}
            label={label}
            type="search"
            value={value}
            placeholder={hint}
            onChange={(event) => change(event.target.value)}
          />
        ))}
      </div>
      <QueryResult query={audit} label={t('The audit log is loading')}>
        {({ Entries, Count }) => (
          <>
            {Count === 0 ? (
              <EmptyState icon="history" title={t('No results')}>
                <p>{t('Choose a longer period, or search for less.')}</p>
              </EmptyState>
            ) : (
              <DataTable
                label={t('Audit log')}
                columns={columnsWith(setOpen)}
                rows={Entries}
                keyOf={(entry) => String(Entries.indexOf(entry))}
              />
            )}
            <p className="field-hint" role="status">
              {t('{count} changes', { count: humanNumber(Count) })}
            </p>
          </>
        )}
      </QueryResult>
      {open !== undefined && <AuditDetails entry={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** What narrows the log, as the URL of the page says it. */
function useFilters() {
  const [{ q = '', zone = '', actor = '' }, change] = useSearch()
  const input: Pick<Input<'listAuditLogs'>, 'q' | 'zone' | 'actor'> = {
    ...(q !== '' && { q }),
    ...(zone !== '' && { zone }),
    ...(actor !== '' && { actor }),
  }
  const set = (name: 'q' | 'zone' | 'actor') => (value: string) =>
    change({ [name]: value }, { replaces: true })
  return {
    input,
    fields: [
      {
        name: 'q',
        label: t('Filter'),
        hint: t('deleted, logo.svg, a request id'),
        value: q,
        change: set('q'),
      },
      { name: 'zone', label: t('Zone'), hint: 'acme', value: zone, change: set('zone') },
      {
        name: 'actor',
        label: t('Who'),
        hint: t('a name, token, session'),
        value: actor,
        change: set('actor'),
      },
    ],
  }
}

const columnsWith = (open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    title: t('When'),
    width: '8rem',
    isOptional: true,
    cell: ({ timestamp }) => <Moment time={timestamp} />,
  },
  {
    title: t('What'),
    width: 'minmax(12rem, 4fr)',
    cell: (entry) => (
      <button
        type="button"
        className="audit-summary"
        title={entry.summary}
        onClick={() => open(entry)}
      >
        {entry.summary}
      </button>
    ),
  },
  {
    title: t('Action'),
    width: '11rem',
    isOptional: true,
    cell: ({ action }) => <code>{action}</code>,
  },
  {
    title: t('Zone'),
    width: 'minmax(5rem, 1fr)',
    isOptional: true,
    cell: ({ zones }) => zones.join(', '),
  },
  { title: t('From'), width: '9rem', isOptional: true, cell: ({ ip }) => ip ?? '' },
]
