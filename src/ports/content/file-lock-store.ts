/** Somebody works on a file of the repository and asks others not to. */
export interface FileLock {
  readonly id: string
  /** In the repository, e.g. `clients/acme/v1/films/film.mp4`. */
  readonly path: string
  /** The zone whose file it is; empty where it is no zone's. */
  readonly zone: string
  /** The commit that made the zone: a later one of its name has none of its locks. */
  readonly zoneCommitId: string | undefined
  /** The id of a credential. */
  readonly owner: string
  readonly lockedAt: Date
}

export interface LockPage {
  /** Paths after this one. */
  readonly after: string | undefined
  /** Of these zones alone. */
  readonly zones: readonly string[] | undefined
  readonly limit: number
}

/** Locks, of which each path has at most one. */
export interface FileLockStore {
  /** Answers the lock that the path has then: this one, or the one that it had. */
  add(lock: FileLock): Promise<FileLock>
  find(id: string): Promise<FileLock | undefined>
  findByPath(path: string): Promise<FileLock | undefined>
  /** By path, in the order of code points. */
  list(page: LockPage): Promise<readonly FileLock[]>
  count(zone: string): Promise<number>
  /** Answers whether there was one. */
  remove(id: string): Promise<boolean>
}
