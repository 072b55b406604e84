import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { ifPresent } from '../../lib/files/file-faults.ts'
import type { StreamIndexStore } from '../../ports/media/stream-index-store.ts'

const sha256Pattern = /^[0-9a-f]{64}$/u

/**
 * Files below `directory`, one an index. Nothing is flushed: what a power cut tears is known by the
 * checksum that an index carries, and is made again.
 */
export class DiskStreamIndexStore implements StreamIndexStore {
  readonly #directory: string

  constructor({ directory }: { readonly directory: string }) {
    this.#directory = directory
  }

  async find(sha256: string): Promise<Uint8Array | undefined> {
    const path = this.#pathOf(sha256)
    return path === undefined ? undefined : await ifPresent(readFile(path))
  }

  async save(sha256: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(sha256)
    if (path === undefined) throw new TypeError('sha256 must be 64 lower-case hex digits')
    const copy = Uint8Array.from(bytes)
    const temporary = `${path}.${randomUUID()}`
    await mkdir(dirname(path), { recursive: true })
    try {
      await writeFile(temporary, copy)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  async remove(sha256: string): Promise<void> {
    const path = this.#pathOf(sha256)
    if (path !== undefined) await rm(path, { force: true })
  }

  /** `undefined` for what is not a SHA-256, so that no other text ever becomes a path. */
  #pathOf(sha256: string): string | undefined {
    return sha256Pattern.test(sha256)
      ? join(this.#directory, sha256.slice(0, 2), `${sha256.slice(2)}.index`)
      : undefined
  }
}
