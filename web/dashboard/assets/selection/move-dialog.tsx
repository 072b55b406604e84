import { useState } from 'react'

import { t } from '../../language/text.ts'
import { CheckField, TextField } from '../../parts/forms/field.tsx'
import { FolderTree } from '../folders/folder-tree.tsx'
import { directoryText } from '../place.ts'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { useBulk } from './use-bulk.ts'

interface MoveDialogProps extends BulkDialogProps {
  readonly action: 'move' | 'copy'
  /** Where one is. */
  readonly folder: string
}

interface TargetFolderProps {
  readonly chosen: string
  readonly onChoose: (folder: string) => void
}

const TargetFolder = ({ chosen, onChoose }: TargetFolderProps) => (
  <div className="folder-choice">
    <FolderTree label={t('Target folder')} current={chosen} onOpen={onChoose} />
  </div>
)

/** Chooses a folder, or names one that is made by what is put into it. */
export function MoveDialog({ action, folder, named, what, onClose }: MoveDialogProps) {
  const [chosen, setChosen] = useState(folder)
  const [added, setAdded] = useState('')
  const [options, setOptions] = useState({ redirect: false, overwrite: false })
  const [error, setError] = useState<unknown>()
  const { isBusy, run } = useBulk()
  const name = added.trim().replaceAll(/^\/{1,99}|\/{1,99}$/gu, '')
  const target = name === '' ? chosen : `${chosen}/${name}`
  const place = directoryText(`${target}/x`)
  const isMove = action === 'move'
  const begin = async () => {
    const body = {
      ...named,
      Action: action,
      To: `${target}/`,
      ...(options.overwrite && { Overwrite: true }),
      ...(isMove && options.redirect && { Redirect: true }),
    }
    const done = isMove
      ? t('{what} moved to {place}.', { what, place })
      : t('{what} copied to {place}.', { what, place })
    const fault = await run(body, () => done)
    if (fault === undefined) onClose(true)
    else setError(fault)
  }
  return (
    <BulkDialog
      title={isMove ? t('Move {what}', { what }) : t('Copy {what}', { what })}
      verb={isMove ? t('Move here') : t('Copy here')}
      isBusy={isBusy}
      canBegin={chosen !== ''}
      error={error}
      onClose={() => onClose(false)}
      onBegin={() => void begin()}
    >
      <TargetFolder chosen={chosen} onChoose={setChosen} />
      <TextField
        label={t('New folder in it')}
        placeholder="campaigns/2027"
        value={added}
        onChange={(event) => setAdded(event.target.value)}
      />
      <p className="fine-print" role="status">
        {chosen === '' ? t('Choose a folder.') : place}
      </p>
      <CheckField
        label={t('Replace files that are there')}
        checked={options.overwrite}
        onChange={(event) => setOptions({ ...options, overwrite: event.target.checked })}
      />
      {isMove && (
        <CheckField
          label={t('Redirect the old URLs')}
          checked={options.redirect}
          onChange={(event) => setOptions({ ...options, redirect: event.target.checked })}
        />
      )}
    </BulkDialog>
  )
}
