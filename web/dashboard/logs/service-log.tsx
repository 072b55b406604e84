import { useState } from 'react'

import type { LogEntry } from '../../../src/client/types.ts'
import { useServerEvents } from '../api/events.ts'
import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import { Badge, Moment } from '../parts/inline.tsx'

const levels = [
  { value: 'all', label: t('Everything') },
  { value: 'warn', label: t('Warnings') },
  { value: 'error', label: t('Errors') },
] as const
type Level = (typeof levels)[number]['value']

const keptAtMost = 5_000

/** What the service noticed: warnings, errors and refused requests, as they come. */
export function ServiceLog() {
  const [level, setLevel] = useState<Level>('all')
  const [fresh, setFresh] = useState<readonly LogEntry[]>([])
  const only = level === 'all' ? {} : { level }
  const log = useOperation('listLogs', { days: 7, limit: 500, ...only }, { keepsPrevious: true })
  const filter = level === 'all' ? '' : `&level=${level}`
  useServerEvents(`/api/logs?tail=true${filter}`, 'log', (entry) =>
    setFresh((before) => [entry as LogEntry, ...before].slice(0, keptAtMost)),
  )
  return (
    <>
      <div className="toolbar">
        <SelectField
          label={t('Level')}
          value={level}
          options={levels}
          onChange={(event) => {
            setFresh([])
            setLevel(event.target.value as Level)
          }}
        />
      </div>
      <QueryResult query={log} label={t('The log is loading')}>
        {({ Entries }) => {
          const all = withoutRepeats([...fresh, ...Entries])
          return all.length === 0 ? (
            <EmptyState icon="terminal" title={t('Nothing to report')}>
              <p>{t('What comes from now on appears here by itself.')}</p>
            </EmptyState>
          ) : (
            <DataTable label={t('Service log')} columns={columns} rows={all} keyOf={keyOf} />
          )
        }}
      </QueryResult>
    </>
  )
}

const keyOf = ({ timestamp, requestId, message }: LogEntry): string =>
  [timestamp, requestId, message].join(' ')

/** What was read again is also among what came by itself. */
const withoutRepeats = (entries: readonly LogEntry[]): readonly LogEntry[] => [
  ...new Map(entries.map((entry) => [keyOf(entry), entry])).values(),
]

const kinds = { info: 'plain', warn: 'warning', error: 'bad' } as const

const columns: readonly Column<LogEntry>[] = [
  { title: t('When'), width: '9rem', cell: ({ timestamp }) => <Moment time={timestamp} /> },
  {
    title: t('Level'),
    width: '5.5rem',
    cell: ({ level }) => <Badge kind={kinds[level]}>{level}</Badge>,
  },
  {
    title: t('Message'),
    width: 'minmax(10rem, 2fr)',
    cell: ({ message }) => <span title={message}>{message}</span>,
  },
  {
    title: t('Code'),
    width: '11rem',
    isOptional: true,
    cell: ({ code }) => (code === null ? '' : <code>{code}</code>),
  },
  {
    title: t('Path'),
    width: 'minmax(6rem, 2fr)',
    isOptional: true,
    cell: ({ method, path }) => (
      <span title={path}>{[method, path].filter((part) => part !== undefined).join(' ')}</span>
    ),
  },
]
