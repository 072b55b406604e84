import type { Log } from '../../lib/log.ts'
import type { NotificationStore } from '../../ports/notifications/notification-store.ts'
import type { Condition, Notice, NotificationKind } from '../../ports/records/notification.ts'
import { noticeData } from './notice-data.ts'
import { sameWithinMs, transitionsOf } from './transitions.ts'
import type { Watch } from './watch.ts'

/** Finds what is wrong, keeps it, and has others told. */
export interface Notifier {
  /** Looks at everything once. Never rejects; who asks meanwhile waits for the same look. */
  look(): Promise<void>
}

interface Dependencies {
  readonly watches: readonly Watch[]
  readonly store: Pick<NotificationStore, 'current' | 'save' | 'forget'>
  /** Which kinds go to webhooks, and which by e-mail; none where there is nobody to mail. */
  readonly webhookKinds: ReadonlySet<NotificationKind>
  readonly mailKinds: ReadonlySet<NotificationKind>
  /** Where the dashboard is, for links. */
  readonly baseUrl: string | undefined
  /** Called once what others are told of is durable. */
  readonly onNotices: (notices: readonly Notice[]) => void
  readonly now: () => Date
  readonly newId: () => string
  readonly log: Pick<Log, 'warn'>
}

/** What has not looked by then has found nothing out. */
const lookWithinMs = 15_000
const keptMs = 90 * 86_400_000
const keptCount = 500

export function createNotifier(deps: Dependencies): Notifier {
  const { watches, store, now, newId, log, onNotices, baseUrl } = deps
  let running: Promise<void> | undefined

  async function lookAtAll(): Promise<void> {
    const found = await Promise.all(watches.map((watch) => lookAt(watch, log)))
    const at = now()
    const current = await store.current(new Date(at.getTime() - sameWithinMs))
    const { records, notices } = transitionsOf(current, {
      kinds: new Set(found.flatMap(({ kinds }) => kinds)),
      conditions: found.flatMap(({ conditions }) => conditions),
      at,
      newId,
    })
    if (records.length > 0) {
      const webhooks = notices
        .filter(({ notification }) => deps.webhookKinds.has(notification.kind))
        .map((notice) => ({ notice, data: noticeData(notice, baseUrl) }))
      const mails = notices.filter(({ notification }) => deps.mailKinds.has(notification.kind))
      await store.save(records, { webhooks, mails })
      onNotices(notices)
    }
    await store.forget(new Date(at.getTime() - keptMs), keptCount)
  }

  return {
    look() {
      running ??= lookAtAll()
        .catch((error: unknown) => log.warn('notifications cannot be kept', { error }))
        .finally(() => {
          running = undefined
        })
      return running
    },
  }
}

interface Look {
  readonly kinds: readonly NotificationKind[]
  readonly conditions: readonly Condition[]
}

const nothing: Look = { kinds: [], conditions: [] }

async function lookAt({ kinds, look }: Watch, log: Pick<Log, 'warn'>): Promise<Look> {
  const deadline = Promise.withResolvers<Look>()
  const timer = setTimeout(() => deadline.resolve(nothing), lookWithinMs)
  const looked = look().then((conditions): Look => ({ kinds, conditions }))
  try {
    return await Promise.race([looked, deadline.promise])
  } catch (error) {
    log.warn('what may be wrong could not be looked at', { kinds, error })
    return nothing
  } finally {
    clearTimeout(timer)
  }
}
