import {
  type Commit,
  type CommitListener,
  type CommitRequest,
  type Plan,
} from '../../../ports/content/content-store.ts'
import type { BranchTip } from './branch-tip.ts'
import type { Group, Head, Outcome } from './commit-group.ts'
import { passingFault } from '../objects/storage-fault.ts'
import { NoSuchLineError } from '../../../ports/previews/content-lines.ts'
import {
  isUnavailable,
  type StoreUnavailableError,
} from '../../../ports/store-unavailable-error.ts'

interface Dependencies {
  readonly tip: BranchTip
  /** Brings blobs into the repository that are too large for a group. */
  readonly stage: (outcome: Extract<Outcome, { kind: 'postponed' }>) => Promise<void>
  readonly onWarning: (message: string, cause?: unknown) => void
  readonly onFatal: (error: StoreUnavailableError) => void
}

interface WaitingPlan {
  readonly request: CommitRequest
  readonly plan: Plan
  readonly resolve: (commit: Commit | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Commits that the repository has, for the branch to be moved on to. */
interface WaitingAdvance {
  readonly advance: Advance
  readonly resolve: (isMoved: boolean) => void
  readonly reject: (error: unknown) => void
}

export interface Advance {
  /** Where the branch has to be. */
  readonly after: string | undefined
  /** Each on top of the one before. */
  readonly commits: readonly Commit[]
  /** The last of them. */
  readonly head: Head
}

interface Settled {
  readonly waiting: WaitingPlan
  readonly outcome: Outcome
}

/**
 * Group commit without a timer: while one group is made durable the plans that come in wait, and are
 * the next group. While a group is told, the next one is being written.
 */
export class Committer {
  readonly #needs: Dependencies
  readonly #waiting: WaitingPlan[] = []
  readonly #advances: WaitingAdvance[] = []
  readonly #alone: (() => Promise<void>)[] = []
  readonly #staging = new Set<Promise<void>>()
  /** A check comes every second; what keeps failing is said once. */
  #isCheckFailing = false
  #isCheckDue = false
  #working: Promise<void> | undefined
  #told: Promise<void> = Promise.resolve()
  #listener: CommitListener | undefined
  #fatal: StoreUnavailableError | undefined
  #isClosed = false

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  commit(request: CommitRequest, plan: Plan): Promise<Commit | undefined> {
    if (this.#isClosed) return Promise.reject(new Error('The content store is closed'))
    if (this.#fatal) return Promise.reject(this.#fatal)
    const { promise, resolve, reject } = Promise.withResolvers<Commit | undefined>()
    this.#waiting.push({ request, plan, resolve, reject })
    this.#wake()
    return promise
  }

  /**
   * Moves the branch on to commits that were made elsewhere, where it still is where they begin, and tells of
   * all of them at once. `false`, and nothing has changed, where it is not.
   */
  advance(advance: Advance): Promise<boolean> {
    if (this.#isClosed) return Promise.reject(new Error('The content store is closed'))
    if (this.#fatal) return Promise.reject(this.#fatal)
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    this.#advances.push({ advance, resolve, reject })
    this.#wake()
    return promise
  }

  /** Looks, when its turn comes, whether the branch was moved by other means. */
  check(): void {
    if (this.#isClosed || this.#fatal) return
    this.#isCheckDue = true
    this.#wake()
  }

  /** Runs `work` while nothing is committed, and all that was is told. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The content store is closed'))
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#alone.push(async () => {
      await this.#told
      await work().then(resolve, reject)
    })
    this.#wake()
    return promise
  }

  follow(listener: CommitListener): void {
    this.#listener = listener
  }

  /** Finishes what was asked for; nothing more is taken. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    while (this.#working || this.#staging.size > 0)
      await Promise.all([this.#working, ...this.#staging])
    await this.#told
  }

  #wake(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
      if (this.#hasWork) this.#wake()
    })
  }

  get #hasWork(): boolean {
    return (
      this.#waiting.length > 0 ||
      this.#advances.length > 0 ||
      this.#alone.length > 0 ||
      this.#isCheckDue
    )
  }

  async #work(): Promise<void> {
    // Whatever else is ready to ask in this turn of the event loop belongs to the group.
    await Promise.resolve()
    while (this.#hasWork) {
      for (const work of this.#alone.splice(0)) await work()
      for (const waiting of this.#advances.splice(0)) await this.#moveOn(waiting)
      this.#isCheckDue = false
      const plans = this.#waiting.splice(0)
      try {
        await this.#commitAll(plans)
      } catch (error) {
        this.#fail(plans, error)
      }
    }
  }

  async #moveOn(waiting: WaitingAdvance): Promise<void> {
    const { after, commits, head } = waiting.advance
    const { tip } = this.#needs
    try {
      await tip.catchUp((foreign) => this.#tellForeign(foreign))
      if (!(await tip.moveOn(after, head))) return waiting.resolve(false)
    } catch (error) {
      return this.#fail([waiting], error)
    }
    await this.#told
    this.#told = (async () => {
      try {
        await this.#listener?.(commits)
        waiting.resolve(true)
      } catch (error) {
        waiting.reject(error)
      }
    })()
  }

  /** A branch that somebody else moves meanwhile is taken up, and the plans run again on top. */
  async #commitAll(plans: readonly WaitingPlan[]): Promise<void> {
    const { tip } = this.#needs
    for (;;) {
      await tip.catchUp((commits) => this.#tellForeign(commits))
      this.#isCheckFailing = false
      const group = tip.startGroup()
      const settled = await runPlans(group, plans)
      if (group.commits.length > 0 && !(await tip.advance(group))) continue
      this.#waiting.unshift(...plans.slice(settled.length))
      await this.#told
      this.#told = this.#tellAndSettle(group.commits, settled)
      return
    }
  }

  async #tellAndSettle(commits: readonly Commit[], settled: readonly Settled[]): Promise<void> {
    try {
      if (commits.length > 0) await this.#listener?.(commits)
    } catch (error) {
      for (const { waiting, outcome } of settled)
        if (outcome.kind === 'committed') waiting.reject(error)
        else this.#settle(waiting, outcome)
      return
    }
    for (const { waiting, outcome } of settled) this.#settle(waiting, outcome)
  }

  async #tellForeign(commits: readonly Commit[]): Promise<void> {
    await this.#told
    try {
      await this.#listener?.(commits)
    } catch (error) {
      this.#needs.onWarning('Telling of commits made by other means failed', error)
    }
  }

  #settle(waiting: WaitingPlan, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'committed':
        return waiting.resolve(outcome.commit)
      case 'unchanged':
        return waiting.resolve(undefined)
      case 'refused':
        return waiting.reject(outcome.error)
      case 'postponed':
        this.#stage(waiting, outcome)
    }
  }

  #stage(waiting: WaitingPlan, outcome: Extract<Outcome, { kind: 'postponed' }>): void {
    const staging = this.#stageAndRequeue(waiting, outcome).finally(() =>
      this.#staging.delete(staging),
    )
    this.#staging.add(staging)
  }

  async #stageAndRequeue(
    waiting: WaitingPlan,
    outcome: Extract<Outcome, { kind: 'postponed' }>,
  ): Promise<void> {
    try {
      await this.#needs.stage(outcome)
    } catch (error) {
      if (isUnavailable(error, 'content')) this.#fail([waiting], error)
      else waiting.reject(error)
      return
    }
    this.#waiting.push(waiting)
    this.#wake()
  }

  #fail(plans: readonly Pick<WaitingPlan, 'reject'>[], error: unknown): void {
    if (error instanceof NoSuchLineError) {
      for (const { reject } of plans) reject(error)
      return
    }
    const fault = passingFault('Committing', error)
    if (plans.length === 0 && !this.#isCheckFailing) {
      this.#isCheckFailing = true
      this.#needs.onWarning('Looking for commits made by other means failed', error)
    }
    for (const { reject } of plans) reject(fault)
    if (!fault.final || this.#fatal) return
    this.#fatal = fault
    for (const { reject } of this.#waiting.splice(0)) reject(fault)
    for (const { reject } of this.#advances.splice(0)) reject(fault)
    this.#needs.onFatal(fault)
  }
}

/** As many of the plans as the group can hold, in order. */
async function runPlans(group: Group, plans: readonly WaitingPlan[]): Promise<Settled[]> {
  const settled: Settled[] = []
  for (const waiting of plans) {
    if (group.isFull) break
    settled.push({ waiting, outcome: await group.add(waiting.request, waiting.plan) })
  }
  return settled
}
