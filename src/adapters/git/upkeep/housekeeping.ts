import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Mutex } from '../../../lib/async/mutex.ts'
import { startTied, type TiedProcess } from '../../../lib/tied-process.ts'
import { gitCommand, gitEnvironment } from '../objects/git-command.ts'
import { packNames } from './verification.ts'

interface Dependencies {
  readonly repository: string
  readonly now: () => Date
  readonly onWarning: (message: string, cause?: unknown) => void
}

/**
 * Measured on 50,000 files: 800 small packs slow no read down, and joining costs 0.25 s for 200 packs
 * and 0.5 s for 800. The bound is for other git processes, which open every index they find.
 */
const joinAtPacks = 500
/** How long a start leaves alone what a joining that was broken off before it has left. */
const restMilliseconds = 3_600_000
/** A supervisor that has asked a service to end waits ten seconds or more. */
const patienceMilliseconds = 5_000

/** When a joining was begun; it is there until one has been finished. */
export const joiningName = 'sedge-joining'

/**
 * Joins the small packs that every group leaves, beside the work and never in its way. What it has
 * started does not outlive the service.
 */
export class Housekeeping {
  readonly #repository: string
  readonly #now: () => Date
  readonly #onWarning: Dependencies['onWarning']
  readonly #turns = new Mutex()
  #packsSince = 0
  #running: Promise<void> | undefined
  #process: TiedProcess | undefined
  #isClosed = false

  constructor({ repository, now, onWarning }: Dependencies) {
    this.#repository = repository
    this.#now = now
    this.#onWarning = onWarning
  }

  /**
   * Counts the packs that are there. After a joining that was broken off lately only new ones count:
   * a service that is killed again and again, perhaps because of it, would begin it at every start.
   */
  async takeUp(): Promise<void> {
    if (!(await this.#hasBrokenOff())) this.packAdded((await packNames(this.#repository)).length)
  }

  packAdded(count = 1): void {
    this.#packsSince += count
    if (this.#packsSince < joinAtPacks || this.#running || this.#isClosed) return
    this.#packsSince = 0
    this.#running = this.#joinPacks()
      .catch((error: unknown) => this.#onWarning('packs could not be joined', error))
      .finally(() => (this.#running = undefined))
  }

  /** Runs what must not see packs vanish. */
  async undisturbed<T>(work: () => Promise<T>): Promise<T> {
    using _turn = await this.#turns.acquire()
    return await work()
  }

  /** Runs git beside the work, as its own; to be called by what runs undisturbed. */
  async run(args: readonly string[]): Promise<void> {
    if (!(await this.#run(args))) throw new Error(`git ${args[0]} came to nothing`)
  }

  /** What is nearly done is waited for; git leaves the packs as they were where it is ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const patience = setTimeout(() => this.#process?.[Symbol.dispose](), patienceMilliseconds)
    await this.#running
    clearTimeout(patience)
  }

  async #hasBrokenOff(): Promise<boolean> {
    const begun = await readFile(this.#joiningPath, 'utf8').catch(() => '')
    const age = this.#now().getTime() - Date.parse(begun)
    return age >= 0 && age < restMilliseconds
  }

  get #joiningPath(): string {
    return join(this.#repository, joiningName)
  }

  async #joinPacks(): Promise<void> {
    using _turn = await this.#turns.acquire()
    if (this.#isClosed) return
    await writeFile(this.#joiningPath, this.#now().toISOString())
    if (await this.#run(['repack', '-d', '-q', '--geometric=2']))
      await rm(this.#joiningPath, { force: true })
    await this.#run([
      'commit-graph',
      'write',
      '--reachable',
      '--changed-paths',
      '--split',
      '--no-progress',
    ])
  }

  /** Answers whether it went well. */
  async #run(args: readonly string[]): Promise<boolean> {
    if (this.#isClosed) return false
    using tied = startTied(gitCommand(this.#repository, args), gitEnvironment())
    this.#process = tied
    const { exitCode, errors } = await tied.ended
    this.#process = undefined
    if (exitCode !== 0 && !this.#isClosed)
      this.#onWarning(`git ${args[0]} failed: ${errors.trim()}`)
    return exitCode === 0
  }
}
