import { setTimeout } from 'node:timers/promises'

import { Pool, type PoolClient, types } from 'pg'

import { endsConnection, translateFailure } from './postgres-failures.ts'

export interface PostgresLimits {
  /** How long connecting, or waiting for a connection that is free, may take. */
  readonly connectMs: number
  /** How long one statement may take. */
  readonly statementMs: number
  /** How long a transaction may wait for its next statement before the server ends it. */
  readonly idleMs: number
  /** How long a transaction may wait for those before it in this process. */
  readonly turnMs: number
  /** Connections for reading; there is one more for writing. */
  readonly readers: number
}

export const postgresLimits: PostgresLimits = {
  connectMs: 5_000,
  statementMs: 20_000,
  idleMs: 20_000,
  turnMs: 20_000,
  readers: 6,
}

/** A connection on loan. */
export interface Lease {
  query(text: string, parameters?: readonly unknown[]): Promise<LeaseAnswer>
  /** Gives it back; one that has failed is closed instead. */
  release(): void
}

interface LeaseAnswer {
  readonly rows: readonly unknown[]
  readonly command: string
  readonly rowCount: number | null
}

/** Connections to one server. Nothing here waits longer than the limits say. */
export class PostgresConnections {
  readonly #readers: Pool
  readonly #writer: Pool
  readonly #goodbyeMs: number
  readonly #names = new Map<string, string>()

  constructor(url: string, limits: PostgresLimits) {
    this.#goodbyeMs = limits.connectMs
    this.#readers = createPool(url, limits, limits.readers)
    this.#writer = createPool(url, limits, 1)
  }

  async reader(): Promise<Lease> {
    return await this.#lease(this.#readers)
  }

  async writer(): Promise<Lease> {
    return await this.#lease(this.#writer)
  }

  async end(): Promise<void> {
    const ended = Promise.all([this.#readers.end(), this.#writer.end()])
    // A server that does not answer does not say goodbye either.
    await Promise.race([ended, setTimeout(this.#goodbyeMs, undefined, { ref: false })])
  }

  async #lease(pool: Pool): Promise<Lease> {
    const client = await pool.connect().catch((error: unknown) => {
      throw translateFailure(error)
    })
    let hasFailed = false
    return {
      query: async (text, parameters) => {
        try {
          return await this.#query(client, text, parameters)
        } catch (error) {
          hasFailed ||= endsConnection(error)
          throw translateFailure(error)
        }
      },
      release: () => client.release(hasFailed),
    }
  }

  async #query(client: PoolClient, text: string, parameters?: readonly unknown[]) {
    if (parameters === undefined) return await client.query(text)
    const name = this.#nameOf(text)
    return await client.query({
      text,
      values: [...parameters],
      ...(name === undefined ? {} : { name }),
    })
  }

  /** Under a name a statement is parsed once a connection. */
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= maxNames) return known
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

/** The queries of the stores are fewer, but for lists of any length. */
const maxNames = 300

function createPool(url: string, limits: PostgresLimits, max: number): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'sedge',
    max,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.statementMs + limits.connectMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.idleMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    // An acknowledged write is on the server's disk, and its synchronous standbys', whatever its default.
    options: '-c synchronous_commit=on',
  })
  // Who waits on a connection that breaks is told so; one that nobody uses has left the pool already.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  return pool
}

const parseBytes = types.getTypeParser(types.builtins.BYTEA, 'text')

/** Whole numbers as numbers: the stores hold none above 2^53. Bytes as plain arrays of their own. */
const parserById: Readonly<Record<number, (text: string) => unknown>> = {
  [types.builtins.INT8]: Number,
  [types.builtins.NUMERIC]: Number,
  [types.builtins.BYTEA]: (text) => Uint8Array.from(parseBytes(text) as Buffer),
}

const getTypeParser = ((id: Parameters<typeof types.getTypeParser>[0]) =>
  parserById[id] ?? types.getTypeParser(id, 'text')) as typeof types.getTypeParser
