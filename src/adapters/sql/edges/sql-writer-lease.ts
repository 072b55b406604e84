import { sql } from 'kysely'

import type { LeaseHolder, WriterLease } from '../../../ports/edges/writer-lease.ts'
import type { Database } from '../database.ts'
import type { Flavour } from '../flavour.ts'

interface Options {
  /** The lease's own handle, which it closes: it must not wait for anybody's transaction to renew. */
  readonly database: Database
  readonly flavour: Pick<Flavour, 'nowMs'>
  readonly termMs: number
}

const onlyRow = 1
/** Over before any clock. */
const ended = 0

/** The lease as a row. Taking it waits in line with every transaction, so none is half done in another epoch. */
export class SqlWriterLease implements WriterLease {
  readonly #database: Database
  readonly #nowMs
  readonly #termMs: number

  constructor({ database, flavour, termMs }: Options) {
    this.#database = database
    this.#nowMs = flavour.nowMs
    this.#termMs = termMs
  }

  async holder(): Promise<LeaseHolder | undefined> {
    return await this.#database.queries
      .selectFrom('writer_lease')
      .select(['address as url', 'epoch'])
      .where('id', '=', onlyRow)
      .where('ends_at', '>', this.#nowMs)
      .executeTakeFirst()
  }

  async take(address: string): Promise<number | undefined> {
    return await this.#database.transaction(async (transaction) => {
      const row = await transaction
        .insertInto('writer_lease')
        .values({ id: onlyRow, epoch: 1, address, ends_at: this.#endOfTerm() })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((given) => ({
              epoch: sql<number>`writer_lease.epoch + 1`,
              address: given.ref('excluded.address'),
              ends_at: given.ref('excluded.ends_at'),
            }))
            .where('writer_lease.ends_at', '<=', this.#nowMs),
        )
        .returning('epoch')
        .executeTakeFirst()
      return row?.epoch
    })
  }

  async renew(epoch: number): Promise<boolean> {
    const row = await this.#database.transaction((transaction) =>
      transaction
        .updateTable('writer_lease')
        .set({ ends_at: this.#endOfTerm() })
        .where('epoch', '=', epoch)
        .where('ends_at', '>', ended)
        .returning('id')
        .executeTakeFirst(),
    )
    return row !== undefined
  }

  async release(epoch: number): Promise<void> {
    await this.#database.transaction((transaction) =>
      transaction
        .updateTable('writer_lease')
        .set({ ends_at: ended })
        .where('epoch', '=', epoch)
        .execute(),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]()
  }

  #endOfTerm() {
    return sql<number>`${this.#nowMs} + ${sql.lit(this.#termMs)}`
  }
}
