import type { Subprocess } from 'bun'

import {
  type Rendered,
  RendererUnavailableError,
  type RenderJob,
  RenderSourceError,
  UnrenderableImageError,
} from '../../../ports/media/renderer.ts'
import type { ChildMessage, JobMessage } from './child-messages.ts'
import { Handover } from './handover.ts'
import { type SentResult, taken } from './large-bytes.ts'
import {
  maxCpuSeconds,
  maxDataBytes,
  recycleAboveBytes,
  recycleAfterCpuMs,
  recycleAfterJobs,
} from '../limits.ts'
import type { ChildBox } from '../../../lib/box/child-box.ts'
import { programFile } from '../../../lib/files/program-files.ts'
import { type ProcessBounds, watchProcess } from '../../../lib/watch-process.ts'

export interface ChildLimits extends ProcessBounds {
  /** By the clock. */
  readonly maxMs: number
}

export interface ChildOptions {
  /** Nobody else's; made where it is not there. */
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** Directories that it may read besides what it is handed. */
  readonly readable: readonly string[]
  readonly box: ChildBox
  /** Told of an image that ended the process. */
  readonly onCrash: (how: Readonly<Record<string, unknown>>) => void
  /** Told once the process is gone, for whatever reason. */
  readonly onExit: () => void
}

type Answer = Exclude<ChildMessage, { readonly kind: 'ready' }>

interface Pending {
  readonly resolve: (message: Answer) => void
  readonly reject: (error: Error) => void
}

/** Signals by which somebody else ends a process: the image has no part in it. */
const signalsFromOutside: ReadonlySet<string> = new Set(
  'SIGKILL SIGTERM SIGINT SIGHUP SIGQUIT'.split(' '),
)

const verdictByReason = {
  'too-slow': 'must take less time to draw',
  'too-much-memory': 'must need less memory to draw',
} as const

/** One killable process. It does one job at a time. */
export class RenderChild implements AsyncDisposable {
  readonly #process: Subprocess
  readonly #handover: Handover
  readonly #options: ChildOptions
  readonly #ready = Promise.withResolvers<void>()
  #pending: Pending | undefined
  /** Why we killed it, where we did. */
  #verdict: UnrenderableImageError | undefined
  #jobs = 0
  #cpuMs = 0
  #rssBytes = 0
  #hasExited = false

  /** Throws {@link RendererUnavailableError} where no process can be started. */
  constructor(options: ChildOptions) {
    this.#options = options
    this.#handover = new Handover(options.directory)
    this.#ready.promise.catch(() => {})
    try {
      this.#process = this.#start()
    } catch (cause) {
      throw new RendererUnavailableError('The renderer could not be started', { cause })
    }
  }

  get pid(): number {
    return this.#process.pid
  }

  get hasExited(): boolean {
    return this.#hasExited
  }

  /** What it held after its last job. */
  get rssBytes(): number {
    return this.#rssBytes
  }

  /** Whether it has done enough to be replaced by a fresh one. */
  get isWorn(): boolean {
    return (
      this.#jobs >= recycleAfterJobs ||
      this.#rssBytes > recycleAboveBytes ||
      this.#cpuMs > recycleAfterCpuMs
    )
  }

  /** Resolves once it can take a job. */
  async ready(): Promise<void> {
    await this.#ready.promise
  }

  async run(job: RenderJob, limits: ChildLimits): Promise<Rendered<unknown>> {
    await this.#ready.promise
    await using handed = await this.#handover.hand(job)
    const startedAt = performance.now()
    using _deadline = this.#killLater(limits.maxMs)
    using _watch = watchProcess(this.pid, limits, (what) => this.#kill(what))
    const message = await this.#ask(handed.job)
    this.#jobs += 1
    this.#rssBytes = message.rssBytes
    if (message.kind === 'unreadable')
      throw new RenderSourceError('The image cannot be opened', { cause: message.cause })
    if (message.kind === 'unrenderable')
      throw new UnrenderableImageError(message.reason, message.message, { cause: message.cause })
    this.#cpuMs += message.cpuMs
    const result = await this.#taken(message.sent)
    return { result, cpuMs: message.cpuMs, wallMs: performance.now() - startedAt }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#process.exited
    await this.#handover[Symbol.asyncDispose]()
  }

  #start(): Subprocess {
    const { directory, env, box, readable, onExit } = this.#options
    const { inbox, scratch } = this.#handover
    const program = programFile('src/adapters/sharp/child/child.ts')
    const boxed = box.command(program, [], {
      readable: [inbox, ...readable],
      writable: [scratch],
      maxCpuSeconds,
      maxDataBytes,
    })
    return Bun.spawn({
      cmd: boxed.cmd,
      cwd: directory,
      env: { ...env, HOME: scratch, TMPDIR: scratch, XDG_CACHE_HOME: scratch, ...boxed.env },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      serialization: 'advanced',
      ipc: (message: ChildMessage) => this.#receive(message),
      onExit: ({ signalCode }, exitCode) => {
        this.#exited(exitCode, signalCode)
        onExit()
      },
    })
  }

  /** One whose file is not what it said is not asked again. */
  async #taken(sent: SentResult): Promise<unknown> {
    try {
      return await taken(sent, this.#handover.scratch)
    } catch (cause) {
      this.#process.kill('SIGKILL')
      throw new UnrenderableImageError('crashed', 'must be one that can be drawn', { cause })
    }
  }

  #ask(job: RenderJob): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#pending = { resolve, reject }
    // A process that has just ended would never answer.
    if (this.#hasExited) reject(endedFromOutside())
    else this.#process.send({ kind: 'job', job } satisfies JobMessage)
    return promise
  }

  #receive(message: ChildMessage): void {
    if (message.kind === 'ready') {
      this.#options.box.noteStart(message.layers)
      return this.#ready.resolve()
    }
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

  #exited(exitCode: number | null, signal: string | number | null): void {
    this.#hasExited = true
    void this.#handover[Symbol.asyncDispose]().catch(() => {})
    this.#ready.reject(new RendererUnavailableError('The renderer could not be started'))
    this.#pending?.reject(this.#verdict ?? this.#endedBy(exitCode, signal))
    this.#pending = undefined
  }

  /** A process that ends by itself in the middle of a job was ended by the image. */
  #endedBy(exitCode: number | null, signal: string | number | null): Error {
    if (signalsFromOutside.has(String(signal))) return endedFromOutside()
    if (signal === 'SIGXCPU')
      return new UnrenderableImageError('too-slow', verdictByReason['too-slow'])
    this.#options.onCrash({ exitCode, signal })
    return new UnrenderableImageError('crashed', 'must be one that can be drawn')
  }
}

const endedFromOutside = () => new RendererUnavailableError('The renderer was ended from outside')
