import type {
  ColumnDataType,
  CreateTableBuilder,
  Expression,
  Kysely,
  RawBuilder,
  Transaction,
} from 'kysely'

import type { Schema } from './schema.ts'

/** Whether writing can go on after a fault of the database. */
export interface Unavailability {
  /** Only a restart helps: what was flushed, and what was not, is no longer known. */
  readonly final: boolean
}

/**
 * All that differs from one database to the other. Queries are the same for all; a flavour's driver
 * answers integers as numbers.
 */
export interface Flavour {
  /** The type of text whose order and equality are those of its bytes. */
  readonly text: ColumnDataType | Expression<unknown>
  /** The type of plain bytes. */
  readonly bytes: ColumnDataType
  /** The database's own clock at this moment, in milliseconds since 1970. */
  readonly nowMs: RawBuilder<number>
  /** Puts the rows where the primary key leads, where the database can. */
  clustered<Table extends string, Columns extends string>(
    table: CreateTableBuilder<Table, Columns>,
  ): CreateTableBuilder<Table, Columns>
  /** Begins a transaction that sees the rows of one moment, whoever writes, and writes nothing itself. */
  readonly beginSnapshot: RawBuilder<unknown>
  /** The columns of a table's primary key, in order. */
  primaryKey(queries: Kysely<Schema>, table: string): Promise<readonly string[]>
  /** What an error of the database means for further writes; `undefined` where it is a mistake of ours. */
  unavailability(error: unknown): Unavailability | undefined
  /** See {@link Database.unflushedTransaction}. */
  unflushedTransaction<T>(
    queries: Kysely<Schema>,
    work: (transaction: Transaction<Schema>) => Promise<T>,
  ): Promise<T>
  /** See {@link Database.scrub}. */
  scrub(queries: Kysely<Schema>, work: () => Promise<void>): Promise<void>
  /** What a quick check of the stored pages finds wrong. */
  integrityFaults(queries: Kysely<Schema>): Promise<readonly string[]>
}
