import { dirname, join } from 'node:path'

import { isAbsence } from '../../lib/files/file-faults.ts'
import type { BlobRef } from '../../ports/content/blob-store.ts'
import { incomingRoot, placeOf } from './blob-layout.ts'
import { type SyncFileSystem, translateFault } from './file-system.ts'
import type { PlacedBlobs } from './placed-blobs.ts'

interface HeldBlob {
  /** Nobody else has this array, or writes to it. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** When the bytes were last wanted. */
  readonly keptAt: Date
}

interface Dependencies {
  readonly files: SyncFileSystem
  /** The store's. */
  readonly directory: string
  readonly placed: PlacedBlobs
  /** Of all together; what goes beyond is not taken. */
  readonly maxBytes: number
}

/** Beside its bytes: the name, and what is kept about it. */
const bytesEach = 500

/**
 * Small blobs that are in memory alone until they are made files of, at the next checkpoint or when somebody wants
 * a file. Whoever gives them has them durable elsewhere.
 */
export class HeldBlobs {
  readonly #needs: Dependencies
  readonly #blobBySha256 = new Map<string, HeldBlob>()
  #sizeBytes = 0

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  /** `false`, and nothing has changed, where there is no room. */
  hold({ sha256 }: BlobRef, blob: HeldBlob): boolean {
    const isNew = !this.#blobBySha256.has(sha256)
    if (isNew && this.#sizeBytes + weightOf(blob) > this.#needs.maxBytes) return false
    if (isNew) this.#sizeBytes += weightOf(blob)
    this.#blobBySha256.set(sha256, blob)
    return true
  }

  get(sha256: string): HeldBlob | undefined {
    return this.#blobBySha256.get(sha256)
  }

  stat(sha256: string): BlobRef | undefined {
    const held = this.#blobBySha256.get(sha256)
    return held && { sha256, sizeBytes: held.bytes.length }
  }

  renew(sha256: string, keptAt: Date): BlobRef | undefined {
    const held = this.#blobBySha256.get(sha256)
    if (held !== undefined) this.#blobBySha256.set(sha256, { ...held, keptAt })
    return this.stat(sha256)
  }

  drop(sha256: string): void {
    const held = this.#blobBySha256.get(sha256)
    if (held === undefined) return
    this.#sizeBytes -= weightOf(held)
    this.#blobBySha256.delete(sha256)
  }

  get isEmpty(): boolean {
    return this.#blobBySha256.size === 0
  }

  /** Those that are held now. */
  names(): readonly string[] {
    return [...this.#blobBySha256.keys()]
  }

  /**
   * Makes a file of one, if it is held, to be flushed with the others that are placed. Takes some ten microseconds
   * in which nothing else is done: to hand such calls to another thread takes longer. To be called in the turn of
   * these bytes.
   */
  write(sha256: string): void {
    const held = this.#blobBySha256.get(sha256)
    const place = placeOf(this.#needs.directory, sha256)
    if (held === undefined || place === undefined) return
    this.#needs.placed.flushLater(place, this.#writeTo(place.path, held))
    this.drop(sha256)
  }

  /** Equal bytes that are there already are not written again. */
  #writeTo(path: string, { bytes, keptAt }: HeldBlob): string | undefined {
    const { files, directory } = this.#needs
    try {
      if (files.stat(path, { throwIfNoEntry: false })?.size !== bytes.length)
        return writeFile(files, { incoming: incomingRoot(directory), path, bytes, keptAt })
      files.utimes(path, keptAt, keptAt)
      return undefined
    } catch (error) {
      throw translateFault(error)
    }
  }
}

interface NewFile extends HeldBlob {
  readonly path: string
  /** Where it is written before it gets its name. */
  readonly incoming: string
}

/** Answers the outermost directory that had to be made, if any. Where it fails nothing is left. */
function writeFile(
  files: SyncFileSystem,
  { incoming, path, bytes, keptAt }: NewFile,
): string | undefined {
  const temporary = join(incoming, Bun.randomUUIDv7())
  const file = files.open(temporary, 'wx')
  try {
    for (let done = 0; done < bytes.length;) done += files.write(file, bytes, done)
    files.futimes(file, keptAt, keptAt)
    return moveFile(files, temporary, path)
  } catch (error) {
    files.unlink(temporary)
    throw error
  } finally {
    files.close(file)
  }
}

function moveFile(files: SyncFileSystem, from: string, to: string): string | undefined {
  try {
    files.rename(from, to)
    return undefined
  } catch (error) {
    if (!isAbsence(error)) throw error
    const firstMade = files.mkdir(dirname(to), { recursive: true })
    files.rename(from, to)
    return firstMade
  }
}

const weightOf = ({ bytes }: HeldBlob): number => bytes.length + bytesEach
