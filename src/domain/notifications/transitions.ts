import type { NewNotification } from '../../ports/notifications/notification-store.ts'
import {
  type Condition,
  maxDetailCharacters,
  maxNameCharacters,
  type Notice,
  type NotificationEvent,
  type NotificationKind,
  type NotificationRecord,
} from '../../ports/records/notification.ts'

/** What begins again so soon after its end is the same notification. */
export const sameWithinMs = 3_600_000
/** What lasts is told again after so long. */
const remindAfterMs = 86_400_000
/** So many of one kind are kept apart. */
const maxPerKind = 50

export interface Transitions {
  readonly records: readonly NewNotification[]
  readonly notices: readonly Notice[]
}

interface Found {
  /** Kinds that were looked at: what is not among `conditions` has ended. */
  readonly kinds: ReadonlySet<NotificationKind>
  readonly conditions: readonly Condition[]
  readonly at: Date
  readonly newId: () => string
}

/**
 * What becomes of the notifications there are when these conditions are found. Each is told once; again where it
 * got worse, where it has lasted for another day, or where it began again an hour or more after it was told.
 */
export function transitionsOf(
  current: readonly NotificationRecord[],
  { kinds, conditions, at, newId }: Found,
): Transitions {
  const known = new Map(current.map((record) => [keyOf(record), record]))
  const found = new Map(bounded(conditions).map((condition) => [keyOf(condition), condition]))
  const begun = [...found].flatMap(
    ([key, condition]) => stepOf(known.get(key), { condition, at, newId }) ?? [],
  )
  const ended = current
    .filter((each) => each.endedAt === undefined && kinds.has(each.kind) && !found.has(keyOf(each)))
    .map((record) => endOf(record, at))
  const all = [...begun, ...ended]
  return {
    records: all.map(({ record }) => record),
    notices: all.flatMap(({ record, event }) =>
      event === undefined ? [] : [{ event, at, notification: record }],
    ),
  }
}

interface Step {
  readonly record: NewNotification
  /** What others are told, if anything. */
  readonly event: NotificationEvent | undefined
}

/** `undefined` where nothing changes. */
function stepOf(
  known: NotificationRecord | undefined,
  { condition, at, newId }: { condition: Condition; at: Date; newId: () => string },
): Step | undefined {
  if (known === undefined)
    return raised({ ...condition, id: newId(), times: 1, beganAt: at, endedAt: undefined }, at)
  const { number, ...former } = known
  if (known.endedAt !== undefined) {
    const again = {
      ...former,
      ...condition,
      endedAt: undefined,
      beganAt: at,
      times: known.times + 1,
    }
    return isQuiet(known, at, sameWithinMs)
      ? { record: again, event: undefined }
      : raised(again, at)
  }
  const record = { ...former, ...condition, number }
  const isWorse = known.severity === 'warning' && condition.severity === 'critical'
  // Worse is new: who has read of it has not read this.
  if (isWorse) return raised({ ...former, ...condition }, at)
  if (!isQuiet(known, at, remindAfterMs)) return raised(record, at)
  const isChanged =
    known.detail !== condition.detail ||
    known.severity !== condition.severity ||
    known.name !== condition.name
  return isChanged ? { record, event: undefined } : undefined
}

const isQuiet = ({ announcedAt }: NotificationRecord, at: Date, ms: number): boolean =>
  announcedAt !== undefined && at.getTime() - announcedAt.getTime() < ms

const raised = (record: Omit<NewNotification, 'announcedAt'>, at: Date): Step => ({
  record: { ...record, announcedAt: at },
  event: 'notification.raised',
})

/** Whoever was told of its begin is told of its end. */
function endOf(record: NotificationRecord, at: Date): Step {
  const wasAnnounced = record.announcedAt !== undefined && record.announcedAt >= record.beganAt
  return {
    record: { ...record, endedAt: at },
    event: wasAnnounced ? 'notification.resolved' : undefined,
  }
}

const keyOf = ({ kind, about }: Pick<Condition, 'kind' | 'about'>): string => `${kind} ${about}`

/** The worst of each kind, their texts cut. */
function bounded(conditions: readonly Condition[]): readonly Condition[] {
  const byKind = Map.groupBy(conditions, ({ kind }) => kind)
  return [...byKind.values()].flatMap((group) =>
    group
      .toSorted((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'))
      .slice(0, maxPerKind)
      .map((condition) => ({
        ...condition,
        about: condition.about.slice(0, maxNameCharacters),
        name: condition.name.slice(0, maxNameCharacters),
        detail: condition.detail.slice(0, maxDetailCharacters),
      })),
  )
}
