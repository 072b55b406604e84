import { useState } from 'react'

import type { WebhookDelivery } from '../../../src/client/types.ts'
import { useChange, useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { humanTime } from '../parts/format.ts'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'

const refreshMs = 5_000

/** What one webhook was told lately, and what came back. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const deliveries = useOperation(
    'listWebhookDeliveries',
    { id: webhookId, limit: 50 },
    { refetchEveryMs: refreshMs },
  )
  const [shown, setShown] = useState<WebhookDelivery>()
  return (
    <div className="card-more">
      <QueryResult query={deliveries} label={t('The deliveries are loading')}>
        {({ Deliveries: all }) =>
          all.length === 0 ? (
            <p className="fine-print">
              {t('Nothing was sent yet. Send a test, or change something.')}
            </p>
          ) : (
            <DataTable
              label={t('Deliveries')}
              columns={columnsWith(setShown)}
              rows={all}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryResult>
      {shown && (
        <DeliveryDetails
          webhookId={webhookId}
          delivery={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  )
}

const columnsWith = (
  onShow: (delivery: WebhookDelivery) => void,
): readonly Column<WebhookDelivery>[] => [
  { title: t('Event'), width: 'minmax(8rem, 1.5fr)', cell: ({ event }) => event },
  { title: t('State'), width: '8rem', cell: (delivery) => <DeliveryState {...delivery} /> },
  {
    title: t('Answer'),
    width: 'minmax(5rem, 1fr)',
    isOptional: true,
    cell: ({ status, error }) => status ?? error ?? '',
  },
  { title: t('When'), width: '9rem', cell: ({ createdAt }) => <Moment time={createdAt} /> },
  {
    title: t('Details'),
    width: '6rem',
    cell: (delivery) => (
      <Button kind="quiet" onClick={() => onShow(delivery)}>
        {rich('Show{id}', { id: <span className="hidden-text"> {delivery.id}</span> })}
      </Button>
    ),
  },
]

const kinds = { delivered: 'good', pending: 'busy', dead: 'bad' } as const
const words = { delivered: 'delivered', pending: 'waiting', dead: t('given up') } as const

const DeliveryState = ({ state, event }: Pick<WebhookDelivery, 'state' | 'event'>) => (
  <Badge kind={event === 'test' && state === 'dead' ? 'plain' : kinds[state]}>
    {event === 'test' && state === 'dead' ? t('sent once') : words[state]}
  </Badge>
)

interface DetailsProps {
  readonly webhookId: string
  readonly delivery: WebhookDelivery
  readonly onClose: () => void
}

function DeliveryDetails({ webhookId, delivery, onClose }: DetailsProps) {
  const { id, event, attempts, request, nextAttemptAt } = delivery
  const again = useChange('redeliverWebhook', {
    changes: ['listWebhookDeliveries'],
    onSuccess: () => {
      toast(t('It is sent again, under its old id.'))
      onClose()
    },
  })
  return (
    <Dialog
      title={event}
      shape="side"
      isOpen
      onClose={onClose}
      actions={
        <Button
          icon="retry"
          needs={{ scope: 'webhooks:write' }}
          isBusy={again.isPending}
          onClick={() =>
            again.mutate(
              { id: webhookId, deliveryId: id },
              { onError: (error) => toastFailure(error) },
            )
          }
        >
          {t('Send again')}
        </Button>
      }
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
        <h3>{t('Sent')}</h3>
        <code className="code-block">{request.body}</code>
        <Attempts attempts={attempts} />
      </div>
    </Dialog>
  )
}

const Attempts = ({ attempts }: Pick<WebhookDelivery, 'attempts'>) => (
  <>
    <h3>{t('Tries')}</h3>
    {attempts.length === 0 && <p className="fine-print">{t('None yet.')}</p>}
    <ol className="entries">
      {attempts.map(({ timestamp, status, error, durationMs, response }) => (
        <li key={timestamp}>
          <div>
            <p>
              {status ?? error ?? t('No answer')} {t('in {durationMs} ms', { durationMs })}
            </p>
            <p className="fine-print">{humanTime(timestamp)}</p>
            {response !== '' && <code className="code-block">{response}</code>}
          </div>
        </li>
      ))}
    </ol>
  </>
)
