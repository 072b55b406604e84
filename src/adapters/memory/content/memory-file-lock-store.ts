import type { FileLock, FileLockStore, LockPage } from '../../../ports/content/file-lock-store.ts'

/** A FileLockStore for tests and demos. Nothing survives the process. */
export class MemoryFileLockStore implements FileLockStore {
  readonly #lockByPath = new Map<string, FileLock>()

  async add(lock: FileLock): Promise<FileLock> {
    const present = this.#lockByPath.get(lock.path)
    if (present !== undefined) return present
    this.#lockByPath.set(lock.path, lock)
    return lock
  }

  async find(id: string): Promise<FileLock | undefined> {
    return this.#all().find((lock) => lock.id === id)
  }

  async findByPath(path: string): Promise<FileLock | undefined> {
    return this.#lockByPath.get(path)
  }

  async list({ after, zones, limit }: LockPage): Promise<readonly FileLock[]> {
    return this.#all()
      .filter(({ path }) => after === undefined || path > after)
      .filter(({ zone }) => zones === undefined || zones.includes(zone))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
      .slice(0, limit)
  }

  async count(zone: string): Promise<number> {
    return this.#all().filter((lock) => lock.zone === zone).length
  }

  async remove(id: string): Promise<boolean> {
    const lock = await this.find(id)
    return lock !== undefined && this.#lockByPath.delete(lock.path)
  }

  #all(): readonly FileLock[] {
    return [...this.#lockByPath.values()]
  }
}
