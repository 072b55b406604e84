import type { SpooledFlush, TrafficSpool } from '../../../ports/traffic/traffic-spool.ts'
import type { TrafficFlush } from '../../../ports/traffic/traffic-store.ts'
import type { Database } from '../database.ts'

interface Options {
  /** Room for all that waits, in characters of JSON. */
  readonly maxCharacters: number
}

/** What waits to be handed over, in a table. Used by one process at a time. */
export class SqlTrafficSpool implements TrafficSpool {
  readonly #database: Database
  readonly #maxCharacters: number
  #state: { place: number; characters: number } | undefined

  constructor(database: Database, { maxCharacters }: Options) {
    this.#database = database
    this.#maxCharacters = maxCharacters
  }

  async add(flush: TrafficFlush): Promise<boolean> {
    const text = JSON.stringify(flush)
    const state = await this.#load()
    if (state.characters + text.length > this.#maxCharacters) return false
    state.place += 1
    state.characters += text.length
    const row = { place: state.place, size_characters: text.length, flush: text }
    await this.#database.transaction(async (transaction) => {
      await transaction.insertInto('traffic_spool').values(row).execute()
    })
    return true
  }

  async oldest(limit: number): Promise<readonly SpooledFlush[]> {
    const rows = await this.#database.queries
      .selectFrom('traffic_spool')
      .select(['place', 'flush'])
      .orderBy('place')
      .limit(limit)
      .execute()
    return rows.map(({ place, flush }) => ({ place, flush: JSON.parse(flush) as TrafficFlush }))
  }

  async removeTo(place: number): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('traffic_spool').where('place', '<=', place).execute()
    })
    this.#state = { ...(await this.#read()), place: (await this.#load()).place }
  }

  async #load() {
    this.#state ??= await this.#read()
    return this.#state
  }

  async #read(): Promise<{ place: number; characters: number }> {
    const row = await this.#database.queries
      .selectFrom('traffic_spool')
      .select(({ fn }) => [
        fn.max('place').as('place'),
        fn.sum<number | string>('size_characters').as('characters'),
      ])
      .executeTakeFirst()
    return { place: row?.place ?? 0, characters: Number(row?.characters ?? 0) }
  }
}
