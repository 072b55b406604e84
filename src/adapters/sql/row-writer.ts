import { setImmediate } from 'node:timers/promises'

import { type CompiledQuery, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'

import { largestList, type Row, type RowList, rowListFor } from './row-lists.ts'
import type { Schema } from './schema.ts'

interface Target<Item> {
  readonly table: keyof Schema
  /** Its members are the columns; every row has the same, in the same order. */
  readonly rowOf: (item: Item) => object
  /** `on conflict …`; without it, a key that is there already is a fault. */
  readonly onConflict?: (columns: readonly string[]) => RawBuilder<unknown>
}

/** Inserts any number of rows, many at a time. Its statements are built once: that takes longer than running them. */
export class RowWriter<Item> {
  readonly #queries: Kysely<Schema>
  readonly #target: Target<Item>
  readonly #list: RowList
  readonly #statementByForm = new Map<number, CompiledQuery>()

  constructor(queries: Kysely<Schema>, target: Target<Item>) {
    this.#queries = queries
    this.#target = target
    this.#list = rowListFor(queries)
  }

  async execute(transaction: Transaction<Schema>, items: readonly Item[]): Promise<void> {
    for (let done = 0; done < items.length;) {
      const count = this.#list.countOf(items.length - done)
      const rows = items.slice(done, done + count).map((item) => this.#target.rowOf(item) as Row)
      const parameters = this.#list.parametersOf(rows)
      await transaction.executeQuery({ ...this.#statementFor(rows), parameters })
      done += count
      if (count === largestList) await setImmediate()
    }
  }

  #statementFor(rows: readonly Row[]): CompiledQuery {
    const form = this.#list.formOf(rows.length)
    const known = this.#statementByForm.get(form)
    if (known !== undefined) return known
    const made = this.#build(form, Object.keys(rows[0] ?? {}))
    this.#statementByForm.set(form, made)
    return made
  }

  #build(form: number, columns: readonly string[]): CompiledQuery {
    const { table, onConflict } = this.#target
    return sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
      ${this.#list.sqlOf(form, table, columns)}
      ${onConflict?.(columns) ?? sql``}`.compile(this.#queries)
  }
}

/** Puts a row over the one whose key it has. */
export const replacing =
  (...keys: readonly string[]) =>
  (columns: readonly string[]): RawBuilder<unknown> => {
    const changed = columns.filter((name) => !keys.includes(name))
    return onConflict(
      keys,
      changed.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
    )
  }

export const onConflict = (
  keys: readonly string[],
  changes: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> =>
  sql`on conflict (${sql.join(keys.map((name) => sql.ref(name)))}) do update set ${sql.join(changes)}`
