import type { BlobFiles } from './blob-files/blob-files.ts'
import type { BlobPlace } from './blob-layout.ts'
import type { Flusher } from './flusher.ts'

/** Flushes blobs that have their names already: at once, or many together later. */
export class PlacedBlobs {
  readonly #flusher: Flusher
  /** Innermost directories whose own names are known to be flushed. At most 65,536. */
  readonly #durableDirectories = new Set<string>()
  /** By path, so that a blob kept twice is flushed once. */
  #unflushed = new Map<string, BlobPlace>()

  constructor(flusher: Flusher) {
    this.#flusher = flusher
  }

  get areAllFlushed(): boolean {
    return this.#unflushed.size === 0
  }

  /** The bytes of a file that a killed process may have left in its place unflushed. */
  async flushBytes(path: string): Promise<void> {
    await this.#flusher.flushFile(path)
  }

  /** @param firstMade - the outermost directory that was made for the blob, if any was. */
  async flushName({ inner, outer, root }: BlobPlace, firstMade: string | undefined): Promise<void> {
    const unflushed = [inner]
    if (firstMade !== undefined || !this.#durableDirectories.has(inner)) unflushed.push(outer)
    if (firstMade === outer) unflushed.push(root)
    await Promise.all(unflushed.map((directory) => this.#flusher.flushDirectory(directory)))
    this.#durableDirectories.add(inner)
  }

  /** Bytes and name, whether they wait for the next {@link flushAll} or not. */
  async flush(place: BlobPlace): Promise<void> {
    await this.flushBytes(place.path)
    await this.flushName(place, undefined)
    this.#unflushed.delete(place.path)
  }

  /** Leaves bytes and name to the next {@link flushAll}. */
  flushLater(place: BlobPlace, firstMade: string | undefined): void {
    this.#flusher.assertUsable()
    if (firstMade !== undefined) this.#durableDirectories.delete(place.inner)
    this.#unflushed.set(place.path, place)
  }

  /** Bytes first, then the names of the directories that they are in. */
  async flushAll(files: Pick<BlobFiles, 'flush'>): Promise<void> {
    const batch = this.#unflushed
    this.#unflushed = new Map()
    try {
      this.#flusher.assertUsable()
      const directories = [...this.#directoriesOf([...batch.values()])]
      await files
        .flush({ files: [...batch.keys()], directories })
        .catch((error: unknown) => this.#flusher.refuse(error))
      for (const { inner } of batch.values()) this.#durableDirectories.add(inner)
    } catch (error) {
      this.#unflushed = new Map([...batch, ...this.#unflushed])
      throw error
    }
  }

  #directoriesOf(places: readonly BlobPlace[]): ReadonlySet<string> {
    const fresh = places.filter(({ inner }) => !this.#durableDirectories.has(inner))
    return new Set([...places.map(({ inner }) => inner), ...fresh.map(({ outer }) => outer)])
  }
}
