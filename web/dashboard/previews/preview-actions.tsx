import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { CheckField } from '../parts/forms/field.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'
import { ExpiryField } from './create-preview.tsx'
import { expiryOf, type Preview, previewReads } from './preview.ts'
import { PromotePreview } from './promote-preview.tsx'
import { UpdatePreview } from './update-preview.tsx'

interface PreviewActionsProps {
  readonly preview: Preview
  readonly onGone: () => void
}

type Open = 'promote' | 'update' | 'settings' | 'delete'

/** What can be done with a preview. */
export function PreviewActions({ preview, onGone }: PreviewActionsProps) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <div className="row">
      <Button
        kind="primary"
        icon="check"
        needs={{ scope: 'storage:write', zone: preview.Zone }}
        onClick={() => setOpen('promote')}
      >
        {t('Promote…')}
      </Button>
      <Button
        icon="retry"
        needs={{ scope: ['storage:write', 'previews:write'], zone: preview.Zone }}
        onClick={() => setOpen('update')}
      >
        {t('Update…')}
      </Button>
      <Button
        icon="rules"
        needs={{ scope: ['storage:write', 'previews:write'], zone: preview.Zone }}
        onClick={() => setOpen('settings')}
      >
        {t('Settings')}
      </Button>
      <Button
        icon="trash"
        needs={{ scope: ['storage:write', 'previews:write'], zone: preview.Zone }}
        onClick={() => setOpen('delete')}
      >
        {t('Delete')}
      </Button>
      {open === 'promote' && <PromotePreview preview={preview} onGone={onGone} onClose={close} />}
      {open === 'update' && <UpdatePreview preview={preview} onClose={close} />}
      {open === 'settings' && <PreviewSettings preview={preview} onClose={close} />}
      {open === 'delete' && <DeletePreview preview={preview} onGone={onGone} onClose={close} />}
    </div>
  )
}

interface DialogProps {
  readonly preview: Preview
  readonly onClose: () => void
}

function PreviewSettings({ preview, onClose }: DialogProps) {
  const [isSigned, setSigned] = useState(preview.Signed)
  const [day, setDay] = useState('')
  const save = useChange('updatePreviewSettings', {
    changes: previewReads,
    onSuccess: ({ Name }) => {
      toast(t('The settings of {name} are saved.', { name: Name }))
      onClose()
    },
  })
  return (
    <Dialog title={t('Settings of {name}', { name: preview.Name })} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const expires = expiryOf(day)
          const body = { Signed: isSigned, ...(expires !== undefined && { Expires: expires }) }
          save.mutate({ id: preview.Zone, name: preview.Name, body })
        }}
      >
        {save.isError && <Failure error={save.error} />}
        <ExpiryField day={day} onChange={setDay} />
        <CheckField
          label={t('Require a signed URL')}
          checked={isSigned}
          onChange={({ target }) => setSigned(target.checked)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function DeletePreview({ preview, onGone, onClose }: DialogProps & PreviewActionsProps) {
  const remove = useChange('deletePreview', {
    changes: ['listPreviews'],
    onSuccess: ({ Name }) => {
      toast(t('The preview {name} is deleted.', { name: Name }))
      onGone()
    },
  })
  return (
    <TypedConfirmation
      title={t('Delete {name}', { name: preview.Name })}
      word={preview.Name}
      action={t('Delete the preview')}
      isOpen
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: preview.Zone, name: preview.Name })}
      onClose={onClose}
    >
      <p>
        {t(
          'Its URL stops working, and what was changed in it and not promoted is forgotten. What is live stays as it is.',
        )}
      </p>
    </TypedConfirmation>
  )
}
