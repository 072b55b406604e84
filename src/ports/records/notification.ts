/** What notifications are of. Part of the public contract: add, never rename. */
export const notificationKinds = [
  'service',
  'disk',
  'quota',
  'errors',
  'webhook',
  'domain',
  'certificate',
  'mirror',
  'edge',
  'backup',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

export const severities = ['warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/** Something that is wrong at this moment. */
export interface Condition {
  readonly kind: NotificationKind
  /** Which of its kind: a host name, the id of a webhook, a zone; empty where there is only one. */
  readonly about: string
  /** What people call it. */
  readonly name: string
  /** The tenant whose business it is; everybody's where `undefined`. */
  readonly zone: string | undefined
  readonly severity: Severity
  /** What is wrong, in a sentence or two, in English. */
  readonly detail: string
}

/** A condition from its begin to its end. */
export interface NotificationRecord extends Condition {
  readonly id: string
  /** Grows with each that begins; one that begins again gets a new one. */
  readonly number: number
  readonly beganAt: Date
  /** `undefined` while it lasts. */
  readonly endedAt: Date | undefined
  /** When others were last told that it began; `undefined` where they were not. */
  readonly announcedAt: Date | undefined
  /** How often it began. */
  readonly times: number
}

export const notificationEvents = ['notification.raised', 'notification.resolved'] as const
export type NotificationEvent = (typeof notificationEvents)[number]

/** What others are told of a notification. */
export interface Notice {
  readonly event: NotificationEvent
  readonly at: Date
  readonly notification: Omit<NotificationRecord, 'number'>
}

/** Longer texts of a condition are cut. */
export const maxDetailCharacters = 500
export const maxNameCharacters = 255
