import { setPriority } from 'node:os'

import { Mutex } from '../../../lib/async/mutex.ts'
import { gitCommand, gitEnvironment } from '../objects/git-command.ts'

interface Dependencies {
  readonly repository: string
  readonly onWarning: (message: string) => void
}

/**
 * Measured on 50,000 files: 800 small packs slow no read down, and joining costs 0.25 s for 200 packs
 * and 0.5 s for 800. The bound is for other git processes, which open every index they find.
 */
const joinAtPacks = 500
const lowestPriority = 19

/** Joins the small packs that every group leaves, beside the work and never in its way. */
export class Housekeeping {
  readonly #repository: string
  readonly #onWarning: (message: string) => void
  readonly #turns = new Mutex()
  #packsSince = 0
  #running: Promise<void> | undefined
  #isClosed = false

  constructor({ repository, onWarning }: Dependencies) {
    this.#repository = repository
    this.#onWarning = onWarning
  }

  packAdded(count = 1): void {
    this.#packsSince += count
    if (this.#packsSince < joinAtPacks || this.#running || this.#isClosed) return
    this.#packsSince = 0
    this.#running = this.#joinPacks().finally(() => (this.#running = undefined))
  }

  /** Runs what must not see packs vanish. */
  async undisturbed<T>(work: () => Promise<T>): Promise<T> {
    using _turn = await this.#turns.acquire()
    return await work()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #joinPacks(): Promise<void> {
    using _turn = await this.#turns.acquire()
    await this.#run(['repack', '-d', '-q', '--geometric=2'])
    if (!this.#isClosed)
      await this.#run([
        'commit-graph',
        'write',
        '--reachable',
        '--changed-paths',
        '--split',
        '--no-progress',
      ])
  }

  async #run(args: readonly string[]): Promise<void> {
    const child = Bun.spawn(gitCommand(this.#repository, args), {
      env: gitEnvironment(),
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    lower(child.pid)
    const errors = await new Response(child.stderr).text()
    if ((await child.exited) !== 0) this.#onWarning(`git ${args[0]} failed: ${errors.trim()}`)
  }
}

function lower(processId: number): void {
  try {
    setPriority(processId, lowestPriority)
  } catch {
    // It has ended already.
  }
}
