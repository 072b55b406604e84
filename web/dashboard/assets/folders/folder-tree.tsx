import { type KeyboardEvent, useState } from 'react'

import { useOperation } from '../../api/queries.ts'
import { humanNumber } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { crumbsOf } from '../place.ts'
import { type DropOn, useDropTarget } from './use-drop-target.ts'

interface FolderTreeProps {
  readonly label: string
  /** The folder that is shown, or chosen. */
  readonly current: string
  readonly onOpen: (folder: string) => void
  readonly onDropOn?: DropOn
  /** What stands for all zones; left out where no folder of all zones can be meant. */
  readonly rootName?: string
}

/** Folders within folders (the tree pattern of the ARIA practices): each is read when it is opened. */
export function FolderTree({ label, rootName, ...rest }: FolderTreeProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const above = crumbsOf(rest.current).map(({ path }) => path)
  const [shown, setShown] = useState('')
  // The way to what is shown is open; what one closes by hand stays closed until one goes elsewhere.
  if (shown !== rest.current) {
    setShown(rest.current)
    setOpened(new Set([...opened, ...above]))
  }
  const toggle = (path: string, isOpen: boolean) => {
    const next = new Set(opened)
    if (isOpen) next.add(path)
    else next.delete(path)
    setOpened(next)
  }
  const common = { ...rest, opened, toggle }
  return (
    <ul role="tree" aria-label={label} className="folder-tree" onKeyDown={moveInTree}>
      {rootName !== undefined && <RootItem name={rootName} {...common} />}
      <Folders parent="" level={1} {...common} />
    </ul>
  )
}

interface Common extends Omit<FolderTreeProps, 'label' | 'rootName'> {
  readonly opened: ReadonlySet<string>
  readonly toggle: (path: string, isOpen: boolean) => void
}

const RootItem = ({ name, current, onOpen }: Common & { readonly name: string }) => (
  <li role="none">
    <button
      type="button"
      role="treeitem"
      className="tree-row"
      data-path=""
      aria-level={1}
      aria-selected={current === ''}
      tabIndex={current === '' ? 0 : -1}
      onClick={() => onOpen('')}
    >
      <span className="tree-sign">
        <Icon name="layers" />
      </span>
      <span className="folder-name">{name}</span>
    </button>
  </li>
)

interface FoldersProps extends Common {
  readonly parent: string
  readonly level: number
}

function Folders({ parent, level, ...common }: FoldersProps) {
  const { data } = useOperation('listFolders', { path: parent, limit: 1000 }, { staleMs: 10_000 })
  return data?.Data.map(({ Path, Name, Files, Folders: inside }, index) => (
    <TreeItem
      key={Path}
      path={Path}
      name={Name}
      fileCount={Files}
      hasFolders={inside > 0}
      level={level}
      isFirst={parent === '' && index === 0}
      {...common}
    />
  ))
}

interface TreeItemProps extends Common {
  readonly path: string
  readonly name: string
  readonly fileCount: number
  readonly hasFolders: boolean
  readonly level: number
  readonly isFirst: boolean
}

function TreeItem({ path, name, fileCount, hasFolders, level, isFirst, ...common }: TreeItemProps) {
  const { current, onOpen, onDropOn, opened, toggle } = common
  const drop = useDropTarget(path, onDropOn)
  const isOpen = hasFolders && opened.has(path)
  const isCurrent = current === path
  return (
    <li role="none">
      <button
        type="button"
        role="treeitem"
        className="tree-row"
        data-path={path}
        title={path}
        aria-level={level}
        aria-selected={isCurrent}
        aria-expanded={hasFolders ? isOpen : undefined}
        tabIndex={isCurrent || (current === '' && isFirst) ? 0 : -1}
        style={{ paddingInlineStart: `${level * 0.875 - 0.5}rem` }}
        onClick={({ target }) => {
          const isSign = target instanceof Element && target.closest('.tree-sign') !== null
          if (isSign && hasFolders) toggle(path, !isOpen)
          else onOpen(path)
        }}
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight' && hasFolders && !isOpen) toggle(path, true)
          if (key === 'ArrowLeft' && isOpen) toggle(path, false)
        }}
        {...drop}
      >
        <span className="tree-sign">{hasFolders && <Icon name={isOpen ? 'down' : 'right'} />}</span>
        <FolderFacts name={name} fileCount={fileCount} isZone={level === 1} />
      </button>
      {isOpen && (
        <ul role="group">
          <Folders parent={path} level={level + 1} {...common} />
        </ul>
      )}
    </li>
  )
}

interface FolderFactsProps extends Pick<TreeItemProps, 'name' | 'fileCount'> {
  readonly isZone: boolean
}

const FolderFacts = ({ name, fileCount, isZone }: FolderFactsProps) => (
  <>
    <Icon name={isZone ? 'layers' : 'folder'} />
    <span className="folder-name">{name}</span>
    <span className="folder-facts">{fileCount === 0 ? '' : humanNumber(fileCount)}</span>
  </>
)

const directions: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowDown: (place) => place + 1,
  ArrowUp: (place) => place - 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** Up and down through what is open. */
function moveInTree(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const place = items.findIndex((item) => item === event.target)
  const next = directions[event.key]?.(place, items.length - 1)
  if (next === undefined || place === -1) return
  event.preventDefault()
  items[Math.min(items.length - 1, Math.max(0, next))]?.focus()
}
