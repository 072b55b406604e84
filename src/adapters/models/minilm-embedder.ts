import type { Subprocess } from 'bun'

import { type ChildBox, createChildBox } from '../../lib/box/child-box.ts'
import { programFile } from '../../lib/files/program-files.ts'
import {
  type Embedder,
  EmbedderUnavailableError,
  type EmbeddingPriority,
} from '../../ports/media/embedder.ts'
import { type EngineName, modelOf, spaceByEngine } from './engines.ts'
import type { MinilmMessage, MinilmRequest } from './minilm-messages.ts'
import { modelDirectory } from './model-files.ts'
import { nativeLibrary } from './native-engine.ts'

interface Options {
  /** Where the model is; the installed package where left out. */
  readonly directory?: string
  /** The library of the native runtime; the installed one where left out. */
  readonly library?: string
  /** What may run the model, the best first. */
  readonly engines?: readonly EngineName[]
  /** Whether to do without the model. */
  readonly isOff?: boolean
  readonly box?: ChildBox
  /** Told once, why there will be no model. */
  readonly onRefused?: (reason: string) => void
  /** Told why the native runtime is not used although it is installed. */
  readonly onSlower?: (reason: string) => void
}

interface Job {
  readonly text: string
  readonly resolve: (vector: Float32Array) => void
  readonly reject: (error: EmbedderUnavailableError) => void
}

/** Longer than any text takes, and than loading takes on a busy machine. */
const maxSilenceMs = 20_000
/** What the system gives the process at most; the runtime reserves half of it without using it. */
const maxDataBytes = 8 * 2 ** 30
/** A process that keeps ending is not started for ever. */
const maxStarts = 5

/**
 * all-MiniLM-L6-v2 with 8-bit weights, in a process of its own that is started when first needed. One
 * text is evaluated at a time and alone: together with others its vector would differ.
 */
export class MinilmEmbedder implements Embedder {
  readonly #options: Options
  readonly #box: ChildBox
  readonly #library: string | undefined
  /** Those left to try; the first is the one in use. */
  readonly #engines: EngineName[]
  readonly #waiting: Record<EmbeddingPriority, Job[]> = { now: [], background: [] }
  #child: Subprocess | undefined
  #current: Job | undefined
  #silence: Timer | undefined
  #isReady = false
  #starts = 0
  #isOver = false

  constructor(options: Options = {}) {
    this.#options = options
    this.#box = options.box ?? createChildBox()
    this.#isOver = options.isOff === true
    this.#library = options.library ?? nativeLibrary()
    this.#engines = (options.engines ?? (['native', 'web'] as const)).filter(
      (engine) => engine === 'web' || this.#library !== undefined,
    )
  }

  get isReady(): boolean {
    return this.#isReady
  }

  warmUp(): void {
    if (this.#child !== undefined || this.#isOver) return
    if (this.#starts >= maxStarts) return this.#giveUp('the model ended too often')
    this.#starts += 1
    try {
      this.#child = this.#start(this.#options.directory ?? modelDirectory())
      this.#expectWord()
    } catch (error) {
      this.#refuse(String(error))
    }
  }

  async space(): Promise<string> {
    // A vector comes once the model is loaded.
    if (!this.#isReady) await this.embed('', 'now')
    return this.#space
  }

  isLike(space: string): boolean {
    return modelOf(space) === modelOf(this.#space)
  }

  async embed(text: string, priority: EmbeddingPriority): Promise<Float32Array> {
    this.warmUp()
    if (this.#isOver) throw new EmbedderUnavailableError('there is no model')
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>()
    this.#waiting[priority].push({ text, resolve, reject })
    this.#next()
    return await promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    const child = this.#child
    child?.kill('SIGKILL')
    await child?.exited
    this.#forgetChild()
    this.#rejectAll('the model is closed')
  }

  /** It is not unreferenced: Bun 1.4 then keeps a core busy while it waits for messages. */
  #start(directory: string): Subprocess {
    const program = programFile('src/adapters/models/minilm-child.ts')
    const files = this.#engines[0] === 'native' ? [directory, this.#library] : [directory]
    const readable = files.filter((file) => file !== undefined)
    const { cmd, env } = this.#box.command(program, readable, {
      readable,
      writable: [],
      maxDataBytes,
    })
    const child: Subprocess = Bun.spawn({
      cmd,
      cwd: '/',
      env: { LANG: 'C.UTF-8', ...env },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      serialization: 'advanced',
      ipc: (message: MinilmMessage) => {
        if (this.#child === child) this.#receive(message)
      },
      onExit: () => {
        if (this.#child === child) this.#exited()
      },
    })
    return child
  }

  #receive(message: MinilmMessage): void {
    clearTimeout(this.#silence)
    if (message.kind === 'refused') return this.#giveUp(message.reason)
    if (message.kind === 'ready') {
      this.#box.noteStart(message.layers)
      this.#isReady = true
    }
    const job = this.#current
    this.#current = undefined
    if (message.kind === 'vector') job?.resolve(message.vector)
    if (message.kind === 'failed') job?.reject(new EmbedderUnavailableError(message.reason))
    this.#next()
  }

  #next(): void {
    if (!this.#isReady || this.#current) return
    this.#current = this.#waiting.now.shift() ?? this.#waiting.background.shift()
    if (!this.#current) return
    this.#expectWord()
    this.#child?.send({ text: this.#current.text } satisfies MinilmRequest)
  }

  get #space(): string {
    return spaceByEngine[this.#engines[0] ?? 'web']
  }

  #expectWord(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#child?.kill('SIGKILL'), maxSilenceMs)
    this.#silence.unref()
  }

  #exited(): void {
    const hasWorked = this.#isReady
    this.#forgetChild()
    if (hasWorked || this.#isOver || this.#engines.length <= 1) this.#rejectAll('the model ended')
    else this.#giveUp('it ended while it was loaded')
  }

  /** Goes on with the next engine; where there is none, without a model. */
  #giveUp(reason: string): void {
    if (this.#engines.length <= 1) return this.#refuse(reason)
    this.#engines.shift()
    this.#starts = 0
    this.#options.onSlower?.(reason)
    this.#child?.kill('SIGKILL')
    this.#forgetChild()
    this.warmUp()
  }

  #refuse(reason: string): void {
    this.#isOver = true
    this.#child?.kill('SIGKILL')
    this.#forgetChild()
    this.#rejectAll(reason)
    this.#options.onRefused?.(reason)
  }

  #forgetChild(): void {
    clearTimeout(this.#silence)
    this.#child = undefined
    this.#isReady = false
  }

  #rejectAll(reason: string): void {
    const jobs = [
      this.#current,
      ...this.#waiting.now.splice(0),
      ...this.#waiting.background.splice(0),
    ]
    this.#current = undefined
    for (const job of jobs) job?.reject(new EmbedderUnavailableError(reason))
  }
}
