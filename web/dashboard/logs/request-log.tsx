import { useCallback, useMemo, useState } from 'react'

import type { LogEntry } from '../../../src/client/types.ts'
import { messageOf } from '../api/client.ts'
import { useServerEvents } from '../api/events.ts'
import { useRequestPages } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Loading } from '../parts/feedback/query-result.tsx'
import { Button } from '../parts/forms/button.tsx'
import { exactTime, humanNumber } from '../parts/format.ts'
import { StatusBadge } from '../parts/inline.tsx'
import { SenderName } from './request-cells.tsx'
import { RequestDetails } from './request-details.tsx'
import { RequestToolbar } from './request-toolbar.tsx'
import { useRequestQuery } from './use-request-query.ts'
import { QueryField } from './query-field.tsx'

const keptAtMost = 100_000

/** Requests that fit what is asked, as far back as one scrolls, and new ones as they come. */
export function RequestLog() {
  const asked = useRequestQuery()
  const [open, setOpen] = useState<LogEntry>()
  const [isFollowing, setFollowing] = useState(true)
  const log = useRequestPages(asked.input)
  const fresh = useFresh(asked.input.q, isFollowing && !log.isError)
  return (
    <>
      <RequestToolbar asked={asked} isFollowing={isFollowing} onFollow={setFollowing} />
      <QueryField
        value={asked.q}
        fault={log.isError ? messageOf(log.error) : undefined}
        onChange={asked.ask}
      />
      {log.isPending && <Loading label={t('Requests are loading')} />}
      {log.data !== undefined && <Found log={log} fresh={fresh} onOpen={setOpen} />}
      {open !== undefined && (
        <RequestDetails
          entry={open}
          onClose={() => setOpen(undefined)}
          onNarrow={(condition) => {
            setOpen(undefined)
            asked.ask([asked.q, condition].filter((part) => part !== '').join(' '))
          }}
        />
      )}
    </>
  )
}

interface FoundProps {
  readonly log: ReturnType<typeof useRequestPages>
  readonly fresh: readonly LogEntry[]
  readonly onOpen: (entry: LogEntry) => void
}

function Found({ log, fresh, onOpen }: FoundProps) {
  const { hasNextPage, isFetching, fetchNextPage } = log
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const pages = log.data?.pages
  const rows = useMemo(() => together(fresh, pages ?? []), [fresh, pages])
  const columns = useMemo(() => columnsWith(onOpen), [onOpen])
  return (
    <>
      {rows.length > 0 && (
        <DataTable
          label={t('Requests')}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          rowHeightPx={36}
          onNearEnd={onNearEnd}
        />
      )}
      {rows.length === 0 && !hasNextPage && (
        <EmptyState icon="terminal" title={t('No results')}>
          <p>{t('What fits and comes from now on appears here by itself.')}</p>
        </EmptyState>
      )}
      <p className="field-hint" role="status">
        {summaryOf(rows.length, pages?.at(-1))}
      </p>
      {hasNextPage && (
        <Button isBusy={log.isFetchingNextPage} onClick={onNearEnd}>
          {t('Look further back')}
        </Button>
      )}
    </>
  )
}

/** What came since the page was opened, newest first; begins anew with another query. */
function useFresh(q: string, isFollowing: boolean): readonly LogEntry[] {
  const [fresh, setFresh] = useState<{ q: string; entries: readonly LogEntry[] }>({
    q,
    entries: [],
  })
  const url = `/api/logs?tail=true&q=${encodeURIComponent(q)}`
  useServerEvents(isFollowing ? url : undefined, 'log', (entry) =>
    setFresh((before) => ({
      q,
      entries: [entry as LogEntry, ...(before.q === q ? before.entries : [])].slice(0, keptAtMost),
    })),
  )
  return fresh.q === q ? fresh.entries : none
}

const none: readonly LogEntry[] = []

interface Page {
  readonly Entries: readonly LogEntry[]
  readonly Looked?: { readonly Lines: number; readonly BackTo: string | null }
  readonly NotKept?: number
}

/** What came by itself may be on a page that was read later, too. */
function together(fresh: readonly LogEntry[], pages: readonly Page[]): readonly LogEntry[] {
  const read = pages.flatMap(({ Entries }) => Entries)
  if (fresh.length === 0) return read
  const known = new Set(read.slice(0, overlapping).map(keyOf))
  return [...fresh.filter((entry) => !known.has(keyOf(entry))), ...read].slice(0, keptAtMost)
}

const overlapping = 500

const keyOf = ({ line, timestamp }: LogEntry): string => line ?? timestamp

function summaryOf(count: number, last: Page | undefined): string {
  if (last?.Looked === undefined) return ''
  const { BackTo } = last.Looked
  const notKept = last.NotKept ?? 0
  return [
    plural(count, { one: '{count} request', other: '{count} requests' }),
    BackTo === null ? '' : t('looked back to {time}', { time: exactTime(BackTo) }),
    notKept === 0
      ? ''
      : t('{count} of a flood were counted alone', { count: humanNumber(notKept) }),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

const columnsWith = (open: (entry: LogEntry) => void): readonly Column<LogEntry>[] => [
  {
    title: t('Time'),
    width: '11rem',
    isOptional: true,
    cell: ({ timestamp }) => <time dateTime={timestamp}>{exactTime(timestamp)}</time>,
  },
  {
    title: t('Status'),
    width: '4.5rem',
    cell: ({ status = 0 }) => <StatusBadge status={status} />,
  },
  { title: t('Method'), width: '5rem', cell: ({ method }) => method },
  {
    title: t('Path'),
    width: 'minmax(10rem, 4fr)',
    cell: (entry) => (
      <button type="button" className="request-path" title={entry.path} onClick={() => open(entry)}>
        {entry.path}
      </button>
    ),
  },
  {
    title: t('ms'),
    width: '5rem',
    isNumber: true,
    isOptional: true,
    cell: ({ ms = 0 }) => humanNumber(Math.round(ms * 10) / 10),
  },
  { title: t('Cache'), width: '4.5rem', isOptional: true, cell: ({ cache }) => cache ?? '' },
  {
    title: t('Zone'),
    width: 'minmax(5rem, 1fr)',
    isOptional: true,
    cell: ({ zone }) => zone ?? '',
  },
  {
    title: t('By'),
    width: 'minmax(5rem, 1fr)',
    isOptional: true,
    cell: ({ by }) => <SenderName by={by} />,
  },
  { title: t('Country'), width: '5rem', isOptional: true, cell: ({ country }) => country },
]
