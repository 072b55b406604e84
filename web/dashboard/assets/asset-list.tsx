import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'

import { humanBytes } from '../parts/format.ts'
import type { Asset } from './asset.ts'
import { type AssetViewProps, useWanted } from './asset-grid.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { useArrowKeys } from './use-arrow-keys.ts'

const rowPx = 52

/** Rows, of which only those in view exist, however many there are. */
export function AssetList({ source, onOpen }: AssetViewProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: source.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 6,
  })
  const rows = virtual.getVirtualItems()
  useWanted(source, rows[0]?.index ?? 0, (rows.at(-1)?.index ?? 0) + 1)
  const keys = useArrowKeys({
    count: source.count,
    columns: 1,
    reveal: (index) => virtual.scrollToIndex(index),
  })
  return (
    <div className="asset-scroller asset-table">
      <div className="asset-rows" ref={scroller}>
        <div className="asset-row asset-row-head" aria-hidden="true">
          <span />
          <span>Name</span>
          <span>Zone</span>
          <span>Category</span>
          <span>Format</span>
          <span>Size</span>
        </div>
        <ul
          aria-label="Assets"
          style={{ height: virtual.getTotalSize() }}
          onKeyDown={keys.onKeyDown}
        >
          {rows.map(({ index, start }) => (
            <li
              key={index}
              style={{ height: rowPx, transform: `translateY(${start}px)` }}
              aria-setsize={source.count}
              aria-posinset={index + 1}
            >
              <Row
                asset={source.at(index)}
                index={index}
                isCurrent={index === keys.current}
                isScrolling={virtual.isScrolling}
                onOpen={(path) => {
                  keys.setCurrent(index)
                  onOpen(path)
                }}
              />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

interface RowProps {
  readonly asset: Asset | undefined
  readonly index: number
  readonly isCurrent: boolean
  readonly isScrolling: boolean
  readonly onOpen: (path: string) => void
}

const Row = ({ asset, index, isCurrent, isScrolling, onOpen }: RowProps) => (
  <button
    type="button"
    className="asset-row"
    data-index={index}
    data-path={asset?.path}
    tabIndex={isCurrent ? 0 : -1}
    onClick={() => asset && onOpen(asset.path)}
  >
    {asset === undefined ? (
      <span className="hidden-text">Loading</span>
    ) : (
      <>
        <Thumbnail
          key={asset.path}
          asset={asset}
          widthPx={320}
          heightPx={240}
          isWanted={!isScrolling}
        />
        <span className="asset-name">{asset.name}</span>
        <span>{asset.project}</span>
        <span>{asset.category}</span>
        <span>{asset.format}</span>
        <span>{humanBytes(asset.size)}</span>
      </>
    )}
  </button>
)
