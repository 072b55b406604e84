import { open, unlink, type FileHandle } from 'node:fs/promises'

import type { BodyFiles, FileBody } from './body-files.ts'

/** A body on its way into a file: written once, in order, and read while it is being written. */
export class SpillFile {
  readonly #bodies: BodyFiles
  readonly #path: string
  readonly #hasher = new Bun.CryptoHasher('sha256')
  #handle: Promise<FileHandle> | undefined
  #writtenBytes = 0
  #pendingReads = 0
  #isOver = false
  #body: FileBody | undefined

  constructor(bodies: BodyFiles) {
    this.#bodies = bodies
    this.#path = bodies.newPath()
  }

  /** Answers where in the file the chunk is. One at a time. */
  async append(chunk: Uint8Array): Promise<number> {
    this.#handle ??= open(this.#path, 'wx+')
    const handle = await this.#handle
    const start = this.#writtenBytes
    let done = 0
    while (done < chunk.length) {
      const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, start + done)
      done += bytesWritten
    }
    this.#hasher.update(chunk)
    this.#writtenBytes += chunk.length
    return start
  }

  async read(start: number, length: number): Promise<Uint8Array> {
    if (this.#body !== undefined) return openedBytes(this.#body, start, length)
    const handle = await this.#handle
    if (handle === undefined) throw new Error('Nothing has been written')
    this.#pendingReads += 1
    try {
      const chunk = new Uint8Array(length)
      const { bytesRead } = await handle.read(chunk, 0, length, start)
      if (bytesRead < length) throw new Error('The file is shorter than what was written')
      return chunk
    } finally {
      this.#pendingReads -= 1
      await this.#closeIfOver()
    }
  }

  /** Names the complete body. Whoever wants to keep it becomes its owner. */
  async finish(): Promise<FileBody> {
    const sha256 = this.#hasher.digest('hex')
    this.#body = await this.#bodies.adopt(this.#path, { sha256, sizeBytes: this.#writtenBytes })
    this.#isOver = true
    await this.#closeIfOver()
    return this.#body
  }

  /** Nobody reads it any more; without {@link SpillFile.finish} it goes. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#closeIfOver()
    if (this.#body === undefined) await unlink(this.#path).catch(() => {})
  }

  async #closeIfOver(): Promise<void> {
    if (!this.#isOver || this.#pendingReads > 0) return
    const handle = this.#handle
    this.#handle = undefined
    await (await handle)?.close()
  }
}

async function openedBytes(body: FileBody, start: number, length: number): Promise<Uint8Array> {
  const bytes = await body.open({ start, end: start + length }).bytes()
  if (bytes.length < length) throw new Error('The file is shorter than what was written')
  return bytes
}
