import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { humanBytes } from '../parts/format.ts'
import type { Asset } from './asset.ts'
import { Thumbnail } from './thumbnail.tsx'
import { useArrowKeys } from './use-arrow-keys.ts'
import type { AssetSource } from './use-assets.ts'

export interface AssetViewProps {
  readonly source: AssetSource
  readonly onOpen: (path: string) => void
}

const gapPx = 12
const minCardPx = 168
const captionPx = 58

/** Cards in rows, of which only those in view exist, however many there are. */
export function AssetGrid({ source, onOpen }: AssetViewProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const columns = Math.max(1, Math.floor((width + gapPx) / (minCardPx + gapPx)))
  const cardPx = (width - gapPx * (columns - 1)) / columns
  const rowPx = Math.round(cardPx * 0.75) + captionPx + gapPx
  const virtual = useVirtualizer({
    count: width === 0 ? 0 : Math.ceil(source.count / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 2,
  })
  useEffect(() => virtual.measure(), [virtual, rowPx])
  const rows = virtual.getVirtualItems()
  useWanted(source, (rows[0]?.index ?? 0) * columns, ((rows.at(-1)?.index ?? 0) + 1) * columns)
  const keys = useArrowKeys({
    count: source.count,
    columns,
    reveal: (index) => virtual.scrollToIndex(Math.floor(index / columns)),
  })
  return (
    <div className="asset-scroller" ref={scroller}>
      <ul
        className="asset-grid"
        aria-label="Assets"
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={keys.onKeyDown}
      >
        {rows.flatMap((row) =>
          Array.from({ length: columns }, (_, column) => {
            const index = row.index * columns + column
            return index >= source.count ? null : (
              <Card
                key={index}
                asset={source.at(index)}
                place={{ index, count: source.count, isCurrent: index === keys.current }}
                box={{
                  width: cardPx,
                  height: rowPx - gapPx,
                  transform: `translate(${column * (cardPx + gapPx)}px, ${row.start}px)`,
                }}
                isScrolling={virtual.isScrolling}
                onOpen={(path) => {
                  keys.setCurrent(index)
                  onOpen(path)
                }}
              />
            )
          }),
        )}
      </ul>
    </div>
  )
}

/** Says what is in view once it is shown. */
export function useWanted(source: AssetSource, first: number, last: number): void {
  useEffect(() => source.want(first, Math.max(first, last - 1)))
}

interface CardProps {
  readonly asset: Asset | undefined
  readonly place: { readonly index: number; readonly count: number; readonly isCurrent: boolean }
  readonly box: { readonly width: number; readonly height: number; readonly transform: string }
  readonly isScrolling: boolean
  readonly onOpen: (path: string) => void
}

function Card({ asset, place, box, isScrolling, onOpen }: CardProps) {
  return (
    <li style={box} aria-setsize={place.count} aria-posinset={place.index + 1}>
      <button
        type="button"
        className="asset-card"
        data-index={place.index}
        data-path={asset?.path}
        tabIndex={place.isCurrent ? 0 : -1}
        title={asset?.path}
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
            <span className="asset-facts">
              {asset.project} · {humanBytes(asset.size)}
            </span>
          </>
        )}
      </button>
    </li>
  )
}

/** The inner width of an element, in CSS pixels, as it changes; 0 at first. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const observed = element.current
    if (observed === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return width
}
