import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { humanBytes, humanNumber } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import type { ResponseOf } from '../../../../src/client/types.ts'
import { beginDrag, dragged } from './dragged.ts'
import { type DropOn, useDropTarget } from './use-drop-target.ts'

type Folder = ResponseOf<'listFolders'>['Data'][number]

interface FolderStripProps {
  readonly folder: string
  readonly onOpen: (folder: string) => void
  readonly onDropOn: DropOn
}

/** The folders in a folder, before its files. */
export function FolderStrip({ folder, onOpen, onDropOn }: FolderStripProps) {
  const { data } = useOperation(
    'listFolders',
    { path: folder, limit: 1000 },
    { keepsPrevious: true },
  )
  if (data === undefined || data.Data.length === 0) return null
  return (
    <ul className="folder-strip" aria-label={t('Folders')}>
      {data.Data.map((each) => (
        <li key={each.Path}>
          <FolderCard each={each} onOpen={onOpen} onDropOn={onDropOn} />
        </li>
      ))}
    </ul>
  )
}

interface FolderCardProps extends Omit<FolderStripProps, 'folder'> {
  readonly each: Folder
}

function FolderCard({ each, onOpen, onDropOn }: FolderCardProps) {
  const { Name, Path, Files, Bytes } = each
  const drop = useDropTarget(Path, onDropOn)
  const isZone = Path.endsWith('/v1') && Path.split('/').length === 2
  return (
    <button
      type="button"
      className="folder-card"
      title={Path}
      draggable={!isZone}
      onDragStart={(event) => {
        dragged.set({ selection: none, has: () => false }, `${Path}/`)
        beginDrag(event)
      }}
      onClick={() => onOpen(Path)}
      {...drop}
    >
      <Icon name="folder" />
      <span className="folder-name">{Name}</span>
      <span className="folder-facts">
        {Files === 0 ? t('empty') : `${humanNumber(Files)} · ${humanBytes(Bytes)}`}
      </span>
    </button>
  )
}

const none = { isAll: false, paths: new Set<string>() }
