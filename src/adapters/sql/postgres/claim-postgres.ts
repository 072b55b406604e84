import { setTimeout } from 'node:timers/promises'

import { Client } from 'pg'

import { isUnavailable, StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'
import { translateFailure } from './postgres-failures.ts'

export interface PostgresClaimOptions {
  readonly url: string
  /** Whether others may claim it too that say the same: the nodes of a cluster. */
  readonly isShared?: boolean
  /** Told once, where the claim got lost and another process has it now. */
  readonly onLost: (cause: Error) => void
  /** How long another process may take to end. Longer than the server needs to notice that one is gone. */
  readonly patienceMs?: number
}

/** Any number will do that no other program takes in the same database. */
const claimLock = 7_366_744
const retryMs = 1_000
const connectMs = 5_000
/** The server ends the session of a machine that has vanished within half a minute. */
const noticing = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

/**
 * Claims a database for one process at a time (or for those that share it), for as long as its connection lives; where that breaks,
 * the claim is renewed. Throws a final {@link StoreUnavailableError} where another process keeps it.
 */
export async function claimPostgres(options: PostgresClaimOptions): Promise<AsyncDisposable> {
  const { onLost, patienceMs = 40_000, isShared = false } = options
  const ending = new AbortController()
  let client: Client | undefined

  async function claim(patience: number): Promise<void> {
    const deadline = performance.now() + patience
    for (;;) {
      const held = await connect(options.url, isShared)
      if (held !== undefined) return keep(held)
      if (performance.now() >= deadline || ending.signal.aborted)
        throw new StoreUnavailableError('Another service uses this database: stop it first', {
          store: 'metadata',
          final: true,
        })
      await Bun.sleep(retryMs)
    }
  }

  function keep(held: Client): void {
    client = held
    held.once('end', () => void (ending.signal.aborted || renew()))
  }

  async function renew(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        return await claim(0)
      } catch (error) {
        if (isUnavailable(error, 'metadata') && error.final) return onLost(error)
        await Bun.sleep(retryMs)
      }
    }
  }

  await claim(patienceMs)
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      // Nobody waits for a server that does not answer, and the process not for the clock.
      await Promise.race([client?.end(), setTimeout(connectMs, undefined, { ref: false })])
    },
  }
}

/** A connection that holds the claim, or `undefined` where another one does. */
async function connect(url: string, isShared: boolean): Promise<Client | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: 'sedge claim',
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
    keepAlive: true,
    options: noticing,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ readonly held: boolean }>(
      `select pg_try_advisory_lock${isShared ? '_shared' : ''}($1) as held`,
      [claimLock],
    )
    if (rows[0]?.held === true) return client
  } catch (error) {
    void client.end().catch(() => {})
    throw translateFailure(error)
  }
  await client.end()
  return undefined
}
