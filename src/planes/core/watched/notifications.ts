import { z } from 'zod'

import type { Notifications } from '../../../domain/notifications/notifications.ts'
import { pageOf } from '../../../domain/notifications/notice-data.ts'
import { type Access, type HandledOperation, operation } from '../../../http/operation.ts'
import { clampedInteger, rangedInteger } from '../../../http/request/query.ts'
import type {
  NotificationCounts,
  ReadNotification,
} from '../../../ports/notifications/notification-store.ts'
import { notificationKinds, severities } from '../../../ports/records/notification.ts'
import { actorOf } from '../../caller.ts'

export interface NotificationDependencies {
  readonly notifications: Notifications
  readonly now: () => Date
}

const access: Access = { keys: ['account'], scope: 'health:read', session: true }
const common = { plane: 'core', envelope: 'standard', access } as const

const notification = z.object({
  Id: z.string(),
  Kind: z.enum(notificationKinds),
  Severity: z.enum(severities),
  About: z
    .string()
    .describe('Which of its kind: a host name, the id of a webhook; empty where there is only one'),
  Name: z.string().describe('What people call it'),
  Zone: z.string().nullable().describe('null where it is everybody’s business'),
  Detail: z.string(),
  Page: z.string().describe('Where in the dashboard something can be done about it'),
  DateBegan: z.iso.datetime(),
  DateEnded: z.iso.datetime().nullable().describe('null while it lasts'),
  Times: z.int().describe('How often it began'),
  IsRead: z.boolean(),
})

const counts = {
  Open: z.int().describe('How many last'),
  Critical: z.int().describe('How many of those are urgent'),
  Unread: z.int().describe('How many of those whoever asks has not read'),
}

const list = z.object({
  Notifications: z.array(notification),
  ...counts,
  Count: z.int(),
  Next: z.string().nullable().describe('The `before` of the next page'),
  DateFetched: z.iso.datetime(),
})

const listNotifications = operation({
  ...common,
  id: 'listNotifications',
  method: 'get',
  path: '/api/core/notifications',
  summary: 'What is wrong, and what was',
  description:
    'A webhook that fails, a certificate about to end, a disk that fills up: found by the service itself, a notification each, which ends when it is over. A token for some zones sees those of its zones.',
  example: { query: { state: 'open' } },
  query: z.object({
    state: z.enum(['open', 'ended']).optional().describe('Both where left out'),
    limit: clampedInteger({ min: 1, max: 100, default: 50 }),
    before: rangedInteger({
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: '`Next` of the page before',
    }).optional(),
  }),
  responses: { 200: { description: 'Newest first', schema: list } },
}).handledBy(
  ({ notifications, now }: NotificationDependencies) =>
    async ({ query: { state, limit, before }, caller, respond }) => {
      const isOpen = state === undefined ? undefined : state === 'open'
      const page = await notifications.list({ limit, before, isOpen }, actorOf(caller))
      return respond(200, {
        Notifications: page.notifications.map(notificationJson),
        ...countsJson(page.counts),
        Count: page.notifications.length,
        Next: page.next === undefined ? null : String(page.next),
        DateFetched: now().toISOString(),
      })
    },
)

const readNotifications = operation({
  ...common,
  id: 'readNotifications',
  method: 'post',
  path: '/api/core/notifications/read',
  summary: 'Mark notifications as read, for whoever asks',
  description:
    'For a person on every device; for a key, a token or the password as such. One that begins again is unread again.',
  example: { body: {} },
  body: {
    kind: 'json',
    schema: z.object({
      Ids: z.array(z.string().max(64)).min(1).max(500).optional().describe('All where left out'),
    }),
  },
  responses: { 200: { description: 'What is left', schema: z.object(counts) } },
}).handledBy(
  ({ notifications }: NotificationDependencies) =>
    async ({ body: { Ids }, caller, respond }) =>
      respond(200, countsJson(await notifications.markRead(Ids, actorOf(caller)))),
)

const countsJson = ({ open, critical, unread }: NotificationCounts) => ({
  Open: open,
  Critical: critical,
  Unread: unread,
})

const notificationJson = (each: ReadNotification): z.infer<typeof notification> => ({
  Id: each.id,
  Kind: each.kind,
  Severity: each.severity,
  About: each.about,
  Name: each.name,
  Zone: each.zone ?? null,
  Detail: each.detail,
  Page: pageOf(each),
  DateBegan: each.beganAt.toISOString(),
  DateEnded: each.endedAt?.toISOString() ?? null,
  Times: each.times,
  IsRead: each.isRead,
})

/** `/api/core/notifications`. */
export const notificationOperations: readonly HandledOperation<NotificationDependencies>[] = [
  listNotifications,
  readNotifications,
]
