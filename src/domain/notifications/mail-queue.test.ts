import { expect, test } from 'bun:test'

import { notificationOf } from '../../ports/notifications/notification-store.contract.ts'
import type { Mail } from '../../ports/notifications/mailer.ts'
import type { PendingMail } from '../../ports/notifications/notification-store.ts'
import type { NotificationEvent } from '../../ports/records/notification.ts'
import { mailOf } from './mail-digest.ts'
import { createMailQueue } from './mail-queue.ts'

const start = new Date('2026-10-01T00:00:00Z')
const minute = 60_000

function pending(
  number: number,
  given: object = {},
  event: NotificationEvent = 'notification.raised',
) {
  const notification = notificationOf(`n${number}`, {
    beganAt: start,
    announcedAt: start,
    ...given,
  })
  return { number, notice: { event, at: start, notification } }
}

function setUp(mails: PendingMail[]) {
  const sent: Mail[] = []
  const warnings: unknown[] = []
  const world = { ms: 0, fails: false }
  const queue = createMailQueue({
    store: {
      mails: async (limit) => mails.slice(0, limit),
      async removeMails(numbers) {
        for (const number of numbers)
          mails.splice(
            mails.findIndex((each) => each.number === number),
            1,
          )
      },
    },
    mailer: {
      async send(mail) {
        if (world.fails) throw new Error('421 try later')
        sent.push(mail)
      },
    },
    baseUrl: 'https://sedge.example',
    now: () => new Date(start.getTime() + world.ms),
    log: { warn: (...line) => void warnings.push(line) },
  })
  const after = async (ms: number) => {
    world.ms += ms
    await queue.tick()
  }
  return { queue, mails, sent, warnings, world, after }
}

test('all that waits is one message, and there is no other for a minute', async () => {
  const { queue, mails, sent, after } = setUp([pending(1), pending(2)])
  await after(0)
  expect(sent.map(({ subject }) => subject)).toEqual([
    '[Sedge] Webhook n1 ü 🌿: warning and 1 more',
  ])
  expect(mails).toEqual([])
  mails.push(pending(3))
  queue.hurry()
  await after(minute / 2)
  expect(sent).toHaveLength(1)
  await after(minute / 2)
  expect(sent).toHaveLength(2)
})

test('what the server does not take is tried again, ever more seldom, under the same id', async () => {
  const { queue, mails, sent, warnings, world, after } = setUp([pending(1)])
  world.fails = true
  await after(0)
  expect(queue.state).toMatchObject({ failures: 1, error: '421 try later' })
  await after(minute)
  await after(minute)
  expect(queue.state.failures).toBe(2)
  await after(minute)
  expect(queue.state.failures).toBe(3)
  expect(warnings).toHaveLength(1)
  world.fails = false
  await after(4 * minute)
  expect(sent).toHaveLength(1)
  expect([mails, queue.state.failures, queue.state.error]).toEqual([[], 0, undefined])
})

test('what could not be mailed for three days is no news any more', async () => {
  const { mails, sent, after } = setUp([pending(1)])
  await after(4 * 24 * 60 * minute)
  expect([mails, sent]).toEqual([[], []])
})

test('a message says what is wrong, since when and where; the urgent first, and no name breaks its lines', () => {
  const mail = mailOf(
    [
      pending(1, {}, 'notification.resolved'),
      pending(2, { name: 'evil\r\nBcc: x@y.example', severity: 'critical', detail: 'a\nb' }),
    ],
    'https://sedge.example',
  )
  expect(mail.subject).toBe('[Sedge] Webhook evil  Bcc: x@y.example: critical and 1 more')
  expect(mail.text).toContain('Since 2026-10-01T00:00:00.000Z')
  expect(mail.text).toContain('https://sedge.example/dashboard/webhooks')
  expect(mail.text).toContain('a b')
  expect(mail.text).toContain('From 2026-10-01T00:00:00.000Z to')
})
