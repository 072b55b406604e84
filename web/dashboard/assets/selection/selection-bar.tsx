import { useState } from 'react'

import { rich } from '../../language/rich-text.tsx'
import { t } from '../../language/text.ts'
import { Button, IconButton } from '../../parts/forms/button.tsx'
import { toastFailure } from '../../parts/feedback/toasts.tsx'
import { humanNumber } from '../../parts/format.ts'
import type { BulkDialogProps } from './bulk-dialog.tsx'
import { DescribeDialog } from './describe-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'
import { download, namedBy, useBulk } from './use-bulk.ts'
import type { Selecting } from './use-selecting.ts'

interface SelectionBarProps {
  readonly selecting: Selecting
  /** How all of the list is named. */
  readonly filter: string | undefined
  readonly folder: string
}

type Asked = 'move' | 'copy' | 'tag' | 'describe' | undefined

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
  const { toChange, toDescribe, toPurge } = needsIn(folder.split('/', 1)[0] || undefined)
  const named = namedBy(selection, filter)
  const what = count === 1 ? '1 asset' : `${humanNumber(count)} assets`
  const now = async (action: 'delete' | 'purge', text: string) => {
    const fault = await run({ ...named, Action: action }, () => text)
    if (fault !== undefined) return toastFailure(fault)
    if (action === 'delete') selecting.clear()
  }
  const close = (isDone: boolean) => {
    setAsked(undefined)
    if (isDone && (asked === 'move' || asked === 'copy')) selecting.clear()
  }
  const dialog = { named, what, onClose: close }
  return (
    <section className="selection-bar" aria-label={t('Selected assets')} aria-busy={isBusy}>
      <p role="status">
        {rich('{count} selected', { count: <strong>{humanNumber(count)}</strong> })}
      </p>
      <div className="selection-actions">
        <Button icon="folder" needs={toChange} onClick={() => setAsked('move')}>
          {t('Move')}
        </Button>
        <Button icon="copy" needs={toChange} onClick={() => setAsked('copy')}>
          {t('Copy')}
        </Button>
        <Button icon="target" needs={toDescribe} onClick={() => setAsked('tag')}>
          {t('Tag')}
        </Button>
        <Button icon="pencil" needs={toDescribe} onClick={() => setAsked('describe')}>
          {t('Describe')}
        </Button>
        <Button
          icon="sweep"
          needs={toPurge}
          onClick={() => void now('purge', `${what} purged from every edge.`)}
        >
          {t('Purge')}
        </Button>
        <Button icon="download" onClick={() => void download(named)}>
          {t('Download')}
        </Button>
        <Button
          icon="trash"
          needs={toChange}
          isBusy={isBusy}
          onClick={() => void now('delete', `${what} deleted.`)}
        >
          {t('Delete')}
        </Button>
      </div>
      <IconButton icon="close" label={t('Clear the selection')} onClick={() => selecting.clear()} />
      <AskedDialog asked={asked} folder={folder} {...dialog} />
    </section>
  )
}

interface AskedDialogProps extends BulkDialogProps {
  readonly asked: Asked
  readonly folder: string
}

function AskedDialog({ asked, folder, ...dialog }: AskedDialogProps) {
  if (asked === 'tag') return <TagDialog {...dialog} />
  if (asked === 'describe') return <DescribeDialog {...dialog} />
  return asked && <MoveDialog action={asked} folder={folder} {...dialog} />
}
