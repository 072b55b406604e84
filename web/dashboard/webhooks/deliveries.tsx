import { useState } from 'react'

import type { WebhookDelivery } from '../../../src/client/types.ts'
import { useChange, useOperation } from '../api/queries.ts'
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
      <QueryResult query={deliveries} label="The deliveries are loading">
        {({ Deliveries: all }) =>
          all.length === 0 ? (
            <p className="fine-print">Nothing was sent yet. Send a test, or change something.</p>
          ) : (
            <DataTable
              label="Deliveries"
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
  { title: 'Event', width: 'minmax(8rem, 1.5fr)', cell: ({ event }) => event },
  { title: 'State', width: '8rem', cell: (delivery) => <DeliveryState {...delivery} /> },
  {
    title: 'Answer',
    width: 'minmax(5rem, 1fr)',
    isOptional: true,
    cell: ({ status, error }) => status ?? error ?? '',
  },
  { title: 'When', width: '9rem', cell: ({ createdAt }) => <Moment time={createdAt} /> },
  {
    title: 'Details',
    width: '6rem',
    cell: (delivery) => (
      <Button kind="quiet" onClick={() => onShow(delivery)}>
        Show<span className="hidden-text"> {delivery.id}</span>
      </Button>
    ),
  },
]

const kinds = { delivered: 'good', pending: 'busy', dead: 'bad' } as const
const words = { delivered: 'delivered', pending: 'waiting', dead: 'given up' } as const

const DeliveryState = ({ state, event }: Pick<WebhookDelivery, 'state' | 'event'>) => (
  <Badge kind={event === 'test' && state === 'dead' ? 'plain' : kinds[state]}>
    {event === 'test' && state === 'dead' ? 'sent once' : words[state]}
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
      toast('It is sent again, under its old id.')
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
          isBusy={again.isPending}
          onClick={() =>
            again.mutate(
              { id: webhookId, deliveryId: id },
              { onError: (error) => toastFailure(error) },
            )
          }
        >
          Send again
        </Button>
      }
    >
      <div className="stack">
        <dl className="facts">
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
          {nextAttemptAt !== null && (
            <>
              <dt>Next try</dt>
              <dd>{humanTime(nextAttemptAt)}</dd>
            </>
          )}
        </dl>
        <h3>Sent</h3>
        <code className="code-block">{request.body}</code>
        <Attempts attempts={attempts} />
      </div>
    </Dialog>
  )
}

const Attempts = ({ attempts }: Pick<WebhookDelivery, 'attempts'>) => (
  <>
    <h3>Tries</h3>
    {attempts.length === 0 && <p className="fine-print">None yet.</p>}
    <ol className="entries">
      {attempts.map(({ timestamp, status, error, durationMs, response }) => (
        <li key={timestamp}>
          <div>
            <p>
              {status ?? error ?? 'No answer'} in {durationMs} ms
            </p>
            <p className="fine-print">{humanTime(timestamp)}</p>
            {response !== '' && <code className="code-block">{response}</code>}
          </div>
        </li>
      ))}
    </ol>
  </>
)
