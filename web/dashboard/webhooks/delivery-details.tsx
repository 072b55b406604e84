import { useState } from 'react'

import type { WebhookDelivery } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { humanMilliseconds, humanTime } from '../parts/format.ts'
import { StatusBadge } from '../parts/inline.tsx'
import { eventLabel } from './events.ts'

interface DetailsProps {
  readonly webhookId: string
  readonly delivery: WebhookDelivery
  readonly onClose: () => void
}

/** What was sent beside what came back. */
export function DeliveryDetails({ webhookId, delivery, onClose }: DetailsProps) {
  const { id, event, request, nextAttemptAt } = delivery
  return (
    <Dialog
      title={eventLabel(event)}
      shape="wide"
      isOpen
      onClose={onClose}
      actions={<SendAgain webhookId={webhookId} deliveryId={id} onDone={onClose} />}
    >
      <div className="stack">
        <dl className="facts">
          <dt>{t('Id')}</dt>
          <dd>
            <code>{id}</code>
          </dd>
          {nextAttemptAt !== null && (
            <>
              <dt>{t('Next try')}</dt>
              <dd>{humanTime(nextAttemptAt)}</dd>
            </>
          )}
        </dl>
        <div className="delivery-sides">
          <section className="stack" aria-label={t('Sent')}>
            <h3>{t('Sent')}</h3>
            <Headers headers={request.headers} />
            <Body label={t('Body')} text={request.body} />
          </section>
          <Attempts attempts={delivery.attempts} />
        </div>
      </div>
    </Dialog>
  )
}

interface SendAgainProps {
  readonly webhookId: string
  readonly deliveryId: string
  readonly onDone: () => void
}

function SendAgain({ webhookId, deliveryId, onDone }: SendAgainProps) {
  const again = useChange('redeliverWebhook', {
    changes: ['listWebhookDeliveries', 'listWebhooks'],
    onSuccess: () => {
      toast(t('It is sent again, under its old id.'))
      onDone()
    },
  })
  return (
    <Button
      icon="retry"
      needs={{ scope: 'webhooks:write' }}
      isBusy={again.isPending}
      onClick={() =>
        again.mutate({ id: webhookId, deliveryId }, { onError: (error) => toastFailure(error) })
      }
    >
      {t('Send again')}
    </Button>
  )
}

/** One of them at a time, the last at first. */
function Attempts({ attempts }: Pick<WebhookDelivery, 'attempts'>) {
  const [chosen, setChosen] = useState<number>()
  const place = chosen ?? attempts.length - 1
  const attempt = attempts[place]
  return (
    <section className="stack" aria-label={t('Tries')}>
      <h3>{t('Tries')}</h3>
      {attempt === undefined && <p className="fine-print">{t('None yet.')}</p>}
      {attempts.length > 1 && (
        <SelectField
          label={t('Try')}
          value={String(place)}
          options={attempts.map(({ timestamp }, index) => ({
            value: String(index),
            label: humanTime(timestamp),
          }))}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
      )}
      {attempt && (
        <>
          <dl className="facts">
            <dt>{t('Status')}</dt>
            <dd>
              {attempt.status === null ? t('No answer') : <StatusBadge status={attempt.status} />}
            </dd>
            {attempt.error !== null && (
              <>
                <dt>{t('Error')}</dt>
                <dd>{attempt.error}</dd>
              </>
            )}
            <dt>{t('Time')}</dt>
            <dd>{humanMilliseconds(attempt.durationMs)}</dd>
            <dt>{t('When')}</dt>
            <dd>{humanTime(attempt.timestamp)}</dd>
          </dl>
          <Headers headers={attempt.responseHeaders} />
          <Body label={t('Answer')} text={attempt.response} />
        </>
      )}
    </section>
  )
}

const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
  Object.keys(headers).length === 0 ? null : (
    <Body
      label={t('Headers')}
      text={Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}
    />
  )

const Body = ({ label, text }: { readonly label: string; readonly text: string }) =>
  text === '' ? null : (
    <div>
      <p className="choices-title">{label}</p>
      <code className="code-block">{indented(text)}</code>
    </div>
  )

/** JSON over several lines; anything else as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
