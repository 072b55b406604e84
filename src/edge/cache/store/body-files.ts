import { mkdir, rename, unlink } from 'node:fs/promises'
import { statSync } from 'node:fs'
import { join } from 'node:path'

import type { ByteSpan } from '../../../http/response/ranges.ts'
import type { StoredBody } from './stored-response.ts'

/** Names bytes on disk. */
export interface BodyName {
  readonly sha256: string
  readonly sizeBytes: number
}

/** How long a file outlives its last owner, for answers and owners that are just about to open it. */
const graceMs = 5000

interface Kept {
  owners: number
  /** As the file said when it was taken over; one that says otherwise later was tampered with. */
  readonly modifiedAtMs: number
  grave: ReturnType<typeof setTimeout> | undefined
}

/**
 * Bytes in files named by their SHA-256, each kept as long as it has owners. The directory is the
 * cache's own and emptied at start, so that nothing need be flushed: after a crash nothing is there.
 */
export class BodyFiles {
  readonly #directory: string
  readonly #keptBySha256 = new Map<string, Kept>()

  constructor(directory: string) {
    this.#directory = directory
  }

  /** For a file that is to be {@link BodyFiles.adopt}ed. */
  newPath(): string {
    return join(this.#directory, 'incoming', crypto.randomUUID())
  }

  /** Takes a complete file over. Without an owner it does not stay for long. */
  async adopt(path: string, name: BodyName): Promise<FileBody> {
    const { sha256 } = name
    const known = this.#keptBySha256.get(sha256)
    if (known !== undefined && this.#isIntact(name)) await unlink(path)
    else {
      await mkdir(join(this.#directory, sha256.slice(0, 2)), { recursive: true })
      await rename(path, this.#pathOf(sha256))
      const modifiedAtMs = statSync(this.#pathOf(sha256)).mtimeMs
      this.#keptBySha256.set(sha256, { owners: 0, grave: undefined, ...known, modifiedAtMs })
    }
    this.#buryIfUnowned(sha256)
    return this.#bodyOf(name)
  }

  /** One owner more. Throws where there are no such bytes any more. */
  retain({ sha256 }: Pick<BodyName, 'sha256'>): void {
    const kept = this.#keptBySha256.get(sha256)
    if (kept === undefined) throw new Error(`The body ${sha256} is gone`)
    kept.owners += 1
    clearTimeout(kept.grave)
  }

  /** One owner less; some time after the last one the file goes. */
  release({ sha256 }: BodyName): void {
    const kept = this.#keptBySha256.get(sha256)
    if (kept === undefined) return
    kept.owners -= 1
    this.#buryIfUnowned(sha256)
  }

  /** The body, or `undefined` where its file is gone or not as it was written. */
  find(name: BodyName): FileBody | undefined {
    return this.#isIntact(name) ? this.#bodyOf(name) : undefined
  }

  /** The bytes, checked against their name, or `undefined`. */
  async read(name: BodyName): Promise<Blob | undefined> {
    if (!this.#isIntact(name)) return undefined
    const file = Bun.file(this.#pathOf(name.sha256))
    const bytes = await file.bytes().catch(() => undefined)
    if (bytes === undefined) return undefined
    const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    return digest === name.sha256 ? new Blob([bytes]) : undefined
  }

  [Symbol.dispose](): void {
    for (const { grave } of this.#keptBySha256.values()) clearTimeout(grave)
  }

  #buryIfUnowned(sha256: string): void {
    const kept = this.#keptBySha256.get(sha256)
    if (kept === undefined || kept.owners > 0) return
    clearTimeout(kept.grave)
    kept.grave = setTimeout(() => {
      this.#keptBySha256.delete(sha256)
      void unlink(this.#pathOf(sha256)).catch(() => {})
    }, graceMs)
    kept.grave.unref()
  }

  #isIntact({ sha256, sizeBytes }: BodyName): boolean {
    const kept = this.#keptBySha256.get(sha256)
    const stat = statSync(this.#pathOf(sha256), { throwIfNoEntry: false })
    return stat?.size === sizeBytes && stat.mtimeMs === kept?.modifiedAtMs
  }

  #bodyOf(name: BodyName): FileBody {
    const path = this.#pathOf(name.sha256)
    return {
      ...name,
      isComplete: true,
      isIntact: () => this.#isIntact(name),
      open: (span?: ByteSpan) =>
        span === undefined ? Bun.file(path) : Bun.file(path).slice(span.start, span.end),
    }
  }

  #pathOf(sha256: string): string {
    return join(this.#directory, sha256.slice(0, 2), sha256)
  }
}

/** A body that is a file. */
export interface FileBody extends StoredBody, BodyName {
  readonly sizeBytes: number
  isIntact(): boolean
  open(span?: ByteSpan): Blob
}

export const isFileBody = (body: StoredBody): body is FileBody => 'isIntact' in body
