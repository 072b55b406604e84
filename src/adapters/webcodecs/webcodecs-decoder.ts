import { existsSync, realpathSync } from 'node:fs'

import { type ChildBox, createChildBox } from '../../lib/box/child-box.ts'
import { programFile } from '../../lib/files/program-files.ts'
import { watchProcess } from '../../lib/watch-process.ts'
import type { CodedFrames, FrameDecoder } from '../../ports/media/frame-decoder.ts'
import {
  type Rendered,
  RendererUnavailableError,
  UnrenderableImageError,
} from '../../ports/media/renderer.ts'
import type { WebCodecsMessage, WebCodecsRequest } from './webcodecs-messages.ts'

interface Options {
  readonly box?: ChildBox
  /** The file that the package is loaded from; `undefined` while it is not installed. */
  readonly module?: () => string | undefined
  /** By the clock. */
  readonly maxMs?: number
  /** Of one core; watched on Linux only, like the next. */
  readonly maxCpuMs?: number
  readonly maxBytes?: number
}

const usual = { maxMs: 20_000, maxCpuMs: 10_000, maxBytes: 1200 * 2 ** 20 }
/** Should nobody kill it in time; the runtime reserves half of it. */
const maxDataBytes = 8 * 2 ** 30
const packageName = '@napi-rs/webcodecs'

/** Decoders of an npm package that has the WebCodecs API, in a process of its own for each time. */
export class WebCodecsDecoder implements FrameDecoder {
  readonly codecs = ['h264', 'hevc', 'vp9', 'vp8', 'av1'] as const
  readonly install = `npm install ${packageName}@1.3.1`
  readonly maxMs: number
  readonly #options: Required<Omit<Options, 'box' | 'module'>>
  readonly #box: ChildBox
  readonly #module: () => string | undefined
  readonly #running = new Set<Bun.Subprocess>()

  constructor({ box = createChildBox(), module = installed, ...options }: Options = {}) {
    this.#options = { ...usual, ...options }
    this.#box = box
    this.#module = module
    this.maxMs = this.#options.maxMs
  }

  isThere(): boolean {
    return this.#module() !== undefined
  }

  async decode(frames: CodedFrames): Promise<Rendered<readonly Uint8Array[]>> {
    const module = this.#module()
    if (module === undefined) throw unavailable(`${packageName} is not there any more`)
    const startedAt = performance.now()
    const work = Promise.withResolvers<readonly Uint8Array[]>()
    const child = this.#start({ module, frames }, work)
    this.#running.add(child)
    try {
      using _bounds = this.#bound(child, work.reject)
      const result = await work.promise
      child.kill('SIGKILL')
      await child.exited
      const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000
      return { result, cpuMs, wallMs: performance.now() - startedAt }
    } finally {
      child.kill('SIGKILL')
      this.#running.delete(child)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = [...this.#running]
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(running.map((child) => child.exited))
  }

  #start(request: WebCodecsRequest, work: PromiseWithResolvers<readonly Uint8Array[]>) {
    const program = programFile('src/adapters/webcodecs/webcodecs-child.ts')
    const { cmd, env } = this.#box.command(program, [], {
      readable: [directoryOf(request.module)],
      writable: [],
      maxDataBytes,
    })
    let hasStarted = false
    return Bun.spawn({
      cmd,
      cwd: '/',
      env: { LANG: 'C.UTF-8', ...env },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      serialization: 'advanced',
      ipc: (message: WebCodecsMessage, child) => {
        if (message.kind === 'ready') {
          hasStarted = true
          this.#box.noteStart(message.layers)
          child.send(request)
        } else settle(message, work)
      },
      onExit: () =>
        work.reject(
          hasStarted ? refusal('crashed') : unavailable('The decoder could not be started'),
        ),
    })
  }

  #bound(child: Bun.Subprocess, reject: (error: Error) => void): Disposable {
    const { maxMs, ...bounds } = this.#options
    const over = (reason: 'too-slow' | 'too-much-memory') => {
      reject(refusal(reason))
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => over('too-slow'), maxMs)
    const watch = watchProcess(child.pid, bounds, over)
    return {
      [Symbol.dispose]: () => {
        clearTimeout(timer)
        watch[Symbol.dispose]()
      },
    }
  }
}

function settle(
  message: Exclude<WebCodecsMessage, { readonly kind: 'ready' }>,
  work: PromiseWithResolvers<readonly Uint8Array[]>,
): void {
  if (message.kind === 'decoded') work.resolve(message.jpegs)
  else if (message.kind === 'refused') work.reject(unavailable(message.cause))
  else work.reject(refusal('damaged', message.cause))
}

/** Its native part lies beside it. */
function directoryOf(module: string): string {
  const path = existsSync(module) ? realpathSync(module) : module
  return path.slice(0, Math.max(0, path.lastIndexOf(packageName)))
}

function installed(): string | undefined {
  try {
    return Bun.resolveSync(packageName, import.meta.dir)
  } catch {
    return undefined
  }
}

const verdicts = {
  damaged: 'must have a frame that can be decoded',
  crashed: 'must be one that can be decoded',
  'too-slow': 'must take less time to decode',
  'too-much-memory': 'must need less memory to decode',
} as const

const refusal = (reason: keyof typeof verdicts, cause?: string) =>
  new UnrenderableImageError(reason, verdicts[reason], { cause })

const unavailable = (cause: string) =>
  new RendererUnavailableError('The frames cannot be decoded now', { cause })
