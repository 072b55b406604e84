import { useEffect, useRef } from 'react'

import { Thumbnail } from '../../assets/thumbnail.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ShortcutKeys } from '../shortcuts/shortcut-keys.tsx'
import { type Entry, groupTitles } from './entry.ts'

interface ResultsProps {
  readonly id: string
  readonly label: string
  readonly entries: readonly Entry[]
  /** The place of the one that Enter chooses. */
  readonly active: number
  readonly onPoint: (place: number) => void
  readonly onChoose: (entry: Entry, isBeside: boolean) => void
}

export const optionId = (list: string, place: number): string => `${list}-${place}`

/** The options of the combobox, group by group. */
export function Results({ id, label, entries, active, ...rest }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active, entries])
  const groups = Map.groupBy(
    entries.map((entry, place) => ({ entry, place })),
    ({ entry }) => entry.group,
  )
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className="palette-results">
      {[...groups].map(([group, members]) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div id={`${id}-${group}`} className="palette-group" role="presentation">
            {groupTitles[group]}
          </div>
          {members.map(({ entry, place }) => (
            <Option key={entry.id} {...{ id, entry, place, active, ...rest }} />
          ))}
        </div>
      ))}
    </div>
  )
}

interface OptionProps extends Pick<ResultsProps, 'id' | 'active' | 'onPoint' | 'onChoose'> {
  readonly entry: Entry
  readonly place: number
}

/** The keyboard is with the field: what is chosen there is what `active` says. */
const Option = ({ id, entry, place, active, onPoint, onChoose }: OptionProps) => (
  <div
    id={optionId(id, place)}
    role="option"
    aria-selected={place === active}
    tabIndex={-1}
    className="palette-option"
    onPointerMove={() => onPoint(place)}
    onMouseDown={(event) => event.preventDefault()}
    onClick={({ ctrlKey, metaKey }) => onChoose(entry, ctrlKey || metaKey)}
    onKeyDown={({ key }) => {
      if (key === 'Enter') onChoose(entry, false)
    }}
  >
    {entry.asset === undefined ? (
      <Icon name={entry.icon} />
    ) : (
      <Thumbnail asset={entry.asset} widthPx={32} heightPx={32} />
    )}
    <span className="palette-title">{entry.title}</span>
    {entry.detail !== undefined && <span className="palette-detail">{entry.detail}</span>}
    {entry.keys !== undefined && <ShortcutKeys keys={entry.keys} />}
  </div>
)
