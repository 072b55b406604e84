/** What the service keeps things in: the blob store, the repository, the database. */
export type StoreName = 'blobs' | 'content' | 'metadata'

export interface StoreFailure {
  readonly store: StoreName
  /** Whether only a restart helps: after a failed flush nothing on disk may be trusted as flushed. */
  readonly final: boolean
  readonly cause?: unknown
}

/**
 * A store cannot be used now: a full disk, a failed flush, a server out of reach, another process that has
 * it. The caller may try later, unless it is final.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  readonly store: StoreName
  readonly final: boolean

  constructor(message: string, { store, final, cause }: StoreFailure) {
    super(message, { cause })
    this.store = store
    this.final = final
  }
}

/** Whether an error says that a store cannot be used now; with a name, only that one. */
export const isUnavailable = (error: unknown, store?: StoreName): error is StoreUnavailableError =>
  error instanceof StoreUnavailableError && (store === undefined || error.store === store)
