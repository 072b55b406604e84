import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { hasSha256, IncomingBytes } from './incoming-bytes.ts'

export interface LocalCopiesOptions {
  readonly directory: string
  /** The copies used longest ago are removed until the others weigh no more; none of the last minutes. */
  readonly maxBytes: number
  readonly now: () => Date
}

/** The time of a copy's last use is noted no more often. */
const notedEveryMs = 60_000
/** A copy that was in use since is not removed: somebody may be about to open it. */
const keptForMs = 3 * notedEveryMs
const namePattern = /^[0-9a-f]{64}$/u

/**
 * Blobs as local files, each looked at whole before it is used for the first time. Several processes
 * can share the directory: the times of the files tell each what the others use.
 */
export class LocalCopies {
  readonly #options: LocalCopiesOptions
  /** Those whose bytes this process has seen to be right, with the time of their last noted use. */
  readonly #notedAtBySha256 = new Map<string, number>()
  #addedBytes = 0

  constructor(options: LocalCopiesOptions) {
    this.#options = options
  }

  /** Where bytes on their way in may lie: on the same file system. */
  incoming(): IncomingBytes {
    return new IncomingBytes(join(this.#options.directory, 'incoming'))
  }

  /** The copy as a file, or `undefined` where there is none that is right. */
  async find(sha256: string): Promise<Blob | undefined> {
    const path = this.#pathOf(sha256)
    if (!(await isFile(path))) {
      this.#notedAtBySha256.delete(sha256)
      return undefined
    }
    if (!this.#notedAtBySha256.has(sha256) && !(await hasSha256(path, sha256))) {
      await rm(path, { force: true })
      return undefined
    }
    await this.#note(sha256, path)
    return Bun.file(path)
  }

  /** Whether the copy that was found before is still there; it then stays for a while. */
  touch(sha256: string): boolean {
    const notedAt = this.#notedAtBySha256.get(sha256)
    if (notedAt === undefined) return false
    if (this.#options.now().getTime() - notedAt < notedEveryMs) return true
    const path = this.#pathOf(sha256)
    const isThere = existsSync(path)
    if (isThere) void this.#note(sha256, path)
    else this.#notedAtBySha256.delete(sha256)
    return isThere
  }

  /** Takes bytes over that have been hashed on their way in. */
  async add(bytes: IncomingBytes): Promise<void> {
    const { sha256, sizeBytes } = bytes
    const path = this.#pathOf(sha256)
    await bytes.moveTo(path)
    this.#notedAtBySha256.delete(sha256)
    await this.#note(sha256, path)
    this.#addedBytes += sizeBytes
    if (this.#addedBytes > this.#options.maxBytes / 20) await this.makeRoom()
  }

  async remove(sha256: string): Promise<void> {
    this.#notedAtBySha256.delete(sha256)
    await rm(this.#pathOf(sha256), { force: true })
  }

  async makeRoom(): Promise<void> {
    this.#addedBytes = 0
    const copies = (await this.#all()).toSorted((a, b) => a.usedAt - b.usedAt)
    let sizeBytes = copies.reduce((sum, copy) => sum + copy.sizeBytes, 0)
    const tooYoung = this.#options.now().getTime() - keptForMs
    for (const copy of copies) {
      if (sizeBytes <= this.#options.maxBytes || copy.usedAt > tooYoung) return
      await this.remove(copy.sha256)
      sizeBytes -= copy.sizeBytes
    }
  }

  async #all() {
    const all: { readonly sha256: string; readonly sizeBytes: number; readonly usedAt: number }[] =
      []
    await mkdir(this.#options.directory, { recursive: true })
    for (const name of await readdir(this.#options.directory, { recursive: true })) {
      const sha256 = name.slice(3)
      if (!namePattern.test(sha256)) continue
      const found = await stat(this.#pathOf(sha256)).catch(() => undefined)
      if (found) all.push({ sha256, sizeBytes: found.size, usedAt: found.mtimeMs })
    }
    return all
  }

  #pathOf(sha256: string): string {
    return join(this.#options.directory, sha256.slice(0, 2), sha256)
  }

  async #note(sha256: string, path: string): Promise<void> {
    const now = this.#options.now()
    const notedAt = this.#notedAtBySha256.get(sha256)
    if (notedAt !== undefined && now.getTime() - notedAt < notedEveryMs) return
    this.#notedAtBySha256.set(sha256, now.getTime())
    await utimes(path, now, now).catch(() => {})
  }
}

const isFile = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
