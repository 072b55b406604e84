import { useState } from 'react'

import { rich } from '../../language/rich-text.tsx'
import { plural, t } from '../../language/text.ts'
import { Button, IconButton } from '../../parts/forms/button.tsx'
import { toastFailure } from '../../parts/feedback/toasts.tsx'
import { humanNumber } from '../../parts/format.ts'
import { RenameDialog } from '../folders/rename-dialog.tsx'
import type { BulkDialogProps } from './bulk-dialog.tsx'
import { DescribeDialog } from './describe-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { SuggestionsDialog } from './suggestions-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'
import { download, type Named, namedBy, useBulk } from './use-bulk.ts'
import { chosenFolders, type Selection } from './selection.ts'
import type { Selecting } from './use-selecting.ts'

interface SelectionBarProps {
  readonly selecting: Selecting
  /** How all of the list is named. */
  readonly filter: string | undefined
  readonly folder: string
}

type Asked = 'rename' | 'move' | 'copy' | 'tag' | 'describe' | 'suggestions' | undefined

const needsIn = (zone: string | undefined) =>
  ({
    toChange: { scope: 'storage:write', zone },
    toDescribe: { scope: ['metadata:write', 'storage:write'], zone },
    toPurge: { scope: 'purge:write', zone },
  }) as const

/** What can be done with all that is selected. */
export function SelectionBar({ selecting, filter, folder }: SelectionBarProps) {
  const [asked, setAsked] = useState<Asked>()
  const { isBusy, run } = useBulk()
  const { selection, count } = selecting
  const named = namedBy(selection, filter)
  const files = filesOf(selection, named)
  const what = wordsOf(selection, count)
  const only = onlyOf(selection)
  const now = async (action: 'delete' | 'purge', text: string) => {
    const fault = await run(
      { ...(action === 'purge' ? (files ?? named) : named), Action: action },
      () => text,
    )
    if (fault !== undefined) return toastFailure(fault)
    if (action === 'delete') selecting.clear()
  }
  const close = (isDone: boolean) => {
    setAsked(undefined)
    if (isDone && (asked === 'move' || asked === 'copy' || asked === 'rename')) selecting.clear()
  }
  const dialog = { named, files: files ?? named, what, folder, onClose: close }
  return (
    <section className="selection-bar" aria-label={t('Selected assets')} aria-busy={isBusy}>
      <p role="status">
        {rich('{count} selected', { count: <strong>{humanNumber(count)}</strong> })}
      </p>
      <SelectionActions
        zone={folder.split('/', 1)[0] || undefined}
        {...{ only, files, named, isBusy }}
        onAsk={setAsked}
        onPurge={() => void now('purge', t('{what} purged from every edge.', { what }))}
        onDelete={() => void now('delete', t('{what} deleted.', { what }))}
      />
      <IconButton icon="close" label={t('Clear the selection')} onClick={() => selecting.clear()} />
      <AskedDialog asked={asked} only={only} {...dialog} />
    </section>
  )
}

interface SelectionActionsProps {
  readonly zone: string | undefined
  /** The path of what is chosen alone. */
  readonly only: string | undefined
  /** What all files are that are meant; `undefined` where that cannot be said at once. */
  readonly files: Named | undefined
  readonly named: Named
  readonly isBusy: boolean
  readonly onAsk: (asked: Asked) => void
  readonly onPurge: () => void
  readonly onDelete: () => void
}

function SelectionActions(props: SelectionActionsProps) {
  const { only, files, named, isBusy, onAsk, onPurge, onDelete } = props
  const { toChange, toDescribe, toPurge } = needsIn(props.zone)
  return (
    <div className="selection-actions">
      {only !== undefined && (
        <Button icon="pencil" needs={toChange} onClick={() => onAsk('rename')}>
          {t('Rename')}
        </Button>
      )}
      <Button icon="folder" needs={toChange} onClick={() => onAsk('move')}>
        {t('Move')}
      </Button>
      <Button icon="copy" needs={toChange} onClick={() => onAsk('copy')}>
        {t('Copy')}
      </Button>
      <Button icon="target" needs={toDescribe} {...onlyFiles(files)} onClick={() => onAsk('tag')}>
        {t('Tag')}
      </Button>
      <Button
        icon="pencil"
        needs={toDescribe}
        {...onlyFiles(files)}
        onClick={() => onAsk('describe')}
      >
        {t('Describe')}
      </Button>
      <Button
        icon="spark"
        needs={toDescribe}
        {...onlyFiles(files)}
        onClick={() => onAsk('suggestions')}
      >
        {t('Suggestions')}
      </Button>
      <Button icon="sweep" needs={toPurge} {...onlyFiles(files)} onClick={onPurge}>
        {t('Purge')}
      </Button>
      <Button icon="download" onClick={() => void download(named)}>
        {t('Download')}
      </Button>
      <Button icon="trash" needs={toChange} isBusy={isBusy} onClick={onDelete}>
        {t('Delete')}
      </Button>
    </div>
  )
}

interface AskedDialogProps extends BulkDialogProps {
  readonly asked: Asked
  readonly folder: string
  /** What all files are that are meant. */
  readonly files: Named
  /** The path of what is chosen alone. */
  readonly only: string | undefined
}

function AskedDialog({ asked, folder, files, only, ...dialog }: AskedDialogProps) {
  const zone = folder.split('/', 1)[0] || undefined
  if (asked === 'tag') return <TagDialog {...dialog} named={files} />
  if (asked === 'describe') return <DescribeDialog {...dialog} named={files} zone={zone} />
  if (asked === 'suggestions') return <SuggestionsDialog {...dialog} named={files} />
  if (asked === 'rename')
    return (
      only !== undefined && (
        <RenameDialog
          path={only.replace(/\/$/u, '')}
          onClose={() => dialog.onClose(false)}
          onRenamed={() => dialog.onClose(true)}
        />
      )
    )
  return asked && <MoveDialog action={asked} folder={folder} {...dialog} />
}

/** The files that are meant, where that can be said: in one folder alone, or none; others cannot be mixed. */
function filesOf(selection: Selection, named: Named): Named | undefined {
  const [folder, ...others] = chosenFolders(selection)
  if (folder === undefined) return named
  if (others.length > 0 || selection.paths.size > 1) return undefined
  return { Filter: new URLSearchParams({ folder: folder.slice(0, -1) }).toString() }
}

const onlyFiles = (files: Named | undefined) =>
  files === undefined ? { disabled: true, title: t('Choose files, or one folder alone.') } : {}

/** What is chosen alone, a folder with a slash at its end. */
const onlyOf = ({ isAll, paths }: Selection): string | undefined =>
  !isAll && paths.size === 1 ? [...paths][0] : undefined

/** E.g. `2 folders and 3 assets`. */
function wordsOf(selection: Selection, count: number): string {
  const folders = chosenFolders(selection).length
  const files = count - folders
  const fileWords = plural(files, { one: '{count} asset', other: '{count} assets' })
  const folderWords = plural(folders, { one: '{count} folder', other: '{count} folders' })
  if (folders === 0) return fileWords
  return files === 0
    ? folderWords
    : t('{folders} and {assets}', { folders: folderWords, assets: fileWords })
}
