import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { plural, t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { ActionMenu } from '../parts/forms/action-menu.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'
import { humanMilliseconds, humanShare } from '../parts/format.ts'
import { Badge, Moment } from '../parts/inline.tsx'
import { Deliveries } from './deliveries.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { eventLabel } from './events.ts'
import { SendTest } from './send-test.tsx'

type Webhook = ResponseOf<'listWebhooks'>['Webhooks'][number]

interface WebhookCardProps {
  readonly webhook: Webhook
  readonly onSecret: (secret: string | undefined) => void
}

export function WebhookCard({ webhook, onSecret }: WebhookCardProps) {
  const [isOpen, setOpen] = useState(false)
  const [dialog, setDialog] = useState<'test' | 'edit' | 'remove'>()
  const close = () => setDialog(undefined)
  return (
    <section className="card" aria-label={webhook.url}>
      <div className="card-head">
        <h2>{webhook.url}</h2>
        <State webhook={webhook} />
      </div>
      <Facts webhook={webhook} />
      <div className="row card-actions">
        <Button
          icon={isOpen ? 'up' : 'down'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('Deliveries')}
        </Button>
        <Button needs={{ scope: 'webhooks:write' }} onClick={() => setDialog('test')}>
          {t('Send a test')}
        </Button>
        <CardMenu webhook={webhook} onSecret={onSecret} onDialog={setDialog} />
      </div>
      {isOpen && <Deliveries webhookId={webhook.id} />}
      {dialog === 'test' && (
        <SendTest id={webhook.id} onSent={() => setOpen(true)} onClose={close} />
      )}
      {dialog === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      {dialog === 'remove' && <RemoveWebhook webhook={webhook} onClose={close} />}
    </section>
  )
}

const reasons = {
  gone: t('the receiver said it is gone'),
  failing: t('it failed for too long'),
} as const

function State({ webhook: { state, switchedOff } }: { readonly webhook: Webhook }) {
  if (switchedOff !== null)
    return <Badge kind="bad">{t('paused: {reason}', { reason: reasons[switchedOff] })}</Badge>
  if (state === 'paused') return <Badge kind="warning">{t('paused')}</Badge>
  if (state === 'failing') return <Badge kind="bad">{t('failing')}</Badge>
  return state === 'unused' ? (
    <Badge>{t('no deliveries yet')}</Badge>
  ) : (
    <Badge kind="good">{t('healthy')}</Badge>
  )
}

const Facts = ({ webhook }: { readonly webhook: Webhook }) => (
  <dl className="facts">
    <dt>{t('Last delivery')}</dt>
    <dd>
      <LastDelivery last={webhook.lastDelivery} />
    </dd>
    {webhook.failureRate !== null && (
      <>
        <dt>{t('Failure rate')}</dt>
        <dd>
          {plural(
            webhook.recentDeliveries,
            {
              one: '{rate} of the last delivery',
              other: '{rate} of the last {count} deliveries',
            },
            { rate: humanShare(webhook.failureRate) },
          )}
        </dd>
      </>
    )}
    <dt>{t('Events')}</dt>
    <dd>
      {webhook.events.includes('*') ? t('All events') : webhook.events.map(eventLabel).join(', ')}
    </dd>
    <dt>{t('Zones')}</dt>
    <dd>{webhook.zones?.join(', ') ?? t('All zones')}</dd>
    <dt>{t('Secret')}</dt>
    <dd>
      <code>…{webhook.secretLastFour}</code>
    </dd>
  </dl>
)

function LastDelivery({ last }: { readonly last: Webhook['lastDelivery'] }) {
  if (last === null) return t('None yet.')
  const { timestamp, status, error, durationMs } = last
  return rich('{when}: {result} in {duration}', {
    when: <Moment time={timestamp} />,
    result: String(status ?? error ?? t('No answer')),
    duration: humanMilliseconds(durationMs),
  })
}

interface CardMenuProps extends WebhookCardProps {
  readonly onDialog: (dialog: 'edit' | 'remove') => void
}

function CardMenu({ webhook: { id, active }, onSecret, onDialog }: CardMenuProps) {
  const change = useChange('updateWebhook', {
    changes: ['listWebhooks'],
    onSuccess: ({ secret }) => {
      if (secret !== undefined) onSecret(secret)
    },
  })
  const needs = { scope: 'webhooks:write' } as const
  const patch = (body: { readonly active: boolean } | { readonly rotateSecret: true }) =>
    change.mutate({ id, body }, { onError: (error) => toastFailure(error) })
  return (
    <ActionMenu
      label={t('More')}
      actions={[
        { icon: 'pencil', label: t('Edit'), needs, run: () => onDialog('edit') },
        {
          icon: active ? 'pause' : 'play',
          label: active ? t('Switch off') : t('Switch on'),
          needs,
          run: () => patch({ active: !active }),
        },
        { icon: 'key', label: t('New secret'), needs, run: () => patch({ rotateSecret: true }) },
        {
          icon: 'trash',
          label: t('Remove'),
          needs,
          isDanger: true,
          run: () => onDialog('remove'),
        },
      ]}
    />
  )
}

interface RemoveWebhookProps {
  readonly webhook: Webhook
  readonly onClose: () => void
}

function RemoveWebhook({ webhook: { id, url }, onClose }: RemoveWebhookProps) {
  const remove = useChange('deleteWebhook', {
    changes: ['listWebhooks'],
    onSuccess: () => toast(t('The webhook is removed.')),
  })
  return (
    <TypedConfirmation
      title={t('Remove the webhook')}
      word="remove"
      action={t('Remove the webhook')}
      isOpen
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p>{rich('Whatever {url} was still to be told is dropped.', { url: <code>{url}</code> })}</p>
    </TypedConfirmation>
  )
}
