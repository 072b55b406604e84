import { type Kysely, sql } from 'kysely'

import { BatchStatement } from '../batch-statement.ts'
import type { Schema } from '../schema.ts'

interface Columns<Row> {
  readonly table: keyof Schema
  readonly keys: readonly (keyof Row & string)[]
  readonly sums: readonly (keyof Row & string)[]
}

/** Adds to the rows there are, and inserts the others. No key may occur twice. */
export function createSummer<Row extends object>(
  queries: Kysely<Schema>,
  { table, keys, sums }: Columns<Row>,
): BatchStatement<Row> {
  const columns = [...keys, ...sums]
  const blanks = sql`(${sql.join(columns.map(() => sql`${0}`))})`
  const additions = sums.map(
    (name) =>
      sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  )
  return new BatchStatement<Row>({
    compile: (count) =>
      sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
        values ${sql.join(Array.from({ length: count }, () => blanks))}
        on conflict (${sql.join(keys.map((name) => sql.ref(name)))})
        do update set ${sql.join(additions)}`.compile(queries),
    parametersOf: (row) => columns.map((name) => row[name]),
  })
}
