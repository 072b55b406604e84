import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import type { WebhookEvent } from './events.ts'
import { bodyOf, isComplete, WebhookFields, type WebhookForm } from './webhook-fields.tsx'

type Webhook = ResponseOf<'listWebhooks'>['Webhooks'][number]

interface EditWebhookProps {
  readonly webhook: Webhook
  readonly onClose: () => void
}

export function EditWebhook({ webhook, onClose }: EditWebhookProps) {
  const [form, setForm] = useState(() => formOf(webhook))
  const save = useChange('updateWebhook', {
    changes: ['listWebhooks', 'listWebhookDeliveries'],
    onSuccess: () => {
      toast(t('The webhook is changed.'))
      onClose()
    },
  })
  return (
    <Dialog title={t('Edit the webhook')} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ id: webhook.id, body: bodyOf(form) })
        }}
      >
        {save.isError && <Failure error={save.error} />}
        <WebhookFields value={form} onChange={setForm} />
        <p className="fine-print">
          {t(
            'What is still to be sent goes to the new URL. Deliveries of zones that you take away are forgotten.',
          )}
        </p>
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" kind="primary" disabled={!isComplete(form)} isBusy={save.isPending}>
            {t('Save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const formOf = ({ url, events, zones, ordered }: Webhook): WebhookForm => ({
  url,
  isAllEvents: events.includes('*'),
  events: new Set(events.filter((event): event is WebhookEvent => event !== '*')),
  zones: new Set(zones),
  isOrdered: ordered,
})
