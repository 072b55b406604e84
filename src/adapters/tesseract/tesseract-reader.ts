import type { Subprocess } from 'bun'
import { fileURLToPath } from 'node:url'

import { watchProcess } from '../../lib/watch-process.ts'
import {
  type TextReader,
  TextReaderUnavailableError,
  UnreadablePictureError,
} from '../../ports/text-reader.ts'
import type { TesseractMessage, TesseractRequest } from './tesseract-messages.ts'

interface Options {
  /** By the clock: reading is what waits for everything else. */
  readonly maxMs?: number
  /** Of one core; watched on Linux only, like the next. */
  readonly maxCpuMs?: number
  readonly maxBytes?: number
  /** A process that has nothing to read gives its memory back after this. */
  readonly idleMs?: number
  /** Told once, why nothing will be read. */
  readonly onRefused?: (reason: string) => void
}

interface Job {
  readonly png: Uint8Array
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

/** Tesseract in WebAssembly, in a process of its own that is there while there is something to read. */
export class TesseractReader implements TextReader {
  readonly #options: Required<Options>
  readonly #waiting: Job[] = []
  #child: Subprocess | undefined
  #current: Job | undefined
  #isReady = false
  #isOver = false
  #idle: Timer | undefined
  #bounds: Disposable | undefined

  constructor(options: Options = {}) {
    this.#options = { ...usual, ...options }
  }

  /** Of the process that reads, where there is one; for measurements. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async read(png: Uint8Array): Promise<string> {
    if (this.#isOver) throw new TextReaderUnavailableError('nobody reads')
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#waiting.push({ png, resolve, reject })
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
    this.#child ??= this.#start()
    this.#bound(this.#child)
    if (this.#isReady) this.#ask(this.#child, this.#current)
  }

  #ask(child: Subprocess, { png }: Job): void {
    child.send({ png } satisfies TesseractRequest)
  }

  /** It is not unreferenced: Bun 1.4 then keeps a core busy while it waits for messages. */
  #start(): Subprocess {
    const child: Subprocess = Bun.spawn({
      cmd: [process.execPath, fileURLToPath(new URL('tesseract-child.ts', import.meta.url))],
      env: { LANG: 'C.UTF-8' },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      serialization: 'advanced',
      ipc: (message: TesseractMessage) => {
        if (this.#child === child) this.#receive(child, message)
      },
      onExit: () => {
        if (this.#child === child) this.#end(new UnreadablePictureError('it ended the process'))
      },
    })
    return child
  }

  #receive(child: Subprocess, message: TesseractMessage): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      if (this.#current) this.#ask(child, this.#current)
    } else if (message.kind === 'text') {
      this.#unbound()
      this.#takeCurrent()?.resolve(message.text)
      this.#next()
    } else if (message.kind === 'unreadable') this.#end(new UnreadablePictureError(message.reason))
    else this.#refuse(message.reason)
  }

  /** The picture at hand ends this process; the next one gets another. */
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
      if (this.#child === child) this.#end(new UnreadablePictureError(what))
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
