import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef } from 'react'

import { t } from '../../language/text.ts'
import { humanAge, humanBytes, humanTime } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Asset } from '../asset.ts'
import { beginDrag } from '../folders/dragged.ts'
import type { Look, SortKey } from '../look.ts'
import { directoryText } from '../place.ts'
import { PreviewMark } from '../previewed/preview-mark.tsx'
import type { Selecting } from '../selection/use-selecting.ts'
import {
  type AssetViewProps,
  dimensionsOf,
  type ItemProps,
  ItemImage,
  SelectBox,
  stateOf,
  useWanted,
} from './asset-grid.tsx'
import { FoundBadge } from './found-badge.tsx'
import { RenameField } from './rename-field.tsx'
import { useArrowKeys } from './use-arrow-keys.ts'
import { useItemActions } from './use-item-actions.ts'

interface AssetListProps extends AssetViewProps {
  readonly selecting: Selecting
  readonly look: Look
  readonly onLook: (changes: Partial<Look>) => void
  /** Where an order of its own is not to be changed. */
  readonly isRanked: boolean
}

const rowsPx = { roomy: 56, compact: 36 } as const

/** Rows, of which only those in view exist, however many there are. */
export function AssetList({
  source,
  onOpen,
  selecting,
  isCompact = false,
  ...rest
}: AssetListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowPx = rowsPx[isCompact ? 'compact' : 'roomy']
  const virtual = useVirtualizer({
    count: source.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 6,
    useFlushSync: false,
  })
  useEffect(() => virtual.measure(), [virtual, rowPx])
  const rows = virtual.getVirtualItems()
  useWanted(source, rows, 1)
  const keys = useArrowKeys({
    count: source.count,
    columns: 1,
    reveal: (index) => virtual.scrollToIndex(index),
    onExtend: (index) => selecting.extendTo(index),
  })
  const { actions, renamed } = useItemActions({
    selecting,
    onOpen,
    setCurrent: keys.setCurrent,
  })
  return (
    <div className={`asset-scroller asset-table${isCompact ? ' is-compact' : ''}`}>
      <div className="asset-rows" ref={scroller}>
        <div
          role="grid"
          aria-label={t('Assets')}
          aria-multiselectable="true"
          aria-rowcount={source.count + 1}
          onKeyDown={keys.onKeyDown}
        >
          <Head selecting={selecting} total={source.count} {...rest} />
          <div role="rowgroup" className="asset-body" style={{ height: virtual.getTotalSize() }}>
            {rows.map(({ index, start }) => (
              <Row
                key={index}
                {...stateOf(source, index, { selecting, renamed })}
                index={index}
                isCurrent={index === keys.current}
                top={start}
                height={rowPx}
                isScrolling={virtual.isScrolling}
                actions={actions}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

const columns: readonly (readonly [SortKey, string])[] = [
  ['name', t('Name')],
  ['path', t('Folder')],
  ['format', t('Type')],
  ['dimensions', t('Dimensions')],
  ['size', t('Size')],
  ['date', t('Changed')],
]

interface HeadProps extends Pick<AssetListProps, 'selecting' | 'look' | 'onLook' | 'isRanked'> {
  readonly total: number
}

const Head = memo(({ selecting, total, ...rest }: HeadProps) => (
  <div role="rowgroup" className="asset-row-head">
    <div role="row" aria-rowindex={1} className="asset-row">
      <div role="columnheader" className="select-cell">
        <label className="select-box">
          <input
            type="checkbox"
            aria-label={t('Select all')}
            checked={total > 0 && selecting.count === total}
            ref={(box) => {
              if (box) box.indeterminate = selecting.count > 0 && selecting.count < total
            }}
            onChange={() => (selecting.count === 0 ? selecting.selectAll() : selecting.clear())}
          />
        </label>
      </div>
      {columns.map(([key, title]) => (
        <HeadCell key={key} name={key} title={title} {...rest} />
      ))}
    </div>
  </div>
))

interface HeadCellProps extends Pick<AssetListProps, 'look' | 'onLook' | 'isRanked'> {
  readonly name: SortKey
  readonly title: string
}

function HeadCell({ name, title, look, onLook, isRanked }: HeadCellProps) {
  const isSorted = !isRanked && look.sort === name
  const isUp = look.order === 'asc'
  const ariaSort = isUp ? ('ascending' as const) : ('descending' as const)
  return (
    <div
      role="columnheader"
      className={`column-${name}`}
      aria-sort={isSorted ? ariaSort : isRanked ? undefined : 'none'}
    >
      <button
        type="button"
        className="sort-button"
        disabled={isRanked}
        onClick={() => onLook({ sort: name, order: isSorted && isUp ? 'desc' : 'asc' })}
      >
        {title}
        {isSorted && <Icon name={isUp ? 'up' : 'down'} />}
      </button>
    </div>
  )
}

interface RowProps extends Omit<ItemProps, 'count'> {
  readonly top: number
  readonly height: number
}

const Row = memo((props: RowProps) => {
  const { asset, index, isSelected = false, isRenamed, top, height, actions } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={`asset-row${isSelected ? ' is-selected' : ''}`}
      style={{ height, top }}
      draggable={asset !== undefined && !isRenamed}
      onDragStart={(event) => {
        if (asset === undefined) return
        actions.drag(asset.path)
        beginDrag(event)
      }}
    >
      <div role="gridcell" className="select-cell">
        {asset && (
          <SelectBox asset={asset} index={index} isSelected={isSelected} actions={actions} />
        )}
      </div>
      <NameCell {...props} />
      {asset && <Facts asset={asset} />}
    </div>
  )
})

const NameCell = (props: RowProps) => (
  <div role="gridcell" className="column-name">
    <NameButton {...props} />
    <PreviewMark previews={props.previews} isCurrent={props.isCurrent} />
  </div>
)

const NameButton = ({ asset, index, isCurrent, isRenamed, isScrolling, actions }: RowProps) => (
  <>
    {asset !== undefined && isRenamed ? (
      <>
        <ItemImage asset={asset} isScrolling={false} />
        <RenameField path={asset.path} onEnd={() => actions.endRename()} />
      </>
    ) : (
      <button
        type="button"
        className="asset-open"
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
            <span className="asset-title">
              <span className="asset-name">{asset.name}</span>
              <span className="asset-place">{directoryText(asset.path)}</span>
              <FoundBadge foundBy={asset.foundBy} />
            </span>
          </>
        )}
      </button>
    )}
  </>
)

const Facts = ({ asset }: { readonly asset: Asset }) => (
  <>
    <div role="gridcell" className="column-path" title={asset.path}>
      {directoryText(asset.path)}
    </div>
    <div role="gridcell" className="column-format">
      {asset.format.toUpperCase()}
    </div>
    <div role="gridcell" className="column-dimensions">
      {dimensionsOf(asset)}
    </div>
    <div role="gridcell" className="column-size">
      {humanBytes(asset.size)}
    </div>
    <div
      role="gridcell"
      className="column-date"
      title={asset.LastChanged && humanTime(asset.LastChanged)}
    >
      {asset.LastChanged && humanAge(asset.LastChanged)}
    </div>
  </>
)
