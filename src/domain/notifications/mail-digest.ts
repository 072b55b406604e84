import type { Mail } from '../../ports/notifications/mailer.ts'
import type { PendingMail } from '../../ports/notifications/notification-store.ts'
import type { Notice } from '../../ports/records/notification.ts'
import { pageOf } from './notice-data.ts'

const maxSubjectCharacters = 150

/** One message of all notices; the more urgent first. There must be one. */
export function mailOf(pending: readonly PendingMail[], baseUrl: string | undefined): Mail {
  const notices = pending
    .map(({ notice }) => notice)
    .toSorted((a, b) => urgencyOf(b) - urgencyOf(a))
  const [first] = notices
  if (first === undefined) throw new Error('There is nothing to mail')
  const more = notices.length === 1 ? '' : ` and ${notices.length - 1} more`
  const subject = `[Sedge] ${titleOf(first)}`.slice(0, maxSubjectCharacters - more.length) + more
  return {
    subject: oneLine(subject),
    text: notices.map((notice) => paragraphOf(notice, baseUrl)).join('\n\n') + '\n',
    id: `${pending[0]?.number ?? 0}-${first.notification.id}-${first.at.getTime()}`,
  }
}

const urgencyOf = ({ event, notification }: Notice): number =>
  event === 'notification.resolved' ? 0 : notification.severity === 'critical' ? 2 : 1

const words: Readonly<Record<Notice['notification']['kind'], string>> = {
  service: 'Part of the service',
  disk: 'Disk',
  quota: 'Limit',
  errors: 'Error rate',
  webhook: 'Webhook',
  domain: 'Domain',
  certificate: 'Certificate',
  mirror: 'Mirror',
  edge: 'Edge',
  backup: 'Backup',
}

function titleOf({ event, notification: { kind, name, severity } }: Notice): string {
  const state = event === 'notification.resolved' ? 'resolved' : severity
  return `${words[kind]}${name === '' ? '' : ` ${name}`}: ${state}`
}

function paragraphOf(notice: Notice, baseUrl: string | undefined): string {
  const { at, event, notification } = notice
  const { beganAt, detail } = notification
  const isOver = event === 'notification.resolved'
  return [
    titleOf(notice),
    oneLine(detail),
    isOver
      ? `From ${beganAt.toISOString()} to ${at.toISOString()}`
      : `Since ${beganAt.toISOString()}`,
    ...(baseUrl === undefined ? [] : [`${baseUrl}${pageOf(notification)}`]),
  ].join('\n')
}

/** Nothing of it can begin another line, nor another header. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
