import type { FileHandle } from 'node:fs/promises'

import { isAbsence } from '../../../lib/files/file-faults.ts'
import type { FileSystem } from '../file-system.ts'
import type { Flusher } from '../flusher.ts'

/** Chunks of any size become writes of this size: two such buffers are all that an upload needs. */
const bufferBytes = 256 * 1024
/** So much may be lost to a kill of what nobody has been told of; it is flushed while more is written. */
const flushEveryBytes = 8 * 1024 * 1024

export interface StagedPlace {
  readonly directory: string
  readonly bytesPath: string
  /**
   * Says how many of the bytes are flushed: what a kill or a power cut left behind them is not of the
   * upload. `undefined`: somebody else keeps that in mind.
   */
  readonly lengthPath: string | undefined
}

interface Opening {
  readonly files: FileSystem
  readonly flusher: Flusher
  readonly place: StagedPlace
  /** How many bytes are there. */
  readonly length: number
  /** Whether what is written may count before {@link StagedWriter.end}. */
  readonly isGradual: boolean
  /** Gets the bytes in order, while they are written. */
  readonly onBytes: (bytes: Uint8Array) => void
}

/** Adds to the bytes of one upload: hashing, writing and flushing go on side by side. */
export class StagedWriter implements AsyncDisposable {
  readonly #opening: Opening
  readonly #bytes: FileHandle
  #length: FileHandle | undefined
  /** The names of the files are not flushed yet. */
  #isNew: boolean
  #buffer = new Uint8Array(bufferBytes)
  #spare = new Uint8Array(bufferBytes)
  #bufferedBytes = 0
  /** Where the next write goes, and how far everything is written. */
  #position: number
  #writtenBytes: number
  #flushedBytes: number
  #writing: Promise<void> = Promise.resolve()
  #flushing: Promise<void> | undefined
  /** What was written since the last flush cannot be trusted any more, nor can another flush of it. */
  #flushFailure: unknown

  private constructor(opening: Opening, bytes: FileHandle, isNew: boolean) {
    this.#opening = opening
    this.#bytes = bytes
    this.#isNew = isNew
    this.#position = this.#writtenBytes = this.#flushedBytes = opening.length
  }

  static async open(opening: Opening): Promise<StagedWriter> {
    const { files, place, length } = opening
    const { handle, isNew } = await openForWriting(files, place.bytesPath)
    try {
      // What was written and never acknowledged must not show through behind less.
      if (!isNew && (await handle.stat()).size > length) await handle.truncate(length)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new StagedWriter(opening, handle, isNew)
  }

  /** How many bytes are flushed, those from before included. */
  get flushedBytes(): number {
    return this.#flushedBytes
  }

  /** Copies `chunk` before it resolves. */
  async append(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + bufferBytes - this.#bufferedBytes)
      this.#buffer.set(part, this.#bufferedBytes)
      this.#bufferedBytes += part.length
      taken += part.length
      if (this.#bufferedBytes === bufferBytes) await this.#writeBuffer()
    }
  }

  /** Flushes all that could be written, and records that it is there. */
  async end(): Promise<void> {
    try {
      await this.#writeBuffer()
      await this.#writing
    } finally {
      await this.#flushing
      await this.#flush()
    }
  }

  /** Leaves nothing of what was written since it was opened. Not after a gradual one has begun to flush. */
  async takeBack(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#bytes.truncate(this.#opening.length)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.#writing, this.#flushing])
    await Promise.allSettled([this.#bytes.close(), this.#length?.close()])
  }

  /** Waits for the write before, not for its own. */
  async #writeBuffer(): Promise<void> {
    if (this.#bufferedBytes === 0) return
    await this.#writing
    if (this.#flushFailure !== undefined) throw this.#flushFailure
    const bytes = this.#buffer.subarray(0, this.#bufferedBytes)
    ;[this.#buffer, this.#spare] = [this.#spare, this.#buffer]
    this.#bufferedBytes = 0
    this.#writing = this.#write(bytes)
    this.#writing.catch(() => {})
    this.#opening.onBytes(bytes)
    this.#flushInBackground()
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const start = this.#position
    this.#position += bytes.length
    for (let done = 0; done < bytes.length;)
      done += (await this.#bytes.write(bytes, done, bytes.length - done, start + done)).bytesWritten
    this.#writtenBytes = start + bytes.length
  }

  #flushInBackground(): void {
    const isDue = this.#writtenBytes - this.#flushedBytes >= flushEveryBytes
    if (!this.#opening.isGradual || !isDue || this.#flushing !== undefined) return
    const end = () => void (this.#flushing = undefined)
    this.#flushing = this.#flush().then(end, end)
  }

  async #flush(): Promise<void> {
    if (this.#flushFailure !== undefined) throw this.#flushFailure
    const upTo = this.#writtenBytes
    if (upTo === this.#flushedBytes && !this.#isNew) return
    try {
      await this.#flushUpTo(upTo)
    } catch (error) {
      this.#flushFailure = error
      throw error
    }
  }

  async #flushUpTo(length: number): Promise<void> {
    const { flusher, place } = this.#opening
    await flusher.flushNewFile(this.#bytes)
    if (place.lengthPath !== undefined) await this.#recordLength(place.lengthPath, length)
    if (this.#isNew) await flusher.flushDirectory(place.directory)
    this.#isNew = false
    this.#flushedBytes = length
  }

  async #recordLength(path: string, length: number): Promise<void> {
    const { flusher, files } = this.#opening
    this.#length ??= (await openForWriting(files, path)).handle
    await this.#length.write(lengthText(length), 0)
    await flusher.flushNewFile(this.#length)
  }
}

/** Always as long, so that it is overwritten at once. */
export const lengthText = (length: number): string => String(length).padStart(16, '0')

/** 0 for what was never written whole. */
export const parseLength = (text: string | undefined): number =>
  text !== undefined && /^\d{16}$/u.test(text) ? Number(text) : 0

async function openForWriting(files: FileSystem, path: string) {
  try {
    return { handle: await files.open(path, 'r+'), isNew: false }
  } catch (error) {
    if (!isAbsence(error)) throw error
    return { handle: await files.open(path, 'wx', 0o600), isNew: true }
  }
}
