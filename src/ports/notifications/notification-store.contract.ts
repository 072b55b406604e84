import { expect, test } from 'bun:test'

import type { Notice } from '../records/notification.ts'
import type { WebhookOutbox } from '../webhooks/webhook-outbox.ts'
import { webhookOf } from '../webhooks/webhook-store.contract.ts'
import type { WebhookStore } from '../webhooks/webhook-store.ts'
import { at, auditOf } from '../content/publication-store.contract.ts'
import { maxMails, type NewNotification, type NotificationStore } from './notification-store.ts'

export interface NotificationStores extends AsyncDisposable {
  readonly notifications: NotificationStore
  readonly webhooks: WebhookStore
  readonly outbox: WebhookOutbox
}

type Open = () => Promise<NotificationStores>

const everybody = { zones: undefined, reader: 'ana' }
const silently = { webhooks: [], mails: [] }

/** What every NotificationStore must do. The test of each adapter calls this once. */
export function notificationStoreContract(name: string, open: Open): void {
  testKeeping(name, open)
  testReading(name, open)
  testTelling(name, open)
}

function testKeeping(name: string, open: Open): void {
  test(`${name}: notifications come back as they were saved, newest first, a page at a time`, async () => {
    await using stores = await open()
    const { notifications } = stores
    await notifications.save(
      ['a', 'b', 'c'].map((id) => notificationOf(id)),
      silently,
    )
    await notifications.save([notificationOf('d', { zone: 'acme', endedAt: at(9) })], silently)

    const all = await notifications.list({ ...everybody, limit: 10 })
    expect(all.map(({ id, number }) => [id, number])).toEqual([
      ['d', 4],
      ['c', 3],
      ['b', 2],
      ['a', 1],
    ])
    expect(all[0]).toEqual({
      ...notificationOf('d', { zone: 'acme', endedAt: at(9) }),
      number: 4,
      isRead: false,
    })
    const idsOf = async (query: object) =>
      (await notifications.list({ ...everybody, limit: 10, ...query })).map(({ id }) => id)
    expect(await idsOf({ limit: 2, before: 4 })).toEqual(['c', 'b'])
    expect(await idsOf({ isOpen: true })).toEqual(['c', 'b', 'a'])
    expect(await idsOf({ isOpen: false })).toEqual(['d'])
    expect(await idsOf({ zones: new Set(['acme']) })).toEqual(['d'])
    expect(await idsOf({ zones: new Set() })).toEqual([])
  })

  test(`${name}: what lasts and what ended after a moment is current`, async () => {
    await using stores = await open()
    const { notifications } = stores
    const records = [notificationOf('a'), notificationOf('b', { endedAt: at(5) })]
    await notifications.save(records, silently)

    const idsOf = async (ms: number) =>
      (await notifications.current(at(ms))).map(({ id, number }) => [id, number])
    expect(await idsOf(4)).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect(await idsOf(5)).toEqual([['a', 1]])
  })

  test(`${name}: what ended long ago, or is beyond what is kept, is forgotten, and nothing that lasts`, async () => {
    await using stores = await open()
    const { notifications } = stores
    const ended = [10, 20, 30, 40].map((ms) => notificationOf(`e${ms}`, { endedAt: at(ms) }))
    await notifications.save([notificationOf('open'), ...ended], silently)
    await notifications.markRead('ana', ['e40', 'e10'])

    await notifications.forget(at(15), 2)
    const left = await notifications.list({ ...everybody, limit: 10 })
    expect(left.map(({ id, isRead }) => [id, isRead])).toEqual([
      ['e40', true],
      ['e30', false],
      ['open', false],
    ])
  })
}

function testReading(name: string, open: Open): void {
  test(`${name}: who has read one, or all, is the only one who has, until it begins again`, async () => {
    await using stores = await open()
    const { notifications } = stores
    await notifications.save(
      [
        notificationOf('a', { severity: 'critical' }),
        notificationOf('b', { zone: 'acme' }),
        notificationOf('c', { endedAt: at(3) }),
      ],
      silently,
    )
    expect(await notifications.count(everybody)).toEqual({ open: 2, critical: 1, unread: 2 })
    await notifications.markRead('ana', ['a', 'none'])
    expect(await notifications.count(everybody)).toEqual({ open: 2, critical: 1, unread: 1 })
    expect(await notifications.count({ ...everybody, reader: 'ben' })).toMatchObject({ unread: 2 })
    expect(await notifications.count({ zones: new Set(['acme']), reader: 'ana' })).toEqual({
      open: 1,
      critical: 0,
      unread: 1,
    })
    await notifications.markRead('ana', undefined)
    await notifications.markRead('ana', undefined)
    expect(await notifications.count(everybody)).toMatchObject({ unread: 0 })

    const [a] = await notifications.current(at(0))
    if (a === undefined) throw new Error('it should be there')
    await notifications.save([{ ...a, detail: 'another' }], silently)
    expect(await notifications.count(everybody)).toMatchObject({ unread: 0 })
    const { number: _number, ...again } = a
    await notifications.save([again], silently)
    expect(await notifications.count(everybody)).toMatchObject({ unread: 1 })
  })
}

function testTelling(name: string, open: Open): void {
  test(`${name}: what webhooks and mailboxes are told is written with it, and mails are bounded`, async () => {
    await using stores = await open()
    const { notifications, webhooks, outbox } = stores
    const conditions = { limit: 9, audit: auditOf({}) }
    await webhooks.add(webhookOf('hears', { events: ['notification.raised'] }), conditions)
    await webhooks.add(webhookOf('deaf', { events: ['asset.created'] }), conditions)
    const record = notificationOf('a')
    const notice: Notice = { event: 'notification.raised', at: at(7), notification: record }
    await notifications.save([record], {
      webhooks: [{ notice, data: { id: 'a' } }],
      mails: [notice],
    })

    const ready = { now: at(100), limit: 9, holdingFailures: 3 }
    const [delivery] = await outbox.ready('hears', ready)
    expect(JSON.parse(delivery?.payload ?? '')).toEqual({
      event: 'notification.raised',
      timestamp: at(7).toISOString(),
      data: { id: 'a' },
    })
    expect(await outbox.ready('deaf', ready)).toEqual([])
    const [mail] = await notifications.mails(5)
    expect(mail?.notice).toMatchObject(notice)

    for (let sent = 0; sent < maxMails; sent += 100)
      await notifications.save([], {
        webhooks: [],
        mails: Array.from({ length: 100 }, () => notice),
      })
    expect(await notifications.mails(maxMails + 9)).toHaveLength(maxMails)
    const [first] = await notifications.mails(1)
    expect(first?.number).toBe(2)
    await notifications.removeMails([2, 3])
    expect((await notifications.mails(1))[0]?.number).toBe(4)
  })
}

export const notificationOf = (
  id: string,
  given: Partial<NewNotification> = {},
): Omit<NewNotification, 'number'> => ({
  id,
  kind: 'webhook',
  about: id,
  name: `${id} ü 🌿`,
  zone: undefined,
  severity: 'warning',
  detail: 'It fails.',
  beganAt: at(1),
  endedAt: undefined,
  announcedAt: at(2),
  times: 1,
  ...given,
})
