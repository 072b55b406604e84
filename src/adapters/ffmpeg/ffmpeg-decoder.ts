import { tmpdir } from 'node:os'

import { createChildBox, type MachineBox } from '../../lib/box/child-box.ts'
import { type Exceeded, watchProcess } from '../../lib/watch-process.ts'
import type { CodedFrames, FrameDecoder } from '../../ports/media/frame-decoder.ts'
import {
  type Rendered,
  RendererUnavailableError,
  UnrenderableImageError,
} from '../../ports/media/renderer.ts'
import { ffmpegArguments, inputOf } from './ffmpeg-arguments.ts'
import { jpegsIn } from './jpegs-in.ts'

interface Options {
  readonly box?: MachineBox
  /** Where it is; `undefined` while it is not installed. Looked for on the PATH where left out. */
  readonly program?: () => string | undefined
  /** By the clock. */
  readonly maxMs?: number
  /** Of one core; watched on Linux only, like the next. */
  readonly maxCpuMs?: number
  readonly maxBytes?: number
}

const usual = { maxMs: 20_000, maxCpuMs: 10_000, maxBytes: 1000 * 2 ** 20 }
/** Should nobody kill it in time. */
const maxDataBytes = 2 * 2 ** 30
const maxResultBytes = 64 * 2 ** 20

/** FFmpeg as the machine has it: a process for each time, which is in a box before it reads a byte. */
export class FfmpegDecoder implements FrameDecoder {
  readonly codecs = ['h264', 'hevc', 'vp9', 'vp8', 'av1'] as const
  readonly install = 'install ffmpeg, so that it is on the PATH of the service'
  readonly maxMs: number
  readonly #options: Required<Omit<Options, 'box' | 'program'>>
  readonly #box: MachineBox
  readonly #program: () => string | undefined
  readonly #running = new Set<Bun.Subprocess>()

  constructor({ box = createChildBox(), program = onPath, ...options }: Options = {}) {
    this.#options = { ...usual, ...options }
    this.#box = box
    this.#program = program
    this.maxMs = this.#options.maxMs
  }

  isThere(): boolean {
    return this.#program() !== undefined
  }

  async decode(frames: CodedFrames): Promise<Rendered<readonly Uint8Array[]>> {
    const startedAt = performance.now()
    const { bytes, cpuMs } = await this.#run(frames)
    const result = jpegsIn(bytes).slice(0, frames.frames.length)
    if (result.length === 0)
      throw new UnrenderableImageError('damaged', 'must have a frame that can be decoded')
    return { result, cpuMs, wallMs: performance.now() - startedAt }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = [...this.#running]
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(running.map((child) => child.exited))
  }

  async #run(frames: CodedFrames) {
    using verdict = createVerdict(this.#options)
    const child = this.#start(frames)
    this.#running.add(child)
    try {
      verdict.watch(child)
      const bytes = await readUpTo(child.stdout, maxResultBytes, () => child.kill('SIGKILL'))
      await child.exited
      if (verdict.reached !== undefined) throw refusals[verdict.reached]()
      if (child.signalCode === 'SIGXCPU') throw refusals['too-slow']()
      return { bytes, cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000 }
    } finally {
      this.#running.delete(child)
    }
  }

  #start(frames: CodedFrames) {
    const program = this.#program()
    if (program === undefined) throw new RendererUnavailableError('FFmpeg is not there any more')
    const maxCpuSeconds = Math.ceil(this.#options.maxCpuMs / 1000) + 1
    const { cmd, env } = this.#box.machineCommand(program, ffmpegArguments(frames), {
      readable: [],
      writable: [],
      maxCpuSeconds,
      maxDataBytes,
    })
    try {
      return Bun.spawn({
        cmd,
        cwd: tmpdir(),
        env: { LANG: 'C.UTF-8', ...env },
        stdin: inputOf(frames),
        stdout: 'pipe',
        stderr: 'ignore',
      })
    } catch (cause) {
      throw new RendererUnavailableError('FFmpeg could not be started', { cause })
    }
  }
}

const onPath = (): string | undefined =>
  Bun.which('ffmpeg', { PATH: process.env['PATH'] ?? '' }) ?? undefined

const refusals: Readonly<Record<Exceeded, () => UnrenderableImageError>> = {
  'too-slow': () => new UnrenderableImageError('too-slow', 'must take less time to decode'),
  'too-much-memory': () =>
    new UnrenderableImageError('too-much-memory', 'must need less memory to decode'),
}

/** Kills a process that takes more than it may, and remembers of what. */
function createVerdict({ maxMs, ...bounds }: Required<Omit<Options, 'box' | 'program'>>) {
  const watches = new DisposableStack()
  return {
    reached: undefined as Exceeded | undefined,
    watch(child: Bun.Subprocess): void {
      const over = (what: Exceeded) => {
        this.reached ??= what
        child.kill('SIGKILL')
      }
      const timer = setTimeout(() => over('too-slow'), maxMs)
      watches.defer(() => clearTimeout(timer))
      watches.use(watchProcess(child.pid, bounds, over))
    },
    [Symbol.dispose]: () => watches.dispose(),
  }
}

async function readUpTo(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  onMore: () => void,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of stream) {
    total += part.length
    if (total > maxBytes) {
      onMore()
      throw new UnrenderableImageError('too-many-pixels', 'must have fewer pixels')
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}
