import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { t } from '../../language/text.ts'
import { humanBytes, humanNumber } from '../../parts/format.ts'
import type { Asset } from '../asset.ts'
import { beginDrag } from '../folders/dragged.ts'
import { directoryText } from '../place.ts'
import { noSelecting, type Selecting } from '../selection/use-selecting.ts'
import { Thumbnail } from '../thumbnail.tsx'
import { PreviewMark } from '../previewed/preview-mark.tsx'
import type { PreviewsOf } from '../previewed/use-previewed.ts'
import type { AssetSource } from '../use-assets.ts'
import { FoundBadge } from './found-badge.tsx'
import type { ItemActions } from './item-actions.ts'
import { RenameField } from './rename-field.tsx'
import { type Grid, useRubberBand } from './use-rubber-band.ts'
import { useArrowKeys } from './use-arrow-keys.ts'
import { useItemActions } from './use-item-actions.ts'

export interface AssetViewProps {
  readonly source: AssetSource
  readonly onOpen: (path: string) => void
  /** Left out where one is chosen by opening it. */
  readonly selecting?: Selecting
  readonly isCompact?: boolean
  /** Whether they are of several folders, so that each has to say where it is. */
  readonly showsPlace?: boolean
}

const gapPx = 12
const captionPx = 58

/** Cards in rows, of which only those in view exist, however many there are. */
export function AssetGrid(props: AssetViewProps) {
  const { source, onOpen, selecting, isCompact = false, showsPlace = true } = props
  const scroller = useRef<HTMLDivElement>(null)
  const layout = layoutOf(useWidth(scroller), isCompact)
  const { columns, rowPx } = layout
  const virtual = useVirtualizer({
    count: layout.width === 0 ? 0 : Math.ceil(source.count / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 2,
    // What is drawn a moment later is drawn in time: the browser scrolls by itself meanwhile.
    useFlushSync: false,
  })
  useEffect(() => virtual.measure(), [virtual, rowPx])
  const rows = virtual.getVirtualItems()
  useWanted(source, rows, columns)
  const keys = useArrowKeys({
    count: source.count,
    columns,
    reveal: (index) => virtual.scrollToIndex(Math.floor(index / columns)),
    onExtend: selecting && ((index) => selecting.extendTo(index)),
  })
  const { actions, renamed } = useItemActions({
    selecting: selecting ?? noSelecting,
    onOpen,
    setCurrent: keys.setCurrent,
  })
  const band = useRubberBand(layout, source.count, selecting)
  return (
    <div className="asset-scroller" ref={scroller} {...band.handlers}>
      <ul
        className="asset-grid"
        aria-label={t('Assets')}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={keys.onKeyDown}
      >
        {rows.flatMap(({ index: row, start }) =>
          placesIn(row, columns, source.count).map((index) => (
            <Card
              key={index}
              {...stateOf(source, index, { selecting, renamed })}
              index={index}
              count={source.count}
              isCurrent={index === keys.current}
              {...boxOf(layout, index, start)}
              isScrolling={virtual.isScrolling}
              showsPlace={showsPlace}
              actions={actions}
            />
          )),
        )}
      </ul>
      {band.box && <div className="rubber-band" style={band.box} />}
    </div>
  )
}

function layoutOf(width: number, isCompact: boolean): Grid {
  const minCardPx = isCompact ? 120 : 168
  const columns = Math.max(1, Math.floor((width + gapPx) / (minCardPx + gapPx)))
  const cardPx = (width - gapPx * (columns - 1)) / columns
  return { width, columns, cardPx, gapPx, rowPx: Math.round(cardPx * 0.75) + captionPx + gapPx }
}

const boxOf = ({ columns, cardPx, gapPx: gap, rowPx }: Grid, index: number, top: number) => ({
  width: cardPx,
  height: rowPx - gap,
  left: (index % columns) * (cardPx + gap),
  top,
})

/** What of an item is its own. */
export function stateOf(
  source: Pick<AssetSource, 'at' | 'previewsOf'>,
  index: number,
  {
    selecting,
    renamed,
  }: { readonly selecting: Selecting | undefined; renamed: string | undefined },
) {
  const asset = source.at(index)
  return {
    asset,
    previews: asset && source.previewsOf(asset.path),
    isSelected: selecting === undefined ? undefined : selecting.has(asset?.path ?? ''),
    isRenamed: asset !== undefined && asset.path === renamed,
  }
}

const placesIn = (row: number, columns: number, count: number): readonly number[] =>
  Array.from({ length: Math.min(columns, count - row * columns) }, (_, at) => row * columns + at)

/** Says what is in view once it is shown. */
export function useWanted(
  source: AssetSource,
  rows: readonly { readonly index: number }[],
  columns: number,
): void {
  const first = (rows[0]?.index ?? 0) * columns
  const end = ((rows.at(-1)?.index ?? 0) + 1) * columns
  useEffect(() => source.want(first, Math.max(first, end - 1)))
}

export interface ItemProps {
  readonly asset: Asset | undefined
  readonly previews: ReturnType<PreviewsOf>
  readonly index: number
  readonly count: number
  readonly isCurrent: boolean
  /** `undefined` where nothing can be selected. */
  readonly isSelected: boolean | undefined
  readonly isRenamed: boolean
  readonly isScrolling: boolean
  readonly actions: ItemActions
}

interface CardProps extends ItemProps {
  readonly showsPlace: boolean
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
}

const Card = memo((props: CardProps) => {
  const { asset, previews, index, count, isCurrent, isSelected, isRenamed } = props
  const { isScrolling, actions } = props
  const { width, height, left, top } = props
  const style = { width, height, left, top }
  const isDraggable = asset !== undefined && isSelected !== undefined && !isRenamed
  return (
    <li
      style={style}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={isSelected === true ? 'is-selected' : undefined}
      draggable={isDraggable}
      onDragStart={(event) => {
        if (asset === undefined) return
        actions.drag(asset.path)
        beginDrag(event)
      }}
    >
      {asset !== undefined && (isSelected === true || (isSelected === false && !isScrolling)) && (
        <SelectBox asset={asset} index={index} isSelected={isSelected} actions={actions} />
      )}
      {asset !== undefined && isRenamed ? (
        <div className="asset-card">
          <ItemImage asset={asset} isScrolling={false} />
          <RenameField path={asset.path} onEnd={() => actions.endRename()} />
        </div>
      ) : (
        <CardButton {...props} />
      )}
      <PreviewMark previews={previews} isCurrent={isCurrent} />
    </li>
  )
})

const CardButton = ({ asset, index, isCurrent, isScrolling, showsPlace, actions }: CardProps) => (
  <button
    type="button"
    className="asset-card"
    data-index={index}
    data-path={asset?.path}
    tabIndex={isCurrent ? 0 : -1}
    title={asset?.path}
    onClick={(event) => asset && actions.press(event, asset.path, index)}
    onKeyDown={(event) => asset && actions.key(event, asset.path, index)}
    onKeyUp={(event) => asset && actions.key(event, asset.path, index)}
  >
    {asset === undefined ? (
      <span className="hidden-text">{t('Loading')}</span>
    ) : (
      <>
        <ItemImage asset={asset} isScrolling={isScrolling} />
        <FoundBadge foundBy={asset.foundBy} />
        <span className="asset-name">{asset.name}</span>
        <span className="asset-facts">
          {[showsPlace ? directoryText(asset.path) : dimensionsOf(asset), humanBytes(asset.size)]
            .filter((fact) => fact !== '')
            .join(' · ')}
        </span>
      </>
    )}
  </button>
)

/** In pixels, of an image that has been looked at. */
export const dimensionsOf = ({ Width, Height }: Asset): string =>
  typeof Width === 'number' && typeof Height === 'number'
    ? `${humanNumber(Width)} × ${humanNumber(Height)}`
    : ''

export const ItemImage = ({ asset, isScrolling }: { asset: Asset; isScrolling: boolean }) => (
  <Thumbnail key={asset.path} asset={asset} widthPx={320} heightPx={240} isWanted={!isScrolling} />
)

interface SelectBoxProps extends Pick<ItemProps, 'index' | 'actions'> {
  readonly asset: Asset
  readonly isSelected: boolean
}

/** For the mouse and for screen readers; at the keyboard the space bar does the same. */
export const SelectBox = ({ asset, index, isSelected, actions }: SelectBoxProps) => (
  <label className="select-box">
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={t('Select {name}', { name: asset.name })}
      checked={isSelected}
      onChange={({ nativeEvent }) => {
        if (nativeEvent instanceof MouseEvent && nativeEvent.shiftKey) actions.extend(index)
        else actions.toggle(asset.path, index)
      }}
    />
  </label>
)

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
