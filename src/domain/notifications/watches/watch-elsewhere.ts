import type { BackupStatus, ReadBackupStatus } from '../../../ports/notifications/backup-status.ts'
import type { Condition } from '../../../ports/records/notification.ts'
import { conditionOf, type Watch } from '../watch.ts'

/** How the mirror stands. */
export interface MirrorStanding {
  readonly isRefused: boolean
  readonly failures: number
  readonly pendingCommits: number
  readonly error: string | undefined
  /** What it lacks bytes of. */
  readonly lacks: string | undefined
}

/** Trouble on the way passes; one that lasts does not. */
const lastingFailures = 3

/** A repository elsewhere that is left behind. */
export function watchMirror(read: () => MirrorStanding): Watch {
  return {
    kinds: ['mirror'],
    async look() {
      const { isRefused, failures, error, lacks } = read()
      const left = isRefused || failures >= lastingFailures
      const found: Condition[] = []
      if (left)
        found.push(
          conditionOf({
            kind: 'mirror',
            severity: isRefused ? 'critical' : 'warning',
            detail: `Commits are not pushed to the mirror. ${error ?? ''}`.trimEnd(),
          }),
        )
      if (lacks !== undefined)
        found.push(
          conditionOf({
            kind: 'mirror',
            about: 'files',
            severity: 'warning',
            detail: `The mirror lacks ${lacks}`,
          }),
        )
      return found
    },
  }
}

export interface EdgeStanding {
  readonly name: string
  readonly isLive: boolean
  readonly lastSeenAt: Date
  /** Entries of the feed that it has not served yet. */
  readonly behind: number
}

const goneAfterMs = 120_000
/** So much less than everybody else it serves. */
const behindEntries = 500

/** Edges that are gone, or far behind. */
export function watchEdges(read: () => Promise<readonly EdgeStanding[]>, now: () => Date): Watch {
  return {
    kinds: ['edge'],
    async look() {
      const at = now().getTime()
      return (await read()).flatMap(({ name, isLive, lastSeenAt, behind }) => {
        const about = { kind: 'edge' as const, about: name, name }
        if (!isLive && at - lastSeenAt.getTime() >= goneAfterMs)
          return conditionOf({
            ...about,
            severity: 'critical',
            detail: `Nothing was heard of it since ${lastSeenAt.toISOString()}. After a week it is forgotten.`,
          })
        if (isLive && behind >= behindEntries)
          return conditionOf({
            ...about,
            detail: `It is ${behindEntries} changes or more behind what is published.`,
          })
        return []
      })
    },
  }
}

/** Backups that failed, or are too old. */
export function watchBackups(read: ReadBackupStatus): Watch {
  return {
    kinds: ['backup'],
    async look() {
      const status = await read()
      return status === undefined ? [] : backupConditions(status)
    },
  }
}

function backupConditions(status: BackupStatus): readonly Condition[] {
  const { newestAt, failure, isOverdue } = status
  const found: Condition[] = []
  if (failure !== undefined)
    found.push(
      conditionOf({
        kind: 'backup',
        about: 'failed',
        severity: 'critical',
        detail: `The last backup failed at ${failure.at.toISOString()}: ${failure.reason}`,
      }),
    )
  if (isOverdue)
    found.push(
      conditionOf({
        kind: 'backup',
        about: 'age',
        severity: 'warning',
        detail:
          newestAt === undefined
            ? 'There is no backup yet.'
            : `The newest backup is of ${newestAt.toISOString()}.`,
      }),
    )
  return found
}
