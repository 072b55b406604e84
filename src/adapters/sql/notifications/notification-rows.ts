import type {
  Notice,
  NotificationKind,
  NotificationRecord,
  Severity,
} from '../../../ports/records/notification.ts'

export interface NotificationTables {
  readonly notifications: NotificationTable
  readonly notification_reads: NotificationReadTable
  readonly notification_mails: NotificationMailTable
}

interface NotificationTable {
  readonly id: string
  readonly number: number
  readonly kind: NotificationKind
  readonly about: string
  readonly name: string
  readonly zone: string | null
  readonly severity: Severity
  readonly detail: string
  readonly began_at: number
  readonly ended_at: number | null
  readonly announced_at: number | null
  readonly times: number
}

/** Of a reader and a notification; with an empty id, of everything up to the number. */
interface NotificationReadTable {
  readonly reader: string
  readonly notification_id: string
  readonly number: number
}

interface NotificationMailTable {
  readonly number: number
  /** JSON. */
  readonly notice: string
}

export const notificationRowOf = (record: NotificationRecord): NotificationTable => ({
  id: record.id,
  number: record.number,
  kind: record.kind,
  about: record.about,
  name: record.name,
  zone: record.zone ?? null,
  severity: record.severity,
  detail: record.detail,
  began_at: record.beganAt.getTime(),
  ended_at: record.endedAt?.getTime() ?? null,
  announced_at: record.announcedAt?.getTime() ?? null,
  times: record.times,
})

export const notificationOf = (row: NotificationTable): NotificationRecord => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  about: row.about,
  name: row.name,
  zone: row.zone ?? undefined,
  severity: row.severity,
  detail: row.detail,
  beganAt: new Date(row.began_at),
  endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
  announcedAt: row.announced_at === null ? undefined : new Date(row.announced_at),
  times: row.times,
})

type NoticeText = Pick<Notice, 'event'> & {
  readonly at: number
  readonly notification: Omit<NotificationTable, 'number'>
}

export const noticeText = ({ event, at, notification }: Notice): string => {
  const row = notificationRowOf({ ...notification, number: 0 })
  return JSON.stringify({ event, at: at.getTime(), notification: row })
}

export function noticeOf(text: string): Notice {
  const { event, at, notification } = JSON.parse(text) as NoticeText
  return { event, at: new Date(at), notification: notificationOf({ ...notification, number: 0 }) }
}
