import type { Notice, NotificationRecord } from '../records/notification.ts'

/** A record before the store numbers it. */
export interface NewNotification extends Omit<NotificationRecord, 'number'> {
  /** Absent for one that begins, or begins again: it gets the next. */
  readonly number?: number
}

/** What others are told of records that are saved together. */
export interface Announced {
  /** For webhooks that hear of them. `data` is ready for JSON. */
  readonly webhooks: readonly {
    readonly notice: Notice
    readonly data: Readonly<Record<string, unknown>>
  }[]
  /** For e-mail. */
  readonly mails: readonly Notice[]
}

export interface NotificationScope {
  /** Everybody's too where `undefined`; otherwise what is these tenants' alone. */
  readonly zones: ReadonlySet<string> | undefined
  /** Whose marks count. */
  readonly reader: string
}

export interface NotificationQuery extends NotificationScope {
  readonly limit: number
  readonly isOpen?: boolean | undefined
  /** Only smaller numbers. */
  readonly before?: number | undefined
}

export interface ReadNotification extends NotificationRecord {
  readonly isRead: boolean
}

export interface NotificationCounts {
  readonly open: number
  readonly critical: number
  /** Open, and not read by the reader. */
  readonly unread: number
}

/** An e-mail that is still to be sent. */
export interface PendingMail {
  readonly number: number
  readonly notice: Notice
}

/** Notifications, what readers have read, and what is still to be mailed. */
export interface NotificationStore {
  /** Those that last, and those that ended after `time`, by number. */
  current(time: Date): Promise<readonly NotificationRecord[]>
  /** Writes records and what others are told of them, all or none, durably. Of mails the newest {@link maxMails} stay. */
  save(records: readonly NewNotification[], announced: Announced): Promise<void>
  /** Newest first. */
  list(query: NotificationQuery): Promise<readonly ReadNotification[]>
  count(scope: NotificationScope): Promise<NotificationCounts>
  /** Marks those of the ids that there are; every one there is up to now where `undefined`. */
  markRead(reader: string, ids: readonly string[] | undefined): Promise<void>
  /** Oldest first. */
  mails(limit: number): Promise<readonly PendingMail[]>
  removeMails(numbers: readonly number[]): Promise<void>
  /** Forgets what ended before, and of what ended all but the newest `kept`, with the marks on it. */
  forget(before: Date, kept: number): Promise<void>
}

export const maxMails = 500
