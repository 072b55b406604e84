import { useState } from 'react'

import { client } from '../../api/client.ts'
import { t } from '../../language/text.ts'
import { CheckField, TextField } from '../../parts/forms/field.tsx'
import { nameOf } from '../place.ts'
import { BulkDialog } from '../selection/bulk-dialog.tsx'
import { useDone } from '../selection/use-bulk.ts'

interface RenameDialogProps {
  /** Of a file, or of a folder with all that is in it. */
  readonly path: string
  readonly onClose: () => void
  readonly onRenamed: (path: string) => void
}

/** Gives a file or a folder another name, in one commit that can be undone. */
export function RenameDialog({ path, onClose, onRenamed }: RenameDialogProps) {
  const before = nameOf(path)
  const [name, setName] = useState(before)
  const [redirect, setRedirect] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const done = useDone()
  const next = name.trim()
  const hasSlash = next.includes('/')
  const rename = async () => {
    setBusy(true)
    try {
      const to = path.slice(0, path.length - before.length) + next
      const body = { From: path, To: to, ...(redirect && { Redirect: true }) }
      const { Commit } = await client.moveFiles({ body })
      onClose()
      await done(t('{before} is now {to}.', { before, to: next }), Commit, path.split('/')[0])
      onRenamed(to)
    } catch (fault) {
      setError(fault)
      setBusy(false)
    }
  }
  return (
    <BulkDialog
      title={t('Rename {name}', { name: before })}
      verb={t('Rename')}
      isBusy={isBusy}
      canBegin={next !== '' && next !== before && !hasSlash}
      error={error}
      onClose={onClose}
      onBegin={() => void rename()}
    >
      <TextField
        label={t('New name')}
        value={name}
        spellCheck={false}
        fault={hasSlash ? t('A name has no slash; move it instead.') : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      <CheckField
        label={t('Redirect the old URLs')}
        checked={redirect}
        onChange={({ target }) => setRedirect(target.checked)}
      />
    </BulkDialog>
  )
}
