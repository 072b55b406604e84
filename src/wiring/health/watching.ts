import { type Endpoint, endpoints } from '../../http/operation.ts'
import { getHealthParts } from '../../planes/core/watched/health-parts.ts'
import { notificationOperations } from '../../planes/core/watched/notifications.ts'
import type { Backups } from '../../domain/backups/backups.ts'
import type { ReadBackupStatus } from '../../ports/notifications/backup-status.ts'
import { type WatchedParts, openNotifications } from './notifications.ts'
import type { World } from '../world.ts'
import { openHealthParts, type PartsOfService } from './health-parts.ts'

export interface Watching {
  readonly endpoints: readonly Endpoint[]
}

interface Opened
  extends Omit<WatchedParts, 'readBackups'>, Omit<PartsOfService, 'notifying' | 'readBackups'> {
  readonly backups: Pick<Backups, 'state'>
}

/** Looks for what is wrong, tells those who are to know, and says how each part is. */
export function openWatching(world: World, opened: Opened): Watching {
  const watched = { ...opened, readBackups: statusOf(opened.backups) }
  const notifying = openNotifications(world, watched)
  const { now } = world
  return {
    endpoints: [
      ...endpoints(notificationOperations, { ...notifying, now }),
      getHealthParts.endpoint(openHealthParts(world, { ...watched, notifying })),
    ],
  }
}

const statusOf =
  (backups: Pick<Backups, 'state'>): ReadBackupStatus =>
  async () => {
    const { isEnabled, lastEnded, newestAt, isOverdue } = backups.state()
    if (!isEnabled) return undefined
    const failure =
      lastEnded?.error === undefined
        ? undefined
        : { at: lastEnded.endedAt, reason: lastEnded.error }
    return { newestAt, failure, isOverdue }
  }
