import { constants, linkSync, readFileSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { copyFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { makeDurableDirectory } from '../../../lib/files/durable-files.ts'
import { FlushableDirectory, flushPath, writeDurably } from '../objects/durable-file.ts'
import { objectIdPattern } from '../objects/object-id.ts'
import { codeOf, passingFault } from '../objects/storage-fault.ts'

/** The one that everything is published from. */
export const mainBranch = 'main'

/** A new value of a branch before it is one. Never written to again: the branch is the same inode. */
export const nextValuePrefix = 'sedge-next-'

export const refNameOf = (branch: string): string => `refs/heads/${branch}`

/** Git holds a ref's lock for milliseconds; one this old was left by a process that is gone. */
export const staleLockMilliseconds = 2000
const lockPollMilliseconds = 5

interface Dependencies {
  readonly repository: string
  /** Without `refs/heads/`. */
  readonly branch: string
  /** Another one each time, for all branches of the repository. */
  readonly takeNumber: () => number
  readonly onWarning: (message: string) => void
}

/** A branch, read and moved by git's own rules, so that other git processes may do the same. */
export class BranchRef {
  readonly branch: string
  readonly #directory: FlushableDirectory
  readonly #repository: string
  readonly #path: string
  readonly #lockPath: string
  readonly #takeNumber: () => number
  readonly #onWarning: (message: string) => void

  private constructor(
    directory: FlushableDirectory,
    { repository, branch, takeNumber, onWarning }: Dependencies,
  ) {
    this.branch = branch
    this.#directory = directory
    this.#repository = repository
    this.#path = join(repository, refNameOf(branch))
    this.#lockPath = `${this.#path}.lock`
    this.#takeNumber = takeNumber
    this.#onWarning = onWarning
  }

  static async open(dependencies: Dependencies): Promise<BranchRef> {
    const { repository, branch } = dependencies
    const path = dirname(join(repository, refNameOf(branch)))
    await makeDurableDirectory(path)
    return new BranchRef(await FlushableDirectory.open(path), dependencies)
  }

  /** Where a change of the branch shows. */
  get directory(): string {
    return this.#directory.path
  }

  /** The commit the branch is at, or `undefined` where there is no branch. */
  read(): Promise<string | undefined> {
    return readBranch(this.#repository, this.branch)
  }

  /** Writes and flushes the value that {@link move} will put in place. */
  async prepare(id: string): Promise<string> {
    const path = join(this.#repository, `${nextValuePrefix}${this.#takeNumber()}`)
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
      throw passingFault(`Moving the branch ${this.branch}`, cause)
    }
    await this.#directory.flush()
    await this.discard(prepared)
    return true
  }

  /**
   * Forgets a prepared value, used or not. What cannot be removed goes at the next start: a branch that has moved
   * must not be taken for one that has not, or the pack it leads to is taken away.
   */
  async discard(prepared: string): Promise<void> {
    try {
      rmSync(prepared, { force: true })
    } catch (cause) {
      this.#onWarning(`A prepared value of ${refNameOf(this.branch)} is left: ${String(cause)}`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#directory[Symbol.asyncDispose]()
  }

  async #moveLocked(expected: string | undefined, prepared: string): Promise<boolean> {
    await this.#lock(prepared)
    let isLocked = true
    try {
      if ((await this.read()) !== expected) return false
      renameSync(this.#lockPath, this.#path)
      isLocked = false
      return true
    } finally {
      if (isLocked) unlinkSync(this.#lockPath)
    }
  }

  async #lock(prepared: string): Promise<void> {
    while (!(await tryLink(prepared, this.#lockPath)))
      if (!(await this.#removeStaleLock())) await Bun.sleep(lockPollMilliseconds)
  }

  async #removeStaleLock(): Promise<boolean> {
    const lock = await statOf(this.#lockPath)
    if (!lock || Date.now() - lock.mtimeMs < staleLockMilliseconds) return false
    this.#onWarning(`Removed ${refNameOf(this.branch)}.lock, which a git process had left behind`)
    await rm(this.#lockPath, { force: true })
    return true
  }
}

/** The commit a branch is at, or `undefined` where there is none of that name. */
export async function readBranch(repository: string, branch: string): Promise<string | undefined> {
  const name = refNameOf(branch)
  const loose = readText(join(repository, name))
  const id = loose === undefined ? readPacked(repository, name) : loose.trim()
  if (id === undefined || objectIdPattern.test(id)) return id
  throw passingFault(`Reading ${name}`, new Error(`It holds ${JSON.stringify(id)}`))
}

function readPacked(repository: string, name: string): string | undefined {
  const packed = readText(join(repository, 'packed-refs'))
  const line = packed?.split('\n').find((text) => text.endsWith(` ${name}`))
  return line?.slice(0, line.indexOf(' '))
}

/** Whether `to` is now another name of `from`; `false` where it exists. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    linkSync(from, to)
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

/** A line or two: read sooner than another thread could be asked to. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
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
