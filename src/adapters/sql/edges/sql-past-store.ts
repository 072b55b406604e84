import type { Transaction } from 'kysely'

import type { PastStore } from '../../../ports/edges/past-store.ts'
import type { Database } from '../database.ts'
import { paddedLists } from '../row-lists.ts'
import type { KeptPastTable, Schema } from '../schema.ts'

interface Options {
  /** Room for keys and texts, in characters. */
  readonly maxCharacters: number
}

interface State {
  /** Grows with every use. */
  used: number
  characters: number
}

const forgottenAtOnce = 64

/** What was told of former commits, in a table. Used by one process at a time. */
export class SqlPastStore implements PastStore {
  readonly #database: Database
  readonly #maxCharacters: number
  #state: State | undefined

  constructor(database: Database, { maxCharacters }: Options) {
    this.#database = database
    this.#maxCharacters = maxCharacters
  }

  async read(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for (const list of paddedLists([...new Set(keys)])) {
      const rows = await this.#database.queries
        .selectFrom('kept_past')
        .select(['key', 'text'])
        .where('key', 'in', list)
        .execute()
      for (const { key, text } of rows) found.set(key, text)
    }
    if (found.size > 0) await this.#use([...found.keys()])
    return found
  }

  async keep(texts: ReadonlyMap<string, string>): Promise<void> {
    const state = await this.#load()
    const rows = Array.from(texts, ([key, text]) => ({
      key,
      text,
      size_characters: key.length + text.length,
      used: (state.used += 1),
    })).filter((row) => row.size_characters <= this.#maxCharacters)
    const added = rows.reduce((sum, row) => sum + row.size_characters, 0)
    await this.#database.transaction(async (transaction) => {
      let characters = state.characters + added - (await removed(transaction, [...texts.keys()]))
      for (const row of rows) await transaction.insertInto('kept_past').values(row).execute()
      while (characters > this.#maxCharacters)
        characters -= await removed(transaction, await this.#oldest(transaction, characters))
      state.characters = characters
    })
  }

  async #use(keys: readonly string[]): Promise<void> {
    const state = await this.#load()
    const used = (state.used += 1)
    await this.#database.transaction(async (transaction) => {
      for (const list of paddedLists(keys))
        await transaction.updateTable('kept_past').set({ used }).where('key', 'in', list).execute()
    })
  }

  /** Those that have to go where there are so many characters, or some of them. */
  async #oldest(transaction: Transaction<Schema>, characters: number): Promise<readonly string[]> {
    const oldest = await transaction
      .selectFrom('kept_past')
      .select(['key', 'size_characters'])
      .orderBy('used')
      .limit(forgottenAtOnce)
      .execute()
    const keys: string[] = []
    let left = characters
    for (const { key, size_characters: size } of oldest) {
      if (left <= this.#maxCharacters) break
      keys.push(key)
      left -= size
    }
    return keys
  }

  async #load(): Promise<State> {
    if (this.#state !== undefined) return this.#state
    const row = await this.#database.queries
      .selectFrom('kept_past')
      .select(({ fn }) => [
        fn.max('used').as('used'),
        fn.sum<number | string>('size_characters').as('characters'),
      ])
      .executeTakeFirst()
    this.#state ??= { used: row?.used ?? 0, characters: Number(row?.characters ?? 0) }
    return this.#state
  }
}

/** How many characters went with them. */
async function removed(
  transaction: Transaction<Schema>,
  keys: readonly KeptPastTable['key'][],
): Promise<number> {
  let characters = 0
  for (const list of paddedLists(keys)) {
    const rows = await transaction
      .deleteFrom('kept_past')
      .where('key', 'in', list)
      .returning('size_characters')
      .execute()
    characters = rows.reduce((sum, row) => sum + row.size_characters, characters)
  }
  return characters
}
