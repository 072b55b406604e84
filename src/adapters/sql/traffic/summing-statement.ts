import { type Kysely, sql } from 'kysely'

import { onConflict, RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'

interface Columns<Row> {
  readonly table: keyof Schema
  readonly keys: readonly (keyof Row & string)[]
  readonly sums: readonly (keyof Row & string)[]
  /** Of these the newer value counts. */
  readonly replaced?: readonly (keyof Row & string)[]
}

/** Adds to the rows there are, and inserts the others. No key may occur twice. */
export function createSummer<Row extends object>(
  queries: Kysely<Schema>,
  { table, keys, sums, replaced = [] }: Columns<Row>,
): RowWriter<Row> {
  const columns = [...keys, ...sums, ...replaced]
  const additions = sums.map(
    (name) =>
      sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  )
  const replacements = replaced.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`,
  )
  return new RowWriter<Row>(queries, {
    table,
    rowOf: (row) => Object.fromEntries(columns.map((name) => [name, row[name]])),
    onConflict: () => onConflict(keys, [...additions, ...replacements]),
  })
}
