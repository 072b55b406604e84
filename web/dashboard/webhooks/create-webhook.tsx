import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { bodyOf, emptyForm, isComplete, WebhookFields } from './webhook-fields.tsx'

interface CreateWebhookProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** With the secret, which is told this once; `undefined` where the caller chose it. */
  readonly onCreated: (secret: string | undefined) => void
}

export function CreateWebhook({ isOpen, onClose, onCreated }: CreateWebhookProps) {
  const [form, setForm] = useState(emptyForm)
  const create = useChange('createWebhook', {
    changes: ['listWebhooks'],
    onSuccess: ({ secret }) => {
      setForm(emptyForm)
      onCreated(secret)
    },
  })
  return (
    <Dialog title={t('Add a webhook')} isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ body: bodyOf(form) })
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <WebhookFields value={form} onChange={setForm} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={!isComplete(form)}
            isBusy={create.isPending}
          >
            {t('Add the webhook')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
