import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { Directory } from './directory.ts'
import { emptyTreeId } from '../objects/object-id.ts'
import type { ObjectReader } from '../objects/object-reader.ts'

/** Where directories come from, by the id of their tree object. */
export interface DirectorySource {
  load(id: string): Promise<Directory>
}

/** Enough for a million files whose directories are all in use, at about 50 bytes a file. */
const defaultMaxBytes = 96 * 2 ** 20

/** The directories of the repository, the ones used last kept in memory. */
export class DirectoryCache implements DirectorySource {
  readonly #objects: ObjectReader
  readonly #directoryById: LruCache<Directory>
  readonly #loads = createSingleFlight<Directory>()

  constructor(objects: ObjectReader, maxBytes = defaultMaxBytes) {
    this.#objects = objects
    this.#directoryById = new LruCache({
      maxWeight: maxBytes,
      weigh: ({ weightBytes }) => weightBytes,
    })
  }

  async load(id: string): Promise<Directory> {
    return this.#directoryById.get(id) ?? this.#loads.share(id, () => this.#read(id))
  }

  /** Directories that have become part of the repository, and those they take the place of. */
  replace(added: ReadonlyMap<string, Directory>, replacedIds: Iterable<string>): void {
    for (const [id, directory] of added) this.#directoryById.set(id, directory)
    for (const id of replacedIds) this.#directoryById.delete(id)
  }

  async #read(id: string): Promise<Directory> {
    if (id === emptyTreeId) return new Directory(Buffer.alloc(0))
    const object = await this.#objects.read(id)
    if (object?.kind !== 'tree') throw new Error(`The repository has no directory ${id}`)
    const directory = new Directory(object.body)
    this.#directoryById.set(id, directory)
    return directory
  }
}

/** Directories that exist in memory alone, in front of those of the repository. */
export const withPending = (
  pending: ReadonlyMap<string, Directory>,
  source: DirectorySource,
): DirectorySource => ({
  load: async (id) => pending.get(id) ?? source.load(id),
})
