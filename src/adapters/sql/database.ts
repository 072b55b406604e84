import { type Kysely, sql, type Transaction } from 'kysely'

import type { Flavour } from './flavour.ts'
import type { Schema } from './schema.ts'
import { isUnavailable, StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

interface Beside {
  /** Called once, with the failure after which nothing is written any more. */
  readonly onFatal?: ((failure: StoreUnavailableError) => void) | undefined
  /** What reads outside of transactions, so that it need not wait for them; the same where left out. */
  readonly reading?: Kysely<Schema>
}

/** The one handle that all stores of a process share. */
export class Database implements AsyncDisposable {
  readonly #kysely: Kysely<Schema>
  readonly #reading: Kysely<Schema>
  readonly #flavour: Flavour
  readonly #onFatal: (failure: StoreUnavailableError) => void
  #failure: StoreUnavailableError | undefined

  constructor(
    kysely: Kysely<Schema>,
    flavour: Flavour,
    { onFatal = () => {}, reading = kysely }: Beside = {},
  ) {
    this.#kysely = kysely
    this.#reading = reading
    this.#flavour = flavour
    this.#onFatal = onFatal
  }

  /**
   * For reading what was committed, whatever is being written meanwhile. What is read inside a transaction goes through
   * the transaction's own handle.
   */
  get queries(): Kysely<Schema> {
    return this.#reading
  }

  /** What differs from other databases. */
  get flavour(): Flavour {
    return this.#flavour
  }

  /**
   * Runs `work` alone, all or nothing, and answers once it is durable. `work` must wait for nothing
   * but its own queries: everybody else waits for it.
   */
  async transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
    return await this.#write(() => this.#kysely.transaction().execute(work))
  }

  /**
   * The same for what is asked so often that nobody should wait for a disk, and harms nobody where it is
   * missing: it outlives the process once it is answered, and a power cut may take the last of it.
   */
  async unflushedTransaction<T>(
    work: (transaction: Transaction<Schema>) => Promise<T>,
  ): Promise<T> {
    return await this.#write(() => this.#flavour.unflushedTransaction(this.#kysely, work))
  }

  async #write<T>(write: () => Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure
    try {
      return await write()
    } catch (error) {
      throw this.#translate(error)
    }
  }

  /** Whether the database answers at all. Costs next to nothing. */
  async isHealthy(): Promise<boolean> {
    if (this.#failure) return false
    try {
      await sql`select 1`.execute(this.#reading)
      return true
    } catch {
      return false
    }
  }

  /**
   * Runs `work`, which deletes rows, and answers once nothing of them is left in what the database has written.
   * Rejects where somebody reads too long to let go of it; then it can be tried again.
   */
  async scrub(work: () => Promise<void>): Promise<void> {
    await this.#flavour.scrub(this.#kysely, work)
  }

  /** What is wrong with what is stored; empty where nothing is. Reads the whole database. */
  async integrityFaults(): Promise<readonly string[]> {
    return await this.#flavour.integrityFaults(this.#kysely)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#reading !== this.#kysely) await this.#reading.destroy()
    await this.#kysely.destroy()
  }

  #translate(error: unknown): unknown {
    const unavailability = this.#flavour.unavailability(error)
    if (unavailability === undefined) return error
    const { final } = unavailability
    const failure = isUnavailable(error, 'metadata')
      ? error
      : new StoreUnavailableError('The database cannot be written to', {
          store: 'metadata',
          final,
          cause: error,
        })
    if (!final) return failure
    if (this.#failure === undefined) {
      this.#failure = failure
      this.#onFatal(failure)
    }
    return this.#failure
  }
}
