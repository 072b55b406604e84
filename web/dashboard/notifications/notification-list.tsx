import { useChange } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { humanTime } from '../parts/format.ts'
import { Button } from '../parts/forms/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { toastFailure } from '../parts/feedback/toasts.tsx'
import { Link } from '../router.tsx'
import { type Notification, titleOf } from './notification-texts.ts'

interface NotificationListProps {
  readonly notifications: readonly Notification[]
}

export const NotificationList = ({ notifications }: NotificationListProps) => (
  <ul className="notifications">
    {notifications.map((each) => (
      <Entry key={each.Id} notification={each} />
    ))}
  </ul>
)

function Entry({ notification }: { readonly notification: Notification }) {
  const { Id, Severity, Detail, DateBegan, DateEnded, Times, IsRead } = notification
  const read = useChange('readNotifications', { changes: ['listNotifications'] })
  const isOver = DateEnded !== null
  return (
    <li className="notification" data-severity={isOver ? 'over' : Severity} data-read={IsRead}>
      <Icon name={isOver ? 'check' : 'alert'} />
      <div className="notification-text">
        <h2>
          {titleOf(notification)} <State severity={Severity} isOver={isOver} />
        </h2>
        <p>{Detail}</p>
        <p className="fine-print">
          <Moment time={DateBegan} />
          {DateEnded !== null && <> · {t('ended {time}', { time: humanTime(DateEnded) })}</>}
          {Times > 1 && <> · {plural(Times, { one: 'once', other: 'began {count} times' })}</>}
        </p>
      </div>
      <div className="row">
        <LookAt notification={notification} />
        {!IsRead && !isOver && (
          <Button
            kind="quiet"
            icon="check"
            isBusy={read.isPending}
            onClick={() =>
              read.mutate({ body: { Ids: [Id] } }, { onError: (error) => toastFailure(error) })
            }
          >
            {t('Mark as read')}
            <span className="hidden-text"> {titleOf(notification)}</span>
          </Button>
        )}
      </div>
    </li>
  )
}

interface StateProps {
  readonly severity: Notification['Severity']
  readonly isOver: boolean
}

function State({ severity, isOver }: StateProps) {
  if (isOver) return <Badge kind="good">{t('Resolved')}</Badge>
  return severity === 'critical' ? (
    <Badge kind="bad">{t('Urgent')}</Badge>
  ) : (
    <Badge kind="warning">{t('Warning')}</Badge>
  )
}

/** Where something can be done about it. */
function LookAt({ notification }: { readonly notification: Notification }) {
  const { Kind, Zone } = notification
  const text = (
    <>
      {t('Look at it')}
      <span className="hidden-text"> {titleOf(notification)}</span>
    </>
  )
  if (Kind === 'webhook')
    return (
      <Link page="webhooks" className="button">
        {text}
      </Link>
    )
  if (Kind === 'domain' || Kind === 'certificate')
    return (
      <Link page="domains" search={Zone === null ? {} : { zone: Zone }} className="button">
        {text}
      </Link>
    )
  if (Kind === 'errors')
    return (
      <Link page="insights" search={{ metric: 'status', period: '1h' }} className="button">
        {text}
      </Link>
    )
  return (
    <Link page="health" className="button">
      {text}
    </Link>
  )
}
