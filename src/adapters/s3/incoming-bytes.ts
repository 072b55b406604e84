import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Source } from './s3-objects.ts'

/** Bodies up to this size stay in memory. */
const bufferBytes = 256 * 1024

interface TemporaryFile {
  readonly path: string
  readonly handle: FileHandle
}

/** Bytes on their way in, counted and hashed: in memory while they are few, in a file from there on. */
export class IncomingBytes implements Source {
  readonly #directory: string
  readonly #hasher = new Bun.CryptoHasher('sha256')
  #chunks: Uint8Array[] = []
  #bufferedBytes = 0
  #temporary: TemporaryFile | undefined
  #sha256: string | undefined
  sizeBytes = 0

  constructor(directory: string) {
    this.#directory = directory
  }

  get sha256(): string {
    return (this.#sha256 ??= this.#hasher.digest('hex'))
  }

  async append(chunk: Uint8Array): Promise<void> {
    this.#hasher.update(chunk)
    this.sizeBytes += chunk.length
    this.#chunks.push(Uint8Array.from(chunk))
    this.#bufferedBytes += chunk.length
    if (this.#bufferedBytes > bufferBytes) await this.#writeOut()
  }

  /** There is no more to come: from now on the bytes can be read. */
  async end(): Promise<void> {
    if (this.#temporary !== undefined) await this.#writeOut()
  }

  async bytes(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#temporary === undefined)
      return new Uint8Array(Buffer.concat(this.#chunks).subarray(start, end))
    const bytes = new Uint8Array(end - start)
    const { bytesRead } = await this.#temporary.handle.read(bytes, 0, bytes.length, start)
    if (bytesRead !== bytes.length) throw new Error('A temporary file is shorter than it was')
    return bytes
  }

  /** The bytes as a file, which is the caller's from now on. */
  async toFile(): Promise<string> {
    await this.#writeOut()
    const { path, handle } = await this.#file()
    await handle.close()
    this.#temporary = undefined
    return path
  }

  /** Leaves nothing behind of what was not moved. Never rejects. */
  async discard(): Promise<void> {
    const temporary = this.#temporary
    this.#temporary = undefined
    this.#chunks = []
    if (temporary === undefined) return
    await Promise.allSettled([temporary.handle.close(), rm(temporary.path, { force: true })])
  }

  async #writeOut(): Promise<void> {
    const { handle } = await this.#file()
    const chunks = this.#chunks
    this.#chunks = []
    this.#bufferedBytes = 0
    for (const chunk of chunks) {
      let written = 0
      while (written < chunk.length)
        written += (await handle.write(chunk, written, chunk.length - written)).bytesWritten
    }
  }

  async #file(): Promise<TemporaryFile> {
    if (this.#temporary === undefined) {
      await mkdir(this.#directory, { recursive: true })
      const path = join(this.#directory, Bun.randomUUIDv7())
      this.#temporary = { path, handle: await open(path, 'wx+', 0o600) }
    }
    return this.#temporary
  }
}
