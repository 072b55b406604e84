import { useState, useSyncExternalStore } from 'react'

import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { useSearch } from '../router.tsx'
import type { FoundFile } from './collect-files.ts'
import { DropZone } from './drop-zone.tsx'
import { keepTarget, lastTarget, pathIn, type UploadTarget } from './upload-target.ts'
import { unfinished, uploads } from './queue/uploads.ts'
import { waitingFiles } from './waiting-files.ts'

/** Where files go, in large letters, and the place to drop them. */
export function Intake({ zones }: { readonly zones: readonly string[] }) {
  const [target, change] = useTarget(zones)
  const add = (files: readonly FoundFile[]) => {
    if (target.zone === '') return waitingFiles.add(files)
    keepTarget(target)
    void sendOn(files, target)
  }
  return (
    <section className="intake" aria-label={t('Files to upload')}>
      <div className="stack">
        <SelectField
          label={t('Zone')}
          value={target.zone}
          options={[
            ...(target.zone === '' ? [{ value: '', label: t('Choose a zone') }] : []),
            ...zones.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(event) => change({ ...target, zone: event.target.value })}
        />
        <TextField
          label={t('Folder')}
          value={target.folder}
          list="folders"
          spellCheck={false}
          hint={t(
            'The first folder is the category. Leave it empty and dropped folders become categories.',
          )}
          onChange={(event) => change({ ...target, folder: event.target.value })}
        />
        <datalist id="folders">
          {folders.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
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

/** What was begun with the same file goes on; the rest begins. */
async function sendOn(files: readonly FoundFile[], target: UploadTarget): Promise<void> {
  const pathOf = ({ relativePath }: FoundFile) => pathIn(target, relativePath)
  const others = await unfinished.take(files, pathOf)
  uploads.add(others.map((found) => ({ ...found, path: pathOf(found) })))
}

const folders = ['banners', 'github', 'icons', 'logos', 'private', 'titles']

/** The URL says the zone, else it is where files went last; it is guessed only where there is no choice. */
function useTarget(zones: readonly string[]) {
  const [search, changeSearch] = useSearch()
  const [kept, setKept] = useState(lastTarget)
  const known = [search['zone'], kept.zone].find(
    (name) => name !== undefined && zones.includes(name),
  )
  const only = zones.length === 1 ? zones[0] : undefined
  const target: UploadTarget = { zone: known ?? only ?? '', folder: kept.folder }
  const change = (next: UploadTarget) => {
    setKept(next)
    keepTarget(next)
    if (next.zone !== target.zone) changeSearch({ zone: next.zone }, { replaces: true })
  }
  return [target, change] as const
}

function Place({ target }: { readonly target: UploadTarget }) {
  if (target.zone === '') return <p className="drop-place">{t('Choose a zone first')}</p>
  return (
    <p className="drop-place">
      <span className="fine-print">
        {t('Files go to')}
        {target.folder === 'private' && t(', and are delivered by signed URL only')}
      </span>
      <code>{pathIn(target, '')}</code>
    </p>
  )
}

interface WaitingProps {
  readonly target: UploadTarget
  readonly onGo: (files: readonly FoundFile[]) => void
}

/** What was dropped on another page, or before a zone was chosen. */
function Waiting({ target, onGo }: WaitingProps) {
  const files = useSyncExternalStore(waitingFiles.subscribe, waitingFiles.all)
  if (files.length === 0) return null
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <div className="note spread" role="status">
      <Icon name="info" />
      <span>
        {files.length === 1
          ? t('1 file waits')
          : t('{length} files wait', { length: humanNumber(files.length) })}{' '}
        ({humanBytes(bytes)}). {target.zone === '' && t('Choose the zone that it belongs to.')}
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
          {target.zone === ''
            ? t('Upload')
            : t('Upload to {target}', { target: pathIn(target, '') })}
        </Button>
        <Button onClick={() => waitingFiles.clear()}>{t('Discard')}</Button>
      </span>
    </div>
  )
}
