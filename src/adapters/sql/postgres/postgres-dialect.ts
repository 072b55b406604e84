import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'

import { Mutex } from '../../../lib/async/mutex.ts'
import { type Lease, PostgresConnections, type PostgresLimits } from './postgres-connections.ts'
import { StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'

export interface PostgresDialectOptions {
  readonly url: string
  readonly limits: PostgresLimits
  /** Absent: whoever has the database writes to it. */
  readonly epoch: number | undefined
}

/**
 * Kysely on PostgreSQL. Transactions run one after another, as they do on SQLite: within a process they
 * wait for its one connection for writing, between processes for a lock that ends with the transaction.
 * So what one of them reads stays true until its end, and none can be in another's way.
 */
export function createPostgresDialect(options: PostgresDialectOptions): Dialect {
  return {
    createAdapter: () => createAdapter(),
    createDriver: () => new PostgresDriver(options),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** Kysely's own, but that a migration needs no lock besides its transaction's. */
const createAdapter = (): PostgresAdapter =>
  Object.assign(new PostgresAdapter(), {
    acquireMigrationLock: async () => {},
    releaseMigrationLock: async () => {},
  })

/** Any number will do that no other program takes in the same database. */
const writerLock = 7_366_743

class PostgresDriver implements Driver {
  readonly #connections: PostgresConnections
  readonly #turnMs: number
  readonly #epoch: number | undefined
  readonly #turns = new Mutex()

  constructor({ url, limits, epoch }: PostgresDialectOptions) {
    this.#connections = new PostgresConnections(url, limits)
    this.#turnMs = limits.turnMs
    this.#epoch = epoch
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(() => this.#connections.reader())
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    const turn = await this.#turns.acquireWithin(this.#turnMs)
    if (turn === undefined)
      throw new StoreUnavailableError('Too many transactions wait for PostgreSQL', {
        store: 'metadata',
        final: false,
      })
    await connection.write(turn, this.#connections.writer())
    await connection.query(`begin; select pg_advisory_xact_lock(${writerLock})`)
    if (this.#epoch !== undefined) await requireEpoch(connection, this.#epoch)
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    const { command } = await connection.query('commit')
    if (command !== 'COMMIT') throw new Error('A transaction that had failed was committed')
  }

  /** What cannot be asked for any more happens when the connection ends, with the release. */
  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.query('rollback').catch(() => {})
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    await connection.release()
  }

  async destroy(): Promise<void> {
    await this.#connections.end()
  }
}

/** Another epoch begins in line with all transactions, so it cannot begin before the end of this one. */
async function requireEpoch(connection: PostgresConnection, epoch: number): Promise<void> {
  const { rows } = await connection.query('select 1 from writer_lease where epoch = $1', [epoch])
  if (rows.length > 0) return
  await connection.query('rollback')
  throw new StoreUnavailableError('Another node writes now', { store: 'metadata', final: true })
}

/** Borrows a connection once it is known what for. */
class PostgresConnection implements DatabaseConnection {
  readonly #borrow: () => Promise<Lease>
  #turn: Disposable | undefined
  #lease: Promise<Lease> | undefined

  constructor(borrow: () => Promise<Lease>) {
    this.#borrow = borrow
  }

  async write(turn: Disposable, writer: Promise<Lease>): Promise<void> {
    this.#turn = turn
    const reader = this.#lease
    this.#lease = writer
    ;(await reader)?.release()
    await writer
  }

  async query(text: string, parameters?: readonly unknown[]) {
    this.#lease ??= this.#borrow()
    return await (await this.#lease).query(text, parameters)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, command, rowCount } = await this.query(sql, parameters)
    return {
      rows: rows as R[],
      ...(changing.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
    }
  }

  // oxlint-disable-next-line require-yield -- the stores read in pages, on every database alike
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in pages')
  }

  /** The next one's turn comes once the connection is back. Never rejects. */
  async release(): Promise<void> {
    const lease = await this.#lease?.catch(() => undefined)
    lease?.release()
    this.#turn?.[Symbol.dispose]()
  }
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE'])
