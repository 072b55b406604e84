import { useEffect, useRef, useState } from 'react'

import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { mayOf } from '../../parts/access/may.ts'
import { useOwnReach } from '../../parts/access/use-may.ts'
import { toastFailure } from '../../parts/feedback/toasts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { usePage, useSearch } from '../../router.tsx'
import { droppedFiles, type FoundFile } from '../collect-files.ts'
import { lastTarget, pathIn, type UploadTarget } from '../upload-target.ts'
import { ChooseTarget } from './choose-target.tsx'
import { dropTargetOf, offeredTarget } from './drop-target.ts'
import { useFileDrops } from './use-file-drops.ts'

/**
 * Files and folders may be dropped on any page: what is shown large meanwhile says where they go, and where that is
 * not known it is asked. Without this the browser would leave the page to show the file.
 */
export function DropAnywhere() {
  const page = usePage()
  const [search] = useSearch()
  const reach = useOwnReach()
  const zones = (useOperation('listZones', {}).data ?? [])
    .map(({ Name }) => Name)
    .filter((zone) => mayOf(reach, { scope: 'storage:write', zone }).isAllowed)
  const [asked, ask] = useState<readonly FoundFile[]>()
  const targetNow = () => dropTargetOf({ page, search, zones, last: lastTarget() })
  const isOver = useFileDrops((transfer) => void take(transfer))

  async function take(transfer: DataTransfer): Promise<void> {
    try {
      const files = await droppedFiles(transfer)
      if (files.length === 0) return
      const target = targetNow()
      if (target === undefined) ask(files)
      else await send(files, target)
    } catch {
      toastFailure(new Error(t('The browser could not read what was dropped.')))
    }
  }

  return (
    <>
      {isOver && <Overlay target={targetNow()} />}
      {asked !== undefined && (
        <ChooseTarget
          files={asked}
          zones={zones}
          offered={offeredTarget({ search, zones, last: lastTarget() })}
          onClose={() => ask(undefined)}
          onChosen={(target) => {
            ask(undefined)
            void send(asked, target)
          }}
        />
      )}
    </>
  )
}

/** The queue of uploads is loaded with the first of them. */
async function send(files: readonly FoundFile[], target: UploadTarget): Promise<void> {
  const { sendFiles } = await import('../send-files.ts')
  await sendFiles(files, target)
}

/** Above everything, dialogs too. */
function Overlay({ target }: { readonly target: UploadTarget | undefined }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.showPopover(), [])
  return (
    <div ref={element} popover="manual" className="drop-anywhere" aria-hidden="true">
      <Icon name="upload" />
      {target === undefined ? (
        <>
          <p>{t('Drop to upload')}</p>
          <p className="drop-hint">{t('You are asked next where the files go.')}</p>
        </>
      ) : (
        <>
          <p>{t('Drop to upload to')}</p>
          <code>{pathIn(target, '')}</code>
        </>
      )}
    </div>
  )
}
