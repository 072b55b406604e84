import type {
  NotificationCounts,
  NotificationQuery,
  NotificationStore,
  ReadNotification,
} from '../../ports/notifications/notification-store.ts'
import type { Actor } from '../access/actor.ts'

type Reader = Pick<Actor, 'credentialId' | 'personId' | 'zones'>

export interface NotificationPage {
  readonly notifications: readonly ReadNotification[]
  readonly counts: NotificationCounts
  /** The `before` of the next page; `undefined` on the last. */
  readonly next: number | undefined
}

/** What whoever asks sees of notifications: a narrowed actor, what is of its zones alone. */
export interface Notifications {
  list(
    query: Pick<NotificationQuery, 'limit' | 'isOpen' | 'before'>,
    reader: Reader,
  ): Promise<NotificationPage>
  /** Marks them as read for whoever asks; all there are without ids. Answers what is left. */
  markRead(ids: readonly string[] | undefined, reader: Reader): Promise<NotificationCounts>
}

export function createNotifications(
  store: Pick<NotificationStore, 'list' | 'count' | 'markRead'>,
): Notifications {
  return {
    async list({ limit, isOpen, before }, reader) {
      const scope = scopeOf(reader)
      const found = await store.list({ ...scope, limit: limit + 1, isOpen, before })
      const notifications = found.slice(0, limit)
      return {
        notifications,
        counts: await store.count(scope),
        next: found.length > limit ? notifications.at(-1)?.number : undefined,
      }
    },
    async markRead(ids, reader) {
      const scope = scopeOf(reader)
      await store.markRead(scope.reader, ids)
      return await store.count(scope)
    },
  }
}

/** A person reads once, on whatever device; others as their credential. */
const scopeOf = ({ personId, credentialId, zones }: Reader) => ({
  reader: personId === undefined ? credentialId : `person:${personId}`,
  zones,
})
