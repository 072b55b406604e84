import { useState } from 'react'

import type { LogEntry } from '../../../src/client/types.ts'
import { useServerEvents } from '../api/events.ts'
import { useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { PeriodSelect, usePeriod } from '../parts/forms/period.tsx'

type Level = 'info' | 'warn' | 'error'

const levels = [
  { value: 'info', label: 'Everything' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors' },
] as const

const keptAtMost = 5_000

/** Warnings, errors and refusals, as they come. */
export function Page() {
  const [days, setDays] = usePeriod()
  const [level, setLevel] = useState<Level>('info')
  const [isFollowing, setFollowing] = useState(true)
  const [fresh, setFresh] = useState<readonly LogEntry[]>([])
  const log = useOperation('listLogs', { days, level, limit: 1_000 }, { keepsPrevious: true })
  useServerEvents(isFollowing ? `/api/logs?tail=true&level=${level}` : undefined, 'log', (entry) =>
    setFresh((before) => [entry as LogEntry, ...before].slice(0, keptAtMost)),
  )
  const reset = (change: () => void) => {
    setFresh([])
    change()
  }
  return (
    <>
      <PageHeader
        title="Logs"
        lead="What the service noticed. Say a request id to find one request."
      >
        <Button icon={isFollowing ? 'pause' : 'play'} onClick={() => setFollowing(!isFollowing)}>
          {isFollowing ? 'Pause' : 'Follow'}
        </Button>
      </PageHeader>
      <div className="toolbar">
        <PeriodSelect days={days} onChange={(next) => reset(() => setDays(next))} />
        <SelectField
          label="Level"
          value={level}
          options={levels}
          onChange={(event) => reset(() => setLevel(event.target.value as Level))}
        />
      </div>
      <QueryResult query={log} label="The log is loading">
        {({ Entries }) => {
          const all = withoutRepeats([...fresh, ...Entries])
          return all.length === 0 ? (
            <EmptyState icon="terminal" title="There is nothing to report">
              <p>What comes from now on appears here by itself.</p>
            </EmptyState>
          ) : (
            <DataTable label="Log" columns={columns} rows={all} keyOf={keyOf} />
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
  { title: 'When', width: '9rem', cell: ({ timestamp }) => <Moment time={timestamp} /> },
  {
    title: 'Level',
    width: '5.5rem',
    cell: ({ level }) => <Badge kind={kinds[level]}>{level}</Badge>,
  },
  {
    title: 'Code',
    width: '11rem',
    isOptional: true,
    cell: ({ code }) => (code === null ? '' : <code>{code}</code>),
  },
  {
    title: 'Message',
    width: 'minmax(10rem, 3fr)',
    cell: ({ message }) => <span title={message}>{message}</span>,
  },
  {
    title: 'Request',
    width: 'minmax(6rem, 1fr)',
    isOptional: true,
    cell: ({ requestId }) => (requestId === null ? '' : <code title={requestId}>{requestId}</code>),
  },
]
