import { type KeyboardEvent, useState } from 'react'

import type { ResponseOf } from '../../../../src/client/types.ts'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { humanBytes, humanNumber } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Selecting } from '../selection/use-selecting.ts'
import { beginDrag, dragged } from './dragged.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { type DropOn, useDropTarget } from './use-drop-target.ts'

type Folder = ResponseOf<'listFolders'>['Data'][number]

interface FolderStripProps {
  readonly folder: string
  readonly selecting: Selecting
  readonly onOpen: (folder: string) => void
  readonly onDropOn: DropOn
}

/** The folders in a folder, before its files. Space chooses one, F2 gives it another name. */
export function FolderStrip({ folder, ...rest }: FolderStripProps) {
  const [renamed, rename] = useState<string>()
  const { data } = useOperation(
    'listFolders',
    { path: folder, limit: 1000 },
    { keepsPrevious: true },
  )
  if (data === undefined || data.Data.length === 0) return null
  return (
    <>
      <ul className="folder-strip" aria-label={t('Folders')}>
        {data.Data.map((each) => (
          <li key={each.Path}>
            <FolderCard each={each} onRename={rename} {...rest} />
          </li>
        ))}
      </ul>
      {renamed !== undefined && (
        <RenameDialog
          path={renamed}
          onClose={() => rename(undefined)}
          onRenamed={() => rest.selecting.clear()}
        />
      )}
    </>
  )
}

interface FolderCardProps extends Omit<FolderStripProps, 'folder'> {
  readonly each: Folder
  readonly onRename: (folder: string) => void
}

function FolderCard({ each, selecting, onOpen, onDropOn, onRename }: FolderCardProps) {
  const { Name, Path, Files, Bytes } = each
  const drop = useDropTarget(Path, onDropOn)
  const isZone = Path.endsWith('/v1') && Path.split('/').length === 2
  const isSelected = selecting.hasFolder(Path)
  const press = (event: KeyboardEvent) => {
    if (isZone || (event.key !== ' ' && event.key !== 'F2')) return
    // A button would be pressed when the key is let go.
    event.preventDefault()
    if (event.type !== 'keydown') return
    if (event.key === 'F2') onRename(Path)
    else selecting.toggleFolder(Path)
  }
  return (
    <>
      {!isZone && !selecting.selection.isAll && (
        <label className="select-box">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t('Select the folder {name}', { name: Name })}
            checked={isSelected}
            onChange={() => selecting.toggleFolder(Path)}
          />
        </label>
      )}
      <button
        type="button"
        className={`folder-card${isSelected ? ' is-selected' : ''}`}
        title={Path}
        draggable={!isZone}
        onDragStart={(event) => {
          dragged.set({ selection: selecting.selection, has: () => isSelected }, `${Path}/`)
          beginDrag(event)
        }}
        onClick={(event) => {
          if (!isZone && (event.ctrlKey || event.metaKey)) selecting.toggleFolder(Path)
          else onOpen(Path)
        }}
        onKeyDown={press}
        onKeyUp={press}
        {...drop}
      >
        <Icon name="folder" />
        <span className="folder-name">{Name}</span>
        <span className="folder-facts">
          {Files === 0
            ? t('empty')
            : t('{files} · {size}', { files: humanNumber(Files), size: humanBytes(Bytes) })}
        </span>
      </button>
    </>
  )
}
