import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'

import { useIsNarrow } from './use-is-narrow.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** A grid track, e.g. `2fr` or `8rem`. */
  readonly width: string
  readonly isNumber?: boolean
  /** Left out where there is little room. */
  readonly isOptional?: boolean
}

interface DataTableProps<Row> {
  /** What the table is of, for a screen reader. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly rowHeightPx?: number
  /** Called as one comes near the end of the rows; stays the same while nothing is to be called. */
  readonly onNearEnd?: (() => void) | undefined
}

const defaultRowHeightPx = 44
const rowsAhead = 20

/** A table of any length: only the rows in view are there, and it says how many there are. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, rowHeightPx = defaultRowHeightPx, onNearEnd } = props
  const isNarrow = useIsNarrow()
  const columns = props.columns.filter(({ isOptional }) => !isNarrow || isOptional !== true)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - rowsAhead
  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, onNearEnd])
  const tracks = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') }
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className="table-scroller" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className="table">
        <div role="rowgroup" className="table-head">
          <div role="row" aria-rowindex={1} className="table-row" style={tracks}>
            {columns.map(({ title, isNumber }) => (
              <div key={title} role="columnheader" className={classOf(isNumber)}>
                {title}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="table-body" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]
            return row === undefined ? null : (
              <TableRow key={keyOf(row)} row={row} item={item} columns={columns} tracks={tracks} />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface TableRowProps<Row> {
  readonly row: Row
  readonly item: VirtualItem
  readonly columns: readonly Column<Row>[]
  readonly tracks: { readonly gridTemplateColumns: string }
}

const TableRow = <Row,>({ row, item, columns, tracks }: TableRowProps<Row>) => (
  <div
    role="row"
    aria-rowindex={item.index + 2}
    className="table-row"
    style={{ ...tracks, height: item.size, transform: `translateY(${item.start}px)` }}
  >
    {columns.map(({ title, cell, isNumber }) => (
      <div key={title} role="cell" className={classOf(isNumber)}>
        {cell(row)}
      </div>
    ))}
  </div>
)

const classOf = (isNumber = false): string => `cell${isNumber ? ' cell-number' : ''}`
