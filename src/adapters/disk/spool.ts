import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

import { type FileSystem, moveFile } from './file-system.ts'
import type { Flusher } from './flusher.ts'

/** Bodies up to this size never touch the disk before they are kept. */
const bufferBytes = 64 * 1024

interface Dependencies {
  readonly files: FileSystem
  readonly flusher: Flusher
  /** Where the temporary file goes, should one be needed. */
  readonly directory: string
}

/** Bytes that can be given the name of a blob. */
export interface Movable {
  /** Flushes the bytes; whoever moves them to their name does so next. */
  flush(): Promise<void>
  /**
   * Gives the bytes the name `path`. The directories are the caller's to flush; answers the outermost
   * one that had to be made, if any.
   */
  moveTo(path: string): Promise<string | undefined>
  /** A copy of them, where they are few and in memory alone. Left out by what has none such. */
  buffered?(): Uint8Array<ArrayBuffer> | undefined
  /** They are not needed any more, moved or not. Never rejects. */
  discard(): Promise<void>
}

interface TemporaryFile {
  readonly path: string
  readonly handle: FileHandle
}

/** Bytes on their way in: in memory while they are few, in a temporary file from there on. */
export class Spool implements Movable {
  readonly #files: FileSystem
  readonly #flusher: Flusher
  readonly #directory: string
  #buffer = new Uint8Array(0)
  #bufferedBytes = 0
  #temporary: TemporaryFile | undefined

  constructor({ files, flusher, directory }: Dependencies) {
    this.#files = files
    this.#flusher = flusher
    this.#directory = directory
  }

  /** Copies or writes `chunk` before it resolves, so that a source that waits is held back. */
  async append(chunk: Uint8Array): Promise<void> {
    if (this.#bufferedBytes + chunk.length > bufferBytes) await this.#writeBuffer()
    if (chunk.length > bufferBytes) {
      await writeFully((await this.#file()).handle, chunk)
      return
    }
    this.#makeRoomFor(chunk.length)
    this.#buffer.set(chunk, this.#bufferedBytes)
    this.#bufferedBytes += chunk.length
  }

  /** A copy of the bytes, where all of them are in memory. */
  buffered(): Uint8Array<ArrayBuffer> | undefined {
    return this.#temporary === undefined ? this.#buffer.slice(0, this.#bufferedBytes) : undefined
  }

  /** There is no more to come: what needs a file is in it, and holds no memory any more. */
  async end(): Promise<void> {
    if (this.#temporary) await this.#writeBuffer()
  }

  async flush(): Promise<void> {
    const { handle } = await this.#file()
    await this.#writeBuffer()
    await this.#flusher.flushNewFile(handle)
  }

  async moveTo(path: string): Promise<string | undefined> {
    const { handle, path: temporaryPath } = await this.#file()
    await this.#writeBuffer()
    const firstMade = await moveFile(this.#files, temporaryPath, path)
    this.#temporary = undefined
    await handle.close()
    return firstMade
  }

  /**
   * Leaves nothing behind of what was not moved. Never rejects: what could not be removed now goes
   * when the store is next opened.
   */
  async discard(): Promise<void> {
    const temporary = this.#temporary
    this.#temporary = undefined
    this.#buffer = new Uint8Array(0)
    this.#bufferedBytes = 0
    if (temporary === undefined) return
    await Promise.allSettled([this.#files.unlink(temporary.path), temporary.handle.close()])
  }

  #makeRoomFor(sizeBytes: number): void {
    const needed = this.#bufferedBytes + sizeBytes
    if (needed <= this.#buffer.length) return
    const grown = new Uint8Array(Math.min(bufferBytes, Math.max(needed, this.#buffer.length * 2)))
    grown.set(this.#buffer.subarray(0, this.#bufferedBytes))
    this.#buffer = grown
  }

  async #writeBuffer(): Promise<void> {
    if (this.#bufferedBytes === 0) return
    const { handle } = await this.#file()
    await writeFully(handle, this.#buffer.subarray(0, this.#bufferedBytes))
    this.#bufferedBytes = 0
  }

  async #file(): Promise<TemporaryFile> {
    if (this.#temporary === undefined) {
      const path = join(this.#directory, Bun.randomUUIDv7())
      this.#temporary = { path, handle: await this.#files.open(path, 'wx') }
    }
    return this.#temporary
  }
}

async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written)
    written += bytesWritten
  }
}
