import { useMemo } from 'react'

import { t } from '../language/text.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Moment } from '../parts/inline.tsx'
import { type AuditEntry, WhoLink, ZoneLinks } from './audit-entry.tsx'

interface AuditTableProps {
  readonly entries: readonly AuditEntry[]
  readonly onOpen: (entry: AuditEntry) => void
}

/** A change a row, in words. */
export function AuditTable({ entries, onOpen }: AuditTableProps) {
  const columns = useMemo(() => columnsWith(onOpen), [onOpen])
  // Of one moment there may be several, and more may come before them.
  const keys = useMemo(() => keysOf(entries), [entries])
  return (
    <DataTable
      label={t('Audit log')}
      columns={columns}
      rows={entries}
      keyOf={(entry) => keys.get(entry) ?? ''}
    />
  )
}

function keysOf(entries: readonly AuditEntry[]): ReadonlyMap<AuditEntry, string> {
  return new Map(entries.map((entry, place) => [entry, String(entries.length - place)]))
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
    width: 'minmax(12rem, 5fr)',
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
    title: t('Who'),
    width: 'minmax(6rem, 1.5fr)',
    isOptional: true,
    cell: ({ by, actor }) => <WhoLink by={by} actor={actor} />,
  },
  {
    title: t('Zone'),
    width: 'minmax(5rem, 1fr)',
    isOptional: true,
    cell: ({ zones }) => <ZoneLinks zones={zones.slice(0, zonesShown)} />,
  },
  { title: t('From'), width: '9rem', isOptional: true, cell: ({ ip }) => ip ?? '' },
]

const zonesShown = 3
