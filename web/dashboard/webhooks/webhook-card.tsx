import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { Badge } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'
import { Deliveries } from './deliveries.tsx'

type Webhook = ResponseOf<'listWebhooks'>['Webhooks'][number]

interface WebhookCardProps {
  readonly webhook: Webhook
  readonly onSecret: (secret: string | undefined) => void
}

export function WebhookCard({ webhook, onSecret }: WebhookCardProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="card" aria-label={webhook.url}>
      <div className="card-head">
        <h2>{webhook.url}</h2>
        <State webhook={webhook} />
      </div>
      <dl className="facts">
        <dt>{t('Told of')}</dt>
        <dd>{webhook.events.join(', ')}</dd>
        <dt>{t('Zones')}</dt>
        <dd>{webhook.zones?.join(', ') ?? t('all')}</dd>
        <dt>{t('Secret')}</dt>
        <dd>
          <code>…{webhook.secretLastFour}</code>
        </dd>
      </dl>
      <div className="row card-actions">
        <Button
          icon={isOpen ? 'up' : 'down'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('Deliveries')}
        </Button>
        <SendTest id={webhook.id} onSent={() => setOpen(true)} />
        <Switch webhook={webhook} />
        <RotateSecret id={webhook.id} onSecret={onSecret} />
        <RemoveWebhook webhook={webhook} />
      </div>
      {isOpen && <Deliveries webhookId={webhook.id} />}
    </section>
  )
}

const reasons = {
  gone: t('the receiver said it is gone'),
  failing: t('it failed for too long'),
} as const

function State({ webhook: { active, switchedOff, failingSince } }: { readonly webhook: Webhook }) {
  if (switchedOff !== null)
    return <Badge kind="bad">{t('off: {reason}', { reason: reasons[switchedOff] })}</Badge>
  if (!active) return <Badge kind="warning">{t('off')}</Badge>
  return failingSince === null ? (
    <Badge kind="good">{t('on')}</Badge>
  ) : (
    <Badge kind="bad">{t('failing')}</Badge>
  )
}

function SendTest({ id, onSent }: { readonly id: string; readonly onSent: () => void }) {
  const test = useChange('testWebhook', {
    changes: ['listWebhookDeliveries'],
    onSuccess: ({ delivered, status, error }) => {
      onSent()
      if (delivered)
        toast(t('The receiver took it with {status}.', { status: status ?? t('an answer') }))
      else toastFailure(new Error(`The receiver did not take it: ${error ?? `status ${status}`}`))
    },
  })
  return (
    <Button
      needs={{ scope: 'webhooks:write' }}
      isBusy={test.isPending}
      onClick={() => test.mutate({ id }, { onError: (error) => toastFailure(error) })}
    >
      {t('Send a test')}
    </Button>
  )
}

function Switch({ webhook: { id, active } }: { readonly webhook: Webhook }) {
  const change = useChange('updateWebhook', { changes: ['listWebhooks'] })
  return (
    <Button
      needs={{ scope: 'webhooks:write' }}
      icon={active ? 'pause' : 'play'}
      isBusy={change.isPending}
      onClick={() =>
        change.mutate(
          { id, body: { active: !active } },
          { onError: (error) => toastFailure(error) },
        )
      }
    >
      {active ? t('Switch off') : t('Switch on')}
    </Button>
  )
}

function RotateSecret({
  id,
  onSecret,
}: { readonly id: string } & Omit<WebhookCardProps, 'webhook'>) {
  const rotate = useChange('updateWebhook', {
    changes: ['listWebhooks'],
    onSuccess: ({ secret }) => onSecret(secret),
  })
  return (
    <Button
      needs={{ scope: 'webhooks:write' }}
      icon="key"
      isBusy={rotate.isPending}
      onClick={() =>
        rotate.mutate(
          { id, body: { rotateSecret: true } },
          { onError: (error) => toastFailure(error) },
        )
      }
    >
      {t('New secret')}
    </Button>
  )
}

function RemoveWebhook({ webhook: { id, url } }: { readonly webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false)
  const remove = useChange('deleteWebhook', {
    changes: ['listWebhooks'],
    onSuccess: () => toast(t('The webhook is removed.')),
  })
  return (
    <>
      <Button icon="trash" needs={{ scope: 'webhooks:write' }} onClick={() => setOpen(true)}>
        {t('Remove')}
      </Button>
      <TypedConfirmation
        title={t('Remove the webhook')}
        word="remove"
        action={t('Remove the webhook')}
        isOpen={isOpen}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id })}
        onClose={() => setOpen(false)}
      >
        <p>
          {rich('Whatever {url} was still to be told is dropped.', { url: <code>{url}</code> })}
        </p>
      </TypedConfirmation>
    </>
  )
}
