import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
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
        <dt>Told of</dt>
        <dd>{webhook.events.join(', ')}</dd>
        <dt>Zones</dt>
        <dd>{webhook.zones?.join(', ') ?? 'all'}</dd>
        <dt>Secret</dt>
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
          Deliveries
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

const reasons = { gone: 'the receiver said it is gone', failing: 'it failed for too long' } as const

function State({ webhook: { active, switchedOff, failingSince } }: { readonly webhook: Webhook }) {
  if (switchedOff !== null) return <Badge kind="bad">off: {reasons[switchedOff]}</Badge>
  if (!active) return <Badge kind="warning">off</Badge>
  return failingSince === null ? <Badge kind="good">on</Badge> : <Badge kind="bad">failing</Badge>
}

function SendTest({ id, onSent }: { readonly id: string; readonly onSent: () => void }) {
  const test = useChange('testWebhook', {
    changes: ['listWebhookDeliveries'],
    onSuccess: ({ delivered, status, error }) => {
      onSent()
      if (delivered) toast(`The receiver took it with ${status ?? 'an answer'}.`)
      else toastFailure(new Error(`The receiver did not take it: ${error ?? `status ${status}`}`))
    },
  })
  return (
    <Button
      isBusy={test.isPending}
      onClick={() => test.mutate({ id }, { onError: (error) => toastFailure(error) })}
    >
      Send a test
    </Button>
  )
}

function Switch({ webhook: { id, active } }: { readonly webhook: Webhook }) {
  const change = useChange('updateWebhook', { changes: ['listWebhooks'] })
  return (
    <Button
      icon={active ? 'pause' : 'play'}
      isBusy={change.isPending}
      onClick={() =>
        change.mutate(
          { id, body: { active: !active } },
          { onError: (error) => toastFailure(error) },
        )
      }
    >
      {active ? 'Switch off' : 'Switch on'}
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
      icon="key"
      isBusy={rotate.isPending}
      onClick={() =>
        rotate.mutate(
          { id, body: { rotateSecret: true } },
          { onError: (error) => toastFailure(error) },
        )
      }
    >
      New secret
    </Button>
  )
}

function RemoveWebhook({ webhook: { id, url } }: { readonly webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false)
  const remove = useChange('deleteWebhook', {
    changes: ['listWebhooks'],
    onSuccess: () => toast('The webhook is removed.'),
  })
  return (
    <>
      <Button icon="trash" onClick={() => setOpen(true)}>
        Remove
      </Button>
      <TypedConfirmation
        title="Remove the webhook"
        word="remove"
        action="Remove the webhook"
        isOpen={isOpen}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id })}
        onClose={() => setOpen(false)}
      >
        <p>
          Whatever <code>{url}</code> was still to be told is dropped.
        </p>
      </TypedConfirmation>
    </>
  )
}
