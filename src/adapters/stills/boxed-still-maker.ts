import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { type ChildBox, createChildBox } from '../../lib/box/child-box.ts'
import { programFile } from '../../lib/files/program-files.ts'
import { type Exceeded, watchProcess } from '../../lib/watch-process.ts'
import {
  type Rendered,
  RendererUnavailableError,
  RenderSourceError,
  UnrenderableImageError,
} from '../../ports/media/renderer.ts'
import type {
  StillJob,
  StillKind,
  StillMaker,
  StillOutcome,
} from '../../ports/media/still-maker.ts'
import type { StillMessage, StillRequest } from './still-messages.ts'

interface Options {
  /** For what children need on the disk; what an earlier process left there is removed. */
  readonly directory: string
  readonly kinds: readonly StillKind[]
  readonly box?: ChildBox
  /** A directory from where packages are looked for that are not installed by default; the service's own. */
  readonly packages?: string
  /** Told of a file that ended the process that worked on it. */
  readonly onCrash?: (how: Readonly<Record<string, unknown>>) => void
  /** By the clock. */
  readonly maxMs?: number
  /** Of one core; watched on Linux only, like the next. */
  readonly maxCpuMs?: number
  readonly maxBytes?: number
}

const usual = {
  maxMs: 20_000,
  maxCpuMs: 10_000,
  maxBytes: 700 * 2 ** 20,
  packages: import.meta.dir,
  onCrash: () => {},
}
/** What the system gives it at most, should nobody kill it in time; the runtime reserves half of it. */
const maxDataBytes = 8 * 2 ** 30
const maxStillBytes = 25 * 2 ** 20

const verdictByReason: Readonly<Record<Exceeded, string>> = {
  'too-slow': 'must take less time to draw',
  'too-much-memory': 'must need less memory to draw',
}

/** Signals by which somebody else ends a process: the file has no part in it. */
const signalsFromOutside: ReadonlySet<string> = new Set(
  'SIGKILL SIGTERM SIGINT SIGHUP SIGQUIT'.split(' '),
)

interface Ended {
  readonly message: StillMessage | undefined
  readonly exitCode: number | null
  readonly signal: string | null
  /** Why we killed it, where we did. */
  readonly verdict: Exceeded | undefined
  readonly wallMs: number
}

/**
 * Makes each still in a process of its own, which ends with it: what one file has done to a decoder no
 * other file meets. Stills are made once, so that a start for each costs little.
 */
export class BoxedStillMaker implements StillMaker {
  readonly kinds: readonly StillKind[]
  readonly maxMs: number
  readonly #options: Required<Omit<Options, 'box'>>
  readonly #box: ChildBox
  readonly #running = new Set<Bun.Subprocess>()

  constructor(options: Options) {
    this.#options = { ...usual, ...options }
    this.#box = options.box ?? createChildBox()
    this.kinds = options.kinds
    this.maxMs = this.#options.maxCpuMs
  }

  async make({ path, of, at }: StillJob): Promise<Rendered<StillOutcome>> {
    const scratch = await this.#openScratch()
    try {
      const { packages } = this.#options
      const ended = await this.#run({ path, of, at, scratch, packages })
      return this.#outcomeOf(ended)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL')
    await Promise.all([...this.#running].map((child) => child.exited))
    await rm(this.#options.directory, { recursive: true, force: true })
  }

  async #openScratch(): Promise<string> {
    try {
      await mkdir(this.#options.directory, { recursive: true, mode: 0o700 })
      return await mkdtemp(join(this.#options.directory, 'still-'))
    } catch (cause) {
      throw new RendererUnavailableError('Stills cannot be made now', { cause })
    }
  }

  async #run(request: StillRequest): Promise<Ended> {
    const { maxMs, maxCpuMs, maxBytes } = this.#options
    const startedAt = performance.now()
    let message: StillMessage | undefined
    let verdict: Exceeded | undefined
    const child = this.#start(request, (said) => {
      message = said
    })
    this.#running.add(child)
    const over = (what: Exceeded): void => {
      verdict ??= what
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => over('too-slow'), maxMs)
    using _watch = watchProcess(child.pid, { maxCpuMs, maxBytes }, over)
    await child.exited
    clearTimeout(timer)
    this.#running.delete(child)
    const { exitCode, signalCode } = child
    const signal = signalCode === null ? null : String(signalCode)
    return { message, exitCode, signal, verdict, wallMs: performance.now() - startedAt }
  }

  #start(request: StillRequest, onMessage: (message: StillMessage) => void): Bun.Subprocess {
    const program = programFile('src/adapters/stills/still-child.ts')
    const { cmd, env } = this.#box.command(program, [JSON.stringify(request)], {
      readable: [request.path, request.packages],
      writable: [request.scratch],
      maxCpuSeconds: Math.ceil(this.#options.maxCpuMs / 1000) + 1,
      maxDataBytes,
    })
    const own = {
      HOME: request.scratch,
      TMPDIR: request.scratch,
      XDG_CACHE_HOME: request.scratch,
      // Whatever is written there is the only font that is used.
      FONTCONFIG_FILE: join(request.scratch, 'fonts.conf'),
    }
    try {
      return Bun.spawn({
        cmd,
        cwd: request.scratch,
        env: { LANG: 'C.UTF-8', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '1', ...own, ...env },
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'ignore',
        serialization: 'advanced',
        ipc: onMessage,
      })
    } catch (cause) {
      throw new RendererUnavailableError('Stills cannot be made now', { cause })
    }
  }

  #outcomeOf({ message, verdict, wallMs, ...how }: Ended): Rendered<StillOutcome> {
    if (message?.kind === 'made') {
      const { outcome, cpuMs } = message
      if (outcome.outcome === 'made' && outcome.bytes.length > maxStillBytes)
        throw new UnrenderableImageError('too-many-pixels', 'must have fewer pixels')
      return { result: outcome, cpuMs, wallMs }
    }
    if (message?.kind === 'unreadable')
      throw new RenderSourceError('The file cannot be opened', { cause: message.cause })
    if (message?.kind === 'unrenderable')
      throw new UnrenderableImageError(message.reason, message.message, { cause: message.cause })
    throw this.#endedBy(verdict, how)
  }

  /** A process that ends without a word was ended by the file, unless somebody else did it. */
  #endedBy(verdict: Exceeded | undefined, how: Pick<Ended, 'exitCode' | 'signal'>): Error {
    const reason = verdict ?? (how.signal === 'SIGXCPU' ? 'too-slow' : undefined)
    if (reason !== undefined) return new UnrenderableImageError(reason, verdictByReason[reason])
    if (signalsFromOutside.has(String(how.signal)))
      return new RendererUnavailableError('The maker of stills was ended from outside')
    this.#options.onCrash({ ...how })
    return new UnrenderableImageError('crashed', 'must be one that can be drawn')
  }
}
