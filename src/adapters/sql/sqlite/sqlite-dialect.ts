import { setImmediate } from 'node:timers/promises'

import type { Database, SQLQueryBindings, Statement } from 'bun:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

import { Mutex } from '../../../lib/async/mutex.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

/**
 * Kysely on one connection of `bun:sqlite`. A transaction holds it to its end, whatever it waits for, and everybody
 * else waits in the order of asking. So nothing can come between its statements, and no transaction may wait for
 * another query of the same connection.
 */
export function createSqliteDialect(database: Database, beside: Beside = {}): Dialect {
  return {
    createAdapter: () => createAdapter(),
    createDriver: () => new BunSqliteDriver(database, beside),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Kysely's own, but that a migration is one transaction: SQLite rolls back changes of tables too. */
function createAdapter(): SqliteAdapter {
  const adapter = new SqliteAdapter()
  Object.defineProperty(adapter, 'supportsTransactionalDdl', { value: true })
  return adapter
}

/** Whether others have turns between statements. */
export interface Sharing {
  givesTurns: boolean
}

interface Beside {
  readonly checkpoints?: Checkpoints
  /** Where left out, each commit is flushed on this thread. */
  readonly log?: WriteAheadLog
  /** Waited for before each query: until then what another connection committed may not outlive a power cut. */
  readonly flushed?: () => Promise<void> | undefined
  readonly sharing?: Readonly<Sharing>
}

class BunSqliteDriver implements Driver {
  readonly #database: Database
  readonly #checkpoints: Checkpoints | undefined
  readonly #log: WriteAheadLog | undefined
  readonly #flushed: Beside['flushed']
  readonly #connection: BunSqliteConnection
  readonly #mutex = new Mutex()
  #held: Disposable | undefined
  #owesFlush = false

  constructor(database: Database, beside: Beside) {
    const { checkpoints, log, flushed, sharing = { givesTurns: true } } = beside
    this.#database = database
    this.#checkpoints = checkpoints
    this.#log = log
    this.#flushed = flushed
    this.#connection = new BunSqliteConnection(database, sharing)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#held = await this.#mutex.acquire()
    await this.#flushed?.()
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    const held = this.#held
    this.#held = undefined
    held?.[Symbol.dispose]()
  }

  /** At once for writing: a reader that turns writer would fail where another process wrote meanwhile. */
  async beginTransaction(): Promise<void> {
    this.#checkpoints?.requireHealth()
    this.#owesFlush = this.#log?.postponeFlush() ?? false
    try {
      this.#database.run('begin immediate')
    } catch (error) {
      this.#settleFlush()
      throw error
    }
  }

  /** Whoever waits for the connection sees nothing of it before it outlives a power cut. */
  async commitTransaction(): Promise<void> {
    this.#database.run('commit')
    if (this.#settleFlush()) await this.#log?.flush()
    this.#checkpoints?.afterCommit()
  }

  /** Some errors have ended the transaction already. */
  async rollbackTransaction(): Promise<void> {
    if (this.#database.inTransaction) this.#database.run('rollback')
    this.#settleFlush()
  }

  /** Answers whether a commit has to be flushed here. */
  #settleFlush(): boolean {
    const isOwed = this.#owesFlush
    this.#owesFlush = false
    if (isOwed) this.#log?.restoreFlush()
    return isOwed
  }

  async destroy(): Promise<void> {
    using _held = await this.#mutex.acquire()
    this.#connection.forgetStatements()
    await this.#checkpoints?.[Symbol.asyncDispose]()
    this.#log?.[Symbol.dispose]()
    this.#database.close(true)
  }
}

/** Statements kept prepared; the queries of the stores are fewer, as values are never part of the text. */
const maxStatements = 400
/** SQLite works on this thread, and answers without a wait: a transaction of many statements would be one turn. */
const busyPerTurnMs = 8

class BunSqliteConnection implements DatabaseConnection {
  readonly #database: Database
  readonly #statementBySql = new Map<string, Statement>()
  readonly #sharing: Readonly<Sharing>
  #busyMs = 0

  constructor(database: Database, sharing: Readonly<Sharing>) {
    this.#database = database
    this.#sharing = sharing
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const startedAt = performance.now()
    const result = this.#run<R>(query)
    this.#busyMs += performance.now() - startedAt
    if (this.#sharing.givesTurns && this.#busyMs > busyPerTurnMs) {
      this.#busyMs = 0
      await setImmediate()
    }
    return result
  }

  // oxlint-disable-next-line require-yield -- the stores read in pages, so that a reader never holds the connection
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming would hold the only connection: read in pages')
  }

  forgetStatements(): void {
    for (const statement of this.#statementBySql.values()) statement.finalize()
    this.#statementBySql.clear()
  }

  #run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(sql)
    const bindings = parameters as SQLQueryBindings[]
    if (statement.reader) return { rows: statement.all(...bindings) as R[] }
    const { changes } = statement.run(...bindings)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  #prepare(sql: string): Statement {
    const known = this.#statementBySql.get(sql)
    if (known) return known
    if (this.#statementBySql.size >= maxStatements) this.forgetStatements()
    const statement = this.#database.prepare(sql)
    this.#statementBySql.set(sql, statement)
    return statement
  }
}
