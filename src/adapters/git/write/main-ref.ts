import { constants } from 'node:fs'
import { copyFile, link, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { FlushableDirectory, flushPath, writeDurably } from '../objects/durable-file.ts'
import { objectIdPattern } from '../objects/object-id.ts'
import { codeOf, passingFault } from '../objects/storage-fault.ts'

const mainRefName = 'refs/heads/main'
/** A new value of the branch before it is one. Never written to again: the branch is the same inode. */
export const nextValuePrefix = 'sedge-next-main-'

/** Git holds a ref's lock for milliseconds; one this old was left by a process that is gone. */
export const staleLockMilliseconds = 2000
const lockPollMilliseconds = 5

interface Dependencies {
  readonly repository: string
  readonly onWarning: (message: string) => void
}

/** `refs/heads/main`, read and moved by git's own rules, so that other git processes may do the same. */
export class MainRef {
  readonly #directory: FlushableDirectory
  readonly #repository: string
  readonly #path: string
  readonly #lockPath: string
  readonly #onWarning: (message: string) => void
  #nextNumber = 0

  private constructor(directory: FlushableDirectory, { repository, onWarning }: Dependencies) {
    this.#directory = directory
    this.#repository = repository
    this.#path = join(repository, mainRefName)
    this.#lockPath = `${this.#path}.lock`
    this.#onWarning = onWarning
  }

  static async open(dependencies: Dependencies): Promise<MainRef> {
    const path = join(dependencies.repository, 'refs', 'heads')
    return new MainRef(await FlushableDirectory.open(path), dependencies)
  }

  /** Where a change of the branch shows. */
  get directory(): string {
    return this.#directory.path
  }

  /** The commit the branch is at, or `undefined` where there is no branch. */
  async read(): Promise<string | undefined> {
    const loose = await readText(this.#path)
    const id = loose === undefined ? await this.#readPacked() : loose.trim()
    if (id === undefined || objectIdPattern.test(id)) return id
    throw passingFault(`Reading ${mainRefName}`, new Error(`It holds ${JSON.stringify(id)}`))
  }

  /** Writes and flushes the value that {@link move} will put in place. */
  async prepare(id: string): Promise<string> {
    this.#nextNumber += 1
    const path = join(this.#repository, `${nextValuePrefix}${this.#nextNumber}`)
    await writeDurably(path, [Buffer.from(`${id}\n`)])
    return path
  }

  /**
   * Moves the branch from `expected` to the prepared value and answers `true` once that is durable;
   * `false`, and nothing changes, where the branch is elsewhere. The lock is held for a few system
   * calls only: what it will say has been flushed before it is taken.
   */
  async move(expected: string | undefined, prepared: string): Promise<boolean> {
    try {
      if (!(await this.#moveLocked(expected, prepared))) return false
    } catch (cause) {
      throw passingFault(`Moving ${mainRefName}`, cause)
    }
    await Promise.all([this.#directory.flush(), this.discard(prepared)])
    return true
  }

  /** Forgets a prepared value, used or not. */
  discard(prepared: string): Promise<void> {
    return rm(prepared, { force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#directory[Symbol.asyncDispose]()
  }

  async #moveLocked(expected: string | undefined, prepared: string): Promise<boolean> {
    await this.#lock(prepared)
    let isLocked = true
    try {
      if ((await this.read()) !== expected) return false
      await rename(this.#lockPath, this.#path)
      isLocked = false
      return true
    } finally {
      if (isLocked) await unlink(this.#lockPath)
    }
  }

  async #lock(prepared: string): Promise<void> {
    while (!(await tryLink(prepared, this.#lockPath)))
      if (!(await this.#removeStaleLock())) await Bun.sleep(lockPollMilliseconds)
  }

  async #removeStaleLock(): Promise<boolean> {
    const lock = await statOf(this.#lockPath)
    if (!lock || Date.now() - lock.mtimeMs < staleLockMilliseconds) return false
    this.#onWarning(`Removed ${mainRefName}.lock, which a git process had left behind`)
    await rm(this.#lockPath, { force: true })
    return true
  }

  async #readPacked(): Promise<string | undefined> {
    const packed = await readText(join(this.#repository, 'packed-refs'))
    const line = packed?.split('\n').find((text) => text.endsWith(` ${mainRefName}`))
    return line?.slice(0, line.indexOf(' '))
  }
}

/** Whether `to` is now another name of `from`; `false` where it exists. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(String(codeOf(error)))) throw error
    return tryCopy(from, to)
  }
}

/** For file systems without hard links. */
async function tryCopy(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await flushPath(to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
