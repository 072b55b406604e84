import type { ExpressionBuilder, Transaction } from 'kysely'

import {
  type Announced,
  maxMails,
  type NewNotification,
  type NotificationCounts,
  type NotificationQuery,
  type NotificationScope,
  type NotificationStore,
  type PendingMail,
  type ReadNotification,
} from '../../../ports/notifications/notification-store.ts'
import type { Notice, NotificationRecord } from '../../../ports/records/notification.ts'
import { Announcements } from '../content/announcements.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema.ts'
import { DeliveryWriter } from '../webhooks/delivery-writer.ts'
import { noticeOf, noticeText, notificationOf, notificationRowOf } from './notification-rows.ts'

/** Notifications, in tables. */
export class SqlNotificationStore implements NotificationStore {
  readonly #database: Database
  readonly #deliveries: DeliveryWriter
  readonly #announcements: Announcements

  constructor(database: Database) {
    this.#database = database
    this.#deliveries = new DeliveryWriter(database.queries)
    this.#announcements = new Announcements(database.queries)
  }

  async current(time: Date): Promise<readonly NotificationRecord[]> {
    const rows = await this.#database.queries
      .selectFrom('notifications')
      .selectAll()
      .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '>', time.getTime())]))
      .orderBy('number')
      .execute()
    return rows.map(notificationOf)
  }

  async save(records: readonly NewNotification[], { webhooks, mails }: Announced): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      // Puts those that number in line.
      await this.#announcements.lock(transaction)
      let last = await lastNumber(transaction, 'notifications')
      for (const record of records) {
        const number = record.number ?? (last += 1)
        const { id, ...row } = notificationRowOf({ ...record, number })
        await transaction
          .insertInto('notifications')
          .values({ id, ...row })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute()
      }
      await this.#deliveries.writeFor(
        transaction,
        webhooks.map(({ notice: { event, at, notification }, data }) => ({
          event,
          at,
          zone: notification.zone,
          data,
        })),
      )
      await addMails(transaction, mails)
    })
  }

  async list({ limit, isOpen, before, ...scope }: NotificationQuery) {
    const rows = await this.#within(scope)
      .selectAll('notifications')
      .select((row) => isReadBy(row, scope.reader).as('is_read'))
      .$if(isOpen === true, (all) => all.where('ended_at', 'is', null))
      .$if(isOpen === false, (all) => all.where('ended_at', 'is not', null))
      .$if(before !== undefined, (all) => all.where('number', '<', before ?? 0))
      .orderBy('number', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ is_read, ...row }): ReadNotification => ({
      ...notificationOf(row),
      isRead: is_read !== null,
    }))
  }

  async count(scope: NotificationScope): Promise<NotificationCounts> {
    const rows = await this.#within(scope)
      .select(['severity'])
      .select((row) => isReadBy(row, scope.reader).as('is_read'))
      .where('ended_at', 'is', null)
      .execute()
    return {
      open: rows.length,
      critical: rows.filter(({ severity }) => severity === 'critical').length,
      unread: rows.filter(({ is_read }) => is_read === null).length,
    }
  }

  async markRead(reader: string, ids: readonly string[] | undefined): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const marked =
        ids === undefined
          ? [{ id: '', number: await lastNumber(transaction, 'notifications') }]
          : await transaction
              .selectFrom('notifications')
              .select(['id', 'number'])
              .where('id', 'in', [...ids, ''])
              .execute()
      for (const { id, number } of marked)
        await transaction
          .insertInto('notification_reads')
          .values({ reader, notification_id: id, number })
          .onConflict((conflict) =>
            conflict.columns(['reader', 'notification_id']).doUpdateSet({ number }),
          )
          .execute()
    })
  }

  async mails(limit: number): Promise<readonly PendingMail[]> {
    const rows = await this.#database.queries
      .selectFrom('notification_mails')
      .selectAll()
      .orderBy('number')
      .limit(limit)
      .execute()
    return rows.map(({ number, notice }) => ({ number, notice: noticeOf(notice) }))
  }

  async removeMails(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return
    await this.#database.transaction((transaction) =>
      transaction
        .deleteFrom('notification_mails')
        .where('number', 'in', [...numbers])
        .execute(),
    )
  }

  async forget(before: Date, kept: number): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const surplus = await transaction
        .selectFrom('notifications')
        .select('number')
        .where('ended_at', 'is not', null)
        .orderBy('number', 'desc')
        .offset(kept)
        .limit(1)
        .executeTakeFirst()
      await transaction
        .deleteFrom('notifications')
        .where('ended_at', 'is not', null)
        .where((row) =>
          row.or([
            row('ended_at', '<', before.getTime()),
            row('number', '<=', surplus?.number ?? 0),
          ]),
        )
        .execute()
      await forgetMarks(transaction)
    })
  }

  #within({ zones }: NotificationScope) {
    return this.#database.queries
      .selectFrom('notifications')
      .$if(zones !== undefined, (all) => all.where('zone', 'in', ['', ...(zones ?? [])]))
  }
}

/** The newest number of a mark of the reader that covers the row; null where none does. */
const isReadBy = (row: ExpressionBuilder<Schema, 'notifications'>, reader: string) =>
  row
    .selectFrom('notification_reads')
    .select(({ fn }) => fn.max('notification_reads.number').as('number'))
    .where('reader', '=', reader)
    .where((mark) =>
      mark.or([
        mark('notification_id', '=', ''),
        mark('notification_id', '=', mark.ref('notifications.id')),
      ]),
    )
    .whereRef('notification_reads.number', '>=', 'notifications.number')

async function lastNumber(
  transaction: Transaction<Schema>,
  table: 'notifications' | 'notification_mails',
): Promise<number> {
  const row = await transaction
    .selectFrom(table)
    .select(({ fn }) => fn.max('number').as('last'))
    .executeTakeFirst()
  const last: number | null | undefined = row?.last
  return last ?? 0
}

async function addMails(
  transaction: Transaction<Schema>,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return
  const last = await lastNumber(transaction, 'notification_mails')
  const rows = notices.map((notice, place) => ({
    number: last + place + 1,
    notice: noticeText(notice),
  }))
  await transaction.insertInto('notification_mails').values(rows).execute()
  await transaction
    .deleteFrom('notification_mails')
    .where('number', '<=', last + notices.length - maxMails)
    .execute()
}

/** Marks that cover nothing that is left. */
async function forgetMarks(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .deleteFrom('notification_reads')
    .where('notification_id', '!=', '')
    .where('notification_id', 'not in', (all) => all.selectFrom('notifications').select('id'))
    .execute()
  const first = await transaction
    .selectFrom('notifications')
    .select(({ fn }) => fn.min('number').as('first'))
    .executeTakeFirst()
  const number: number | null | undefined = first?.first
  await transaction
    .deleteFrom('notification_reads')
    .$if(number !== null && number !== undefined, (all) => all.where('number', '<', number ?? 0))
    .execute()
}
