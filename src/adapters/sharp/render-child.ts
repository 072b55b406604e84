import type { Subprocess } from 'bun'
import { fileURLToPath } from 'node:url'

import {
  type Rendered,
  RendererUnavailableError,
  type RenderJob,
  UnrenderableImageError,
} from '../../ports/renderer.ts'
import type { ChildMessage, JobMessage } from './child-messages.ts'
import { recycleAboveBytes, recycleAfterJobs } from './limits.ts'
import { type ProcessBounds, watchProcess } from '../../lib/watch-process.ts'

export interface ChildLimits extends ProcessBounds {
  /** By the clock. */
  readonly maxMs: number
}

export interface ChildOptions {
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** Told once the process is gone, for whatever reason. */
  readonly onExit: () => void
}

interface Pending {
  readonly resolve: (message: Exclude<ChildMessage, { readonly kind: 'ready' }>) => void
  readonly reject: (error: Error) => void
}

const verdictByReason = {
  'too-slow': 'must take less time to draw',
  'too-much-memory': 'must need less memory to draw',
} as const

/** One killable process. It does one job at a time. */
export class RenderChild implements AsyncDisposable {
  readonly #process: Subprocess
  readonly #ready = Promise.withResolvers<void>()
  #pending: Pending | undefined
  /** Why we killed it, where we did. */
  #verdict: UnrenderableImageError | undefined
  #jobs = 0
  #rssBytes = 0
  #hasExited = false

  constructor({ directory, env, onExit }: ChildOptions) {
    this.#ready.promise.catch(() => {})
    this.#process = Bun.spawn({
      cmd: [process.execPath, fileURLToPath(new URL('child.ts', import.meta.url))],
      cwd: directory,
      env: { ...env },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      serialization: 'advanced',
      ipc: (message: ChildMessage) => this.#receive(message),
      onExit: () => {
        this.#exited()
        onExit()
      },
    })
  }

  get pid(): number {
    return this.#process.pid
  }

  get hasExited(): boolean {
    return this.#hasExited
  }

  /** Whether it has done enough to be replaced by a fresh one. */
  get isWorn(): boolean {
    return this.#jobs >= recycleAfterJobs || this.#rssBytes > recycleAboveBytes
  }

  /** Resolves once it can take a job. */
  async ready(): Promise<void> {
    await this.#ready.promise
  }

  async run(job: RenderJob, limits: ChildLimits): Promise<Rendered<unknown>> {
    await this.#ready.promise
    const startedAt = performance.now()
    using _deadline = this.#killLater(limits.maxMs)
    using _watch = watchProcess(this.pid, limits, (what) => this.#kill(what))
    const message = await this.#ask(job)
    this.#jobs += 1
    this.#rssBytes = message.rssBytes
    if (message.kind === 'unrenderable')
      throw new UnrenderableImageError(message.reason, message.message, { cause: message.cause })
    return { result: message.result, cpuMs: message.cpuMs, wallMs: performance.now() - startedAt }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#process.exited
  }

  #ask(job: RenderJob): Promise<Exclude<ChildMessage, { readonly kind: 'ready' }>> {
    const { promise, resolve, reject } =
      Promise.withResolvers<Exclude<ChildMessage, { readonly kind: 'ready' }>>()
    this.#pending = { resolve, reject }
    this.#process.send({ kind: 'job', job } satisfies JobMessage)
    return promise
  }

  #receive(message: ChildMessage): void {
    if (message.kind === 'ready') return this.#ready.resolve()
    this.#pending?.resolve(message)
    this.#pending = undefined
  }

  #killLater(ms: number): Disposable {
    const timer = setTimeout(() => this.#kill('too-slow'), ms)
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  }

  #kill(reason: keyof typeof verdictByReason): void {
    this.#verdict = new UnrenderableImageError(reason, verdictByReason[reason])
    this.#process.kill('SIGKILL')
  }

  /** A process that ends by itself in the middle of a job was ended by the picture. */
  #exited(): void {
    this.#hasExited = true
    this.#ready.reject(new RendererUnavailableError('The renderer could not be started'))
    this.#pending?.reject(
      this.#verdict ?? new UnrenderableImageError('damaged', 'must be whole and undamaged'),
    )
    this.#pending = undefined
  }
}
