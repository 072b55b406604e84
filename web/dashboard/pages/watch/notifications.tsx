import { useState } from 'react'

import { useChange, useOperation, usePages } from '../../api/queries.ts'
import { plural, t } from '../../language/text.ts'
import { NotificationList } from '../../notifications/notification-list.tsx'
import { EmptyState } from '../../parts/feedback/empty-state.tsx'
import { QueryResult } from '../../parts/feedback/query-result.tsx'
import { toastFailure } from '../../parts/feedback/toasts.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Link } from '../../router.tsx'

type State = 'open' | 'ended'

const states = [
  { value: 'open', label: t('Open') },
  { value: 'ended', label: t('Resolved') },
] as const

const refetchEveryMs = 20_000

/** What is wrong, and what was. */
export function Page() {
  const [state, setState] = useState<State>('open')
  const counts = useOperation('listNotifications', { state: 'open', limit: 1 }, { refetchEveryMs })
  const unread = counts.data?.Unread ?? 0
  const read = useChange('readNotifications', { changes: ['listNotifications'] })
  return (
    <>
      <PageHeader
        title={t('Notifications')}
        lead={t('What the service finds wrong by itself. Each ends by itself when it is over.')}
      >
        <Link page="health" className="button">
          {t('Health of every part')}
        </Link>
        <Button
          icon="check"
          disabled={unread === 0}
          isBusy={read.isPending}
          onClick={() => read.mutate({ body: {} }, { onError: (error) => toastFailure(error) })}
        >
          {t('Mark all as read')}
        </Button>
      </PageHeader>
      <div className="toolbar">
        <Segments label={t('Which')} value={state} options={states} onChange={setState} />
        <p className="fine-print" role="status">
          {plural(counts.data?.Open ?? 0, { one: '{count} is open', other: '{count} are open' })}
        </p>
      </div>
      <List key={`${state} ${counts.data?.Open ?? 0} ${unread}`} state={state} />
    </>
  )
}

function List({ state }: { readonly state: State }) {
  const pages = usePages('listNotifications', { state, limit: 50 }, { cursor: 'before' })
  return (
    <QueryResult query={pages} label={t('The notifications are loading')}>
      {({ pages: all }) => {
        const notifications = all.flatMap(({ Notifications }) => Notifications)
        if (notifications.length === 0)
          return state === 'open' ? (
            <EmptyState icon="check" title={t('Nothing is wrong')}>
              <p>{t('The service looks every minute, and says here what it finds.')}</p>
            </EmptyState>
          ) : (
            <EmptyState icon="bell" title={t('Nothing was wrong so far')} />
          )
        return (
          <>
            <NotificationList notifications={notifications} />
            {pages.hasNextPage && (
              <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                {t('Show more')}
              </Button>
            )}
          </>
        )
      }}
    </QueryResult>
  )
}
