import type { ChunkLog } from './chunk-log.ts'
import type { StoredResponse } from './stored-response.ts'

/**
 * Where stored responses live, up to several variants a key. A store may forget anything at any time;
 * it never gives back what was not put, nor half of it.
 */
export interface CacheStore extends AsyncDisposable {
  /** Bodies above this are not worth offering. */
  readonly maxBodyBytes: number
  /** The most that {@link CacheStore.newLog} holds of a body in memory. */
  readonly maxMemoryBodyBytes: number
  /** For a body that is coming in. */
  newLog(): ChunkLog
  /** Whether anything may be kept under the key; true where it is not known. */
  has(key: string): boolean
  /** The variants at hand without waiting, newest first. */
  peek(key: string): readonly StoredResponse[]
  /** The variants wherever they are, newest first. */
  load(key: string): Promise<readonly StoredResponse[]>
  /** Keeps a response whose body is complete, in place of the one with the same key and variant. */
  put(stored: StoredResponse): void
  remove(key: string): void
}
