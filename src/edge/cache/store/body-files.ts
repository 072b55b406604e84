import { ContentFiles } from '../../../lib/files/content-files.ts'
import { sliceOf, wholeFile } from '../../../lib/files/file-spans.ts'
import type { ByteSpan } from '../../../http/response/ranges.ts'
import type { StoredBody } from './stored-response.ts'

/** Names bytes on disk. */
export interface BodyName {
  readonly sha256: string
  readonly sizeBytes: number
}

/** How long a file outlives its last owner, for responses and owners that are just about to open it. */
const graceMs = 5000

/**
 * Bytes in files named by their SHA-256, each kept as long as it has owners. The directory is the
 * cache's own and emptied at start, so that nothing need be flushed: after a crash nothing is there.
 */
export class BodyFiles {
  readonly #files: ContentFiles
  readonly #ownersBySha256 = new Map<string, number>()

  constructor(directory: string) {
    // What owners keep is theirs to bound.
    this.#files = new ContentFiles({
      directory,
      maxBytes: Number.POSITIVE_INFINITY,
      graceMs,
      now: monotonicMs,
    })
  }

  /** For a file that is to be {@link BodyFiles.adopt}ed. */
  newPath(): string {
    return this.#files.newPath()
  }

  /** Takes a complete file over. Without an owner it does not stay for long. */
  async adopt(path: string, name: BodyName): Promise<FileBody> {
    await this.#files.adopt(path, name.sha256)
    if (!this.#ownersBySha256.has(name.sha256)) this.#files.evict(name.sha256)
    return this.#bodyOf(name)
  }

  /** One owner more. Throws where there are no such bytes any more. */
  retain({ sha256 }: Pick<BodyName, 'sha256'>): void {
    if (!this.#files.touch(sha256)) throw new Error(`The body ${sha256} is gone`)
    this.#ownersBySha256.set(sha256, (this.#ownersBySha256.get(sha256) ?? 0) + 1)
  }

  /** One owner less; some time after the last one the file goes. */
  release({ sha256 }: BodyName): void {
    const owners = (this.#ownersBySha256.get(sha256) ?? 0) - 1
    if (owners > 0) return void this.#ownersBySha256.set(sha256, owners)
    this.#ownersBySha256.delete(sha256)
    this.#files.evict(sha256)
  }

  /** The body, or `undefined` where its file is gone or not as it was written. */
  find(name: BodyName): FileBody | undefined {
    return this.#files.looksIntact(name.sha256) ? this.#bodyOf(name) : undefined
  }

  /** The bytes, checked against their name, or `undefined`. */
  async read({ sha256 }: BodyName): Promise<Blob | undefined> {
    const bytes = await this.#files.read(sha256)
    return bytes && new Blob([bytes])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files[Symbol.asyncDispose]()
  }

  #bodyOf(name: BodyName): FileBody {
    const path = this.#files.pathOf(name.sha256)
    return {
      ...name,
      isComplete: true,
      isIntact: () => this.#files.looksIntact(name.sha256),
      open: (span?: ByteSpan) => sliceOf(wholeFile(path, name.sizeBytes), span),
    }
  }
}

const monotonicMs = (): number => performance.now()

/** A body that is a file. */
export interface FileBody extends StoredBody, BodyName {
  readonly sizeBytes: number
  isIntact(): boolean
  open(span?: ByteSpan): Blob
}

export const isFileBody = (body: StoredBody): body is FileBody => 'isIntact' in body
