import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import { eventOptions, type WebhookEvent } from './events.ts'

interface SendTestProps {
  readonly id: string
  readonly onSent: () => void
  readonly onClose: () => void
}

/** Sends an example of an event once, and says what came back. */
export function SendTest({ id, onSent, onClose }: SendTestProps) {
  const [event, setEvent] = useState<WebhookEvent | ''>('')
  const test = useChange('testWebhook', {
    changes: ['listWebhookDeliveries', 'listWebhooks'],
    onSuccess: ({ delivered, status, error }) => {
      onClose()
      onSent()
      const answer = String(error ?? status)
      if (delivered) toast(t('The receiver took it with {status}.', { status: answer }))
      else toastFailure(new Error(t('The receiver did not take it: {reason}', { reason: answer })))
    },
  })
  return (
    <Dialog title={t('Send a test')} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(submitted) => {
          submitted.preventDefault()
          test.mutate({ id, body: event === '' ? {} : { event } })
        }}
      >
        {test.isError && <Failure error={test.error} />}
        <SelectField
          label={t('Event')}
          hint={t('An example of it is sent once; the body says "test": true.')}
          value={event}
          options={[{ value: '', label: t('Only a test, webhook.test') }, ...eventOptions]}
          onChange={({ target }) => setEvent(target.value as WebhookEvent | '')}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" kind="primary" isBusy={test.isPending}>
            {t('Send')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
