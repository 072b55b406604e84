import { useState } from 'react'

import type { WebhookDelivery } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { hidden } from '../language/hidden-text.tsx'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { DeliveryDetails } from './delivery-details.tsx'
import { eventLabel, eventOptions } from './events.ts'

const refreshMs = 5_000

/** What one webhook was told lately, and what came back. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const [onlyFailed, setOnlyFailed] = useState(false)
  const [event, setEvent] = useState('')
  const deliveries = useOperation(
    'listWebhookDeliveries',
    {
      id: webhookId,
      limit: 50,
      ...(onlyFailed && { state: 'failed' }),
      ...(event !== '' && { event }),
    },
    { refetchEveryMs: refreshMs, keepsPrevious: true },
  )
  const [shown, setShown] = useState<WebhookDelivery>()
  const isNarrowed = onlyFailed || event !== ''
  return (
    <div className="card-more stack">
      <Filters onlyFailed={onlyFailed} event={event} onFailed={setOnlyFailed} onEvent={setEvent} />
      <QueryResult query={deliveries} label={t('The deliveries are loading')}>
        {({ Deliveries: all }) =>
          all.length === 0 ? (
            <p className="fine-print" role="status">
              {isNarrowed
                ? t('No results')
                : t('Nothing was sent yet. Send a test, or change something.')}
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

interface FiltersProps {
  readonly onlyFailed: boolean
  /** Empty for all. */
  readonly event: string
  readonly onFailed: (onlyFailed: boolean) => void
  readonly onEvent: (event: string) => void
}

const Filters = ({ onlyFailed, event, onFailed, onEvent }: FiltersProps) => (
  <div className="row">
    <Segments
      label={t('Show')}
      value={onlyFailed ? 'failed' : 'all'}
      options={[
        { value: 'all', label: t('All') },
        { value: 'failed', label: t('Failed') },
      ]}
      onChange={(value) => onFailed(value === 'failed')}
    />
    <SelectField
      label={t('Event')}
      value={event}
      options={[
        { value: '', label: t('All events') },
        ...eventOptions,
        { value: 'webhook.test', label: t('Test') },
      ]}
      onChange={({ target }) => onEvent(target.value)}
    />
  </div>
)

const columnsWith = (
  onShow: (delivery: WebhookDelivery) => void,
): readonly Column<WebhookDelivery>[] => [
  { title: t('Event'), width: 'minmax(8rem, 1.5fr)', cell: ({ event }) => eventLabel(event) },
  { title: t('State'), width: '8rem', cell: (delivery) => <DeliveryState {...delivery} /> },
  {
    title: t('Answer'),
    width: 'minmax(5rem, 1fr)',
    isOptional: true,
    cell: ({ status, error }) => status ?? error ?? '',
  },
  {
    title: t('When'),
    width: '9rem',
    isOptional: true,
    cell: ({ createdAt }) => <Moment time={createdAt} />,
  },
  {
    title: t('Details'),
    width: '6rem',
    cell: (delivery) => (
      <Button kind="quiet" onClick={() => onShow(delivery)}>
        {rich('Show <hidden>{id}</hidden>', { id: delivery.id, hidden })}
      </Button>
    ),
  },
]

function DeliveryState({ state, test, attemptCount }: WebhookDelivery) {
  if (state === 'delivered') return <Badge kind="good">{t('delivered')}</Badge>
  if (state === 'dead') return <Badge kind="bad">{test ? t('failed') : t('given up')}</Badge>
  return attemptCount === 0 ? (
    <Badge kind="busy">{t('waiting')}</Badge>
  ) : (
    <Badge kind="warning">{t('trying again')}</Badge>
  )
}
