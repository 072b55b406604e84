import type { Subprocess } from 'bun'

import { type ChildBox, createChildBox } from '../../lib/box/child-box.ts'
import { programFile } from '../../lib/files/program-files.ts'
import { watchProcess } from '../../lib/watch-process.ts'
import {
  type TextReader,
  TextReaderUnavailableError,
  UnreadableImageError,
} from '../../ports/media/text-reader.ts'
import type { TesseractMessage, TesseractRequest } from './tesseract-messages.ts'

interface Options {
  /** By the clock: reading is what waits for everything else. */
  readonly maxMs?: number
  /** Of one core; watched on Linux only, like the next. */
  readonly maxCpuMs?: number
  readonly maxBytes?: number
  /** A process that has nothing to read gives its memory back after this. */
  readonly idleMs?: number
  readonly box?: ChildBox
  /** Told once, why nothing will be read. */
  readonly onRefused?: (reason: string) => void
}

interface Job {
  readonly png: Uint8Array
  /** How often the process that read it was ended from outside. */
  interruptions: number
  readonly resolve: (text: string) => void
  readonly reject: (error: Error) => void
}

const usual = {
  maxMs: 120_000,
  maxCpuMs: 20_000,
  maxBytes: 600 * 2 ** 20,
  idleMs: 30_000,
  onRefused: () => {},
}
/** What the system gives it at most, should nobody kill it in time; the runtime reserves half of it. */
const maxDataBytes = 8 * 2 ** 30

const maxFailedStarts = 3
/** An image that costs so many processes is left alone. */
const maxInterruptions = 3
/** Signals by which somebody else ends a process: the image has no part in it. */
const signalsFromOutside: ReadonlySet<string> = new Set(
  'SIGKILL SIGTERM SIGINT SIGHUP SIGQUIT'.split(' '),
)

/** Tesseract in WebAssembly, in a process of its own that is there while there is something to read. */
export class TesseractReader implements TextReader {
  readonly #options: Required<Omit<Options, 'box'>>
  readonly #box: ChildBox
  readonly #waiting: Job[] = []
  #child: Subprocess | undefined
  #current: Job | undefined
  #isReady = false
  #isOver = false
  #failedStarts = 0
  #idle: Timer | undefined
  #bounds: Disposable | undefined

  constructor(options: Options = {}) {
    this.#options = { ...usual, ...options }
    this.#box = options.box ?? createChildBox()
  }

  /** Of the process that reads, where there is one; for measurements. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async read(png: Uint8Array): Promise<string> {
    if (this.#isOver) throw new TextReaderUnavailableError('nobody reads')
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#waiting.push({ png, interruptions: 0, resolve, reject })
    this.#next()
    return await promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    const child = this.#child
    this.#forgetChild()
    for (const job of [this.#takeCurrent(), ...this.#waiting.splice(0)])
      job?.reject(new TextReaderUnavailableError('the reader is closed'))
    child?.kill('SIGKILL')
    await child?.exited
  }

  #next(): void {
    if (this.#current !== undefined || this.#isOver) return
    clearTimeout(this.#idle)
    this.#current = this.#waiting.shift()
    if (this.#current === undefined) return this.#rest()
    try {
      this.#child ??= this.#start()
    } catch (error) {
      return this.#refuse(String(error))
    }
    this.#bound(this.#child)
    if (this.#isReady) this.#ask(this.#child, this.#current)
  }

  #ask(child: Subprocess, { png }: Job): void {
    child.send({ png } satisfies TesseractRequest)
  }

  /** It is not unreferenced: Bun 1.4 then keeps a core busy while it waits for messages. */
  #start(): Subprocess {
    const program = programFile('src/adapters/tesseract/tesseract-child.ts')
    const belongings = { readable: [], writable: [], maxDataBytes }
    const { cmd, env } = this.#box.command(program, [], belongings)
    const child: Subprocess = Bun.spawn({
      cmd,
      cwd: '/',
      env: { LANG: 'C.UTF-8', ...env },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      serialization: 'advanced',
      ipc: (message: TesseractMessage) => {
        if (this.#child === child) this.#receive(child, message)
      },
      onExit: ({ signalCode }) => {
        if (this.#child === child) this.#exited(String(signalCode))
      },
    })
    return child
  }

  #receive(child: Subprocess, message: TesseractMessage): void {
    if (message.kind === 'ready') {
      this.#box.noteStart(message.layers)
      this.#isReady = true
      this.#failedStarts = 0
      if (this.#current) this.#ask(child, this.#current)
    } else if (message.kind === 'text') {
      this.#unbound()
      this.#takeCurrent()?.resolve(message.text)
      this.#next()
    } else if (message.kind === 'unreadable') this.#end(new UnreadableImageError(message.reason))
    else this.#refuse(message.reason)
  }

  /** By itself while it was reading, by somebody else, or without ever having come to read. */
  #exited(signal: string): void {
    const job = this.#current
    const isOutside = signalsFromOutside.has(signal)
    if (this.#isReady && !isOutside)
      return this.#end(new UnreadableImageError('it ended the process'))
    if (!this.#isReady) this.#failedStarts += 1
    if (this.#failedStarts >= maxFailedStarts) return this.#refuse('it could not be started')
    if (job === undefined) return this.#forgetChild()
    job.interruptions += 1
    if (job.interruptions >= maxInterruptions)
      return this.#end(new UnreadableImageError('whatever reads it is ended'))
    this.#takeCurrent()
    this.#waiting.unshift(job)
    this.#forgetChild()
    this.#next()
  }

  /** The image at hand ends this process; the next one gets another. */
  #end(error: Error): void {
    this.#child?.kill('SIGKILL')
    this.#forgetChild()
    this.#takeCurrent()?.reject(error)
    this.#next()
  }

  #refuse(reason: string): void {
    this.#isOver = true
    this.#child?.kill('SIGKILL')
    this.#forgetChild()
    for (const job of [this.#takeCurrent(), ...this.#waiting.splice(0)])
      job?.reject(new TextReaderUnavailableError(reason))
    this.#options.onRefused(reason)
  }

  #rest(): void {
    this.#idle = setTimeout(() => {
      const child = this.#child
      this.#forgetChild()
      child?.kill('SIGKILL')
    }, this.#options.idleMs)
    this.#idle.unref()
  }

  #bound(child: Subprocess): void {
    const { maxMs, ...bounds } = this.#options
    const over = (what: string) => {
      if (this.#child === child) this.#end(new UnreadableImageError(what))
    }
    const timer = setTimeout(() => over('too-slow'), maxMs)
    const watch = watchProcess(child.pid, bounds, over)
    this.#bounds = {
      [Symbol.dispose]: () => {
        clearTimeout(timer)
        watch[Symbol.dispose]()
      },
    }
  }

  #unbound(): void {
    this.#bounds?.[Symbol.dispose]()
    this.#bounds = undefined
  }

  #takeCurrent(): Job | undefined {
    const job = this.#current
    this.#current = undefined
    return job
  }

  #forgetChild(): void {
    this.#unbound()
    clearTimeout(this.#idle)
    this.#child = undefined
    this.#isReady = false
  }
}
