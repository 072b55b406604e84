import { useOperation } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { useOwnScopes } from '../parts/use-self.ts'
import { Link } from '../router.tsx'

const refetchEveryMs = 20_000

/** How much is wrong that whoever looks has not read of; leads to all of it. */
export function Bell() {
  const scopes = useOwnScopes()
  const isOpen = scopes?.has('health:read') !== false
  const { data } = useOperation(
    'listNotifications',
    { state: 'open', limit: 1 },
    { isEnabled: isOpen, refetchEveryMs },
  )
  if (!isOpen) return null
  const unread = data?.Unread ?? 0
  return (
    <Link
      page="notifications"
      className="bell"
      data-urgent={(data?.Critical ?? 0) > 0}
      aria-label={
        unread === 0
          ? t('Notifications')
          : plural(unread, {
              one: 'Notifications, {count} unread',
              other: 'Notifications, {count} unread',
            })
      }
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span className="bell-count" aria-hidden="true">
          {unread > 99 ? t('99+') : humanNumber(unread)}
        </span>
      )}
    </Link>
  )
}
