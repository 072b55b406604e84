import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

import type { Schema } from './schema.ts'

export type Row = Readonly<Record<string, unknown>>

/** How a database takes many rows in one statement. */
export interface RowList {
  /** How many of the rows that wait go into the next statement. */
  countOf(waiting: number): number
  /** What so many rows are written as; statements that are alike are built and prepared once. */
  formOf(count: number): number
  /** The rows of a form, where a statement has them inserted. The values themselves do not matter. */
  sqlOf(form: number, table: keyof Schema, columns: readonly string[]): RawBuilder<unknown>
  parametersOf(rows: readonly Row[]): readonly unknown[]
}

export const rowListFor = (queries: Kysely<Schema>): RowList =>
  queries.getExecutor().adapter instanceof PostgresAdapter ? jsonList : valueList

/** More at once would hold up whatever else the process does. */
export const largestList = 256

/** Few sizes, so that every statement is soon built; the largest stays below 32,766 parameters. */
const listSizes = [largestList, 64, 32, 16, 8, 4, 2, 1] as const

/** Each value a parameter of its own. A statement costs next to nothing where the database is a library. */
const valueList: RowList = {
  countOf: (waiting) => listSizes.find((size) => size <= waiting) ?? 0,
  formOf: (count) => count,
  sqlOf(count, _table, columns) {
    const row = sql`(${sql.join(columns.map(() => sql`${0}`))})`
    return sql`values ${sql.join(Array.from({ length: count }, () => row))}`
  },
  parametersOf: (rows) => rows.flatMap((row) => Object.values(row)),
}

/** All rows one parameter: any number is one way to the server, by a statement that is parsed once. */
const jsonList: RowList = {
  countOf: (waiting) => Math.min(waiting, largestList),
  formOf: () => 1,
  sqlOf: (_form, table, columns) =>
    sql`select ${sql.join(columns.map((name) => sql.ref(name)))}
      from json_populate_recordset(null::${sql.table(table)}, ${''})`,
  parametersOf: (rows) => [JSON.stringify(rows, wellFormed)],
}

/** The server refuses half a surrogate pair in JSON; elsewhere the driver sends U+FFFD for it. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

const lengths = [1, 8, 64, 512] as const
const longest = 512

/** Keys for `in (…)`. Padded with repetitions to few lengths, so that statements are soon prepared. */
export function paddedLists<Key>(keys: readonly Key[]): readonly (readonly Key[])[] {
  const lists: (readonly Key[])[] = []
  for (let start = 0; start < keys.length; start += longest) {
    const list = keys.slice(start, start + longest)
    const length = lengths.find((each) => each >= list.length) ?? list.length
    const padding = list.slice(-1)
    lists.push([...list, ...Array.from({ length: length - list.length }, () => padding).flat()])
  }
  return lists
}
