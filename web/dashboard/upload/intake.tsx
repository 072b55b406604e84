import { useState, useSyncExternalStore } from 'react'

import { plural, t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { humanBytes } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { useSearch } from '../router.tsx'
import type { FoundFile } from './collect-files.ts'
import { shownTarget } from './drop/drop-target.ts'
import { DropZone } from './drop-zone.tsx'
import { sendFiles } from './send-files.ts'
import { TargetFields } from './target-fields.tsx'
import { keepTarget, lastTarget, pathIn, type UploadTarget } from './upload-target.ts'
import { waitingFiles } from './waiting-files.ts'

/** Where files go, in large letters, and the place to drop them. */
export function Intake({ zones }: { readonly zones: readonly string[] }) {
  const [target, change] = useTarget(zones)
  const add = (files: readonly FoundFile[]) => {
    if (target.zone === '') return waitingFiles.add(files)
    void sendFiles(files, target)
  }
  return (
    <section className="intake" aria-label={t('Files to upload')}>
      <div className="stack">
        <TargetFields target={target} zones={zones} onChange={change} />
      </div>
      <div className="stack">
        <Waiting target={target} onGo={add} />
        <DropZone onFiles={add}>
          <Place target={target} />
        </DropZone>
      </div>
    </section>
  )
}

function useTarget(zones: readonly string[]) {
  const [search, changeSearch] = useSearch()
  const [kept, setKept] = useState(lastTarget)
  const target = shownTarget({ search, zones, last: kept })
  const change = (next: UploadTarget) => {
    setKept(next)
    keepTarget(next)
    if (next.zone !== target.zone || search['folder'] !== undefined)
      changeSearch({ zone: next.zone, folder: undefined }, { replaces: true })
  }
  return [target, change] as const
}

function Place({ target }: { readonly target: UploadTarget }) {
  if (target.zone === '') return <p className="drop-place">{t('Choose a zone first')}</p>
  return (
    <p className="drop-place">
      <span className="fine-print">
        {target.folder === 'private'
          ? t('Files go to, and are delivered by signed URL only')
          : t('Files go to')}
      </span>
      <code>{pathIn(target, '')}</code>
    </p>
  )
}

interface WaitingProps {
  readonly target: UploadTarget
  readonly onGo: (files: readonly FoundFile[]) => void
}

/** What was chosen before a zone was. */
function Waiting({ target, onGo }: WaitingProps) {
  const files = useSyncExternalStore(waitingFiles.subscribe, waitingFiles.all)
  if (files.length === 0) return null
  const size = humanBytes(files.reduce((sum, { file }) => sum + file.size, 0))
  return (
    <div className="note spread" role="status">
      <Icon name="info" />
      <span>
        {plural(
          files.length,
          { one: '{count} file waits ({size}).', other: '{count} files wait ({size}).' },
          { size },
        )}{' '}
        {target.zone === '' && t('Choose the zone that it belongs to.')}
      </span>
      <span className="row">
        <Button
          kind="primary"
          disabled={target.zone === ''}
          onClick={() => {
            waitingFiles.clear()
            onGo(files)
          }}
        >
          {target.zone === '' ? t('Upload') : t('Upload to {place}', { place: pathIn(target, '') })}
        </Button>
        <Button onClick={() => waitingFiles.clear()}>{t('Discard')}</Button>
      </span>
    </div>
  )
}
