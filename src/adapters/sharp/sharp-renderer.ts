import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  type Lane,
  laneOf,
  type RenderBounds,
  RenderDeadlineError,
  type Rendered,
  type Renderer,
  type RenderJob,
  type ResultByKind,
  UnrenderableImageError,
} from '../../ports/media/renderer.ts'
import { type ChildBox, createChildBox } from '../../lib/box/child-box.ts'
import { type ChildSurroundings, childSurroundings } from './child/child-environment.ts'
import {
  heavyBytes,
  lightBytes,
  maxBytes,
  maxCpuMsByLane,
  maxMsByLane,
  memoryBytes,
} from './limits.ts'
import { boundBytes, predictedBytes } from './memory-model.ts'
import { RenderChild } from './child/render-child.ts'
import { WeightedSlots } from '../../lib/async/weighted-slots.ts'

export interface SharpRendererOptions {
  /** For what children need on the disk; what an earlier process left there is removed. */
  readonly directory?: string
  readonly box?: ChildBox
  /** Told of an image that ended the process that worked on it. */
  readonly onCrash?: (how: Readonly<Record<string, unknown>>) => void
  /** Raster images worked on at a time; as many as there are cores where left out. */
  readonly slots?: number
  /** How long a job of each lane may take by the clock. */
  readonly maxMsByLane?: Readonly<Record<Lane, number>>
  /** And of one core; watched on Linux only. */
  readonly maxCpuMsByLane?: Readonly<Record<Lane, number>>
  /** Memory a child may have, whatever was predicted. */
  readonly maxBytes?: number
  /** Memory that all jobs together may need, besides what children have without one. */
  readonly memoryBytes?: number
}

/** A job that somebody waits for does not wait behind one in the background. */
const minSlots = 2
/** What is short does not wait behind what is long. */
const shortSlots = 1

const shorterLimit = (
  { maxMsByLane: byClock, maxCpuMsByLane: ofCore }: Required<Omit<SharpRendererOptions, 'slots'>>,
  lane: Lane,
): number => Math.min(byClock[lane], ofCore[lane])

/** Makes the children's directory and starts the first child. Throws `RendererUnavailableError`. */
export async function openSharpRenderer(
  options: SharpRendererOptions = {},
): Promise<SharpRenderer> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'sedge-render-')))
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { box = createChildBox(), onCrash = () => {} } = options
  const renderer = new SharpRenderer({ ...options, directory, box, onCrash })
  await renderer.warmUp()
  return renderer
}

type Opened = SharpRendererOptions &
  Required<Pick<SharpRendererOptions, 'directory' | 'box' | 'onCrash'>>

/**
 * Images by libvips in child processes: one is always ready and idle, so that a killed one is
 * replaced without anyone waiting for the start.
 */
export class SharpRenderer implements Renderer {
  readonly slotsByLane: Readonly<Record<Lane, number>>
  readonly maxMsByLane: Readonly<Record<Lane, number>>
  readonly #options: Required<Omit<SharpRendererOptions, 'slots'>>
  readonly #slots: Readonly<Record<Lane, WeightedSlots>>
  readonly #memory: WeightedSlots
  /** For jobs that take so little that their number is bound enough. */
  readonly #lightMemory = new WeightedSlots(Infinity)
  readonly #children = new Set<RenderChild>()
  readonly #idle: RenderChild[] = []
  #surroundings: ChildSurroundings | undefined
  #started = 0
  #isClosed = false

  constructor(options: Opened) {
    this.#options = { maxMsByLane, maxCpuMsByLane, maxBytes, memoryBytes, ...options }
    this.slotsByLane = { raster: options.slots ?? availableParallelism(), vector: 1 }
    this.maxMsByLane = {
      raster: shorterLimit(this.#options, 'raster'),
      vector: shorterLimit(this.#options, 'vector'),
    }
    this.#memory = new WeightedSlots(this.#options.memoryBytes)
    this.#slots = {
      raster: new WeightedSlots(Math.max(minSlots, this.slotsByLane.raster) + shortSlots),
      vector: new WeightedSlots(Math.max(minSlots, this.slotsByLane.vector)),
    }
  }

  /** Process ids of all children, for measurements. */
  get pids(): readonly number[] {
    return [...this.#children].map(({ pid }) => pid)
  }

  /** Tries with less of a box where a child does not start in all of it. */
  async warmUp(): Promise<void> {
    for (;;)
      try {
        this.#surroundings = await childSurroundings(this.#options.directory)
        this.#keepSpare()
        return await this.#idle[0]?.ready()
      } catch (error) {
        if (!this.#options.box.loosen()) throw error
      }
  }

  async run<Job extends RenderJob>(
    job: Job,
    { withinMs }: RenderBounds = {},
  ): Promise<Rendered<ResultByKind[Job['kind']]>> {
    const lane = laneOf(job)
    const needed = predictedBytes(job)
    if (needed > this.#options.memoryBytes) throw tooMuchMemory()
    const deadline = createDeadline(withinMs)
    using _slot = await deadline.wait(this.#slots[lane], 1)
    const memory = needed <= lightBytes ? this.#lightMemory : this.#memory
    using _room = await deadline.wait(memory, needed)
    const child = this.#takeChild()
    try {
      if (needed > heavyBytes) await this.#shedMemory()
      const maxMs = this.#options.maxMsByLane[lane]
      const limits = {
        maxMs: Math.min(maxMs, deadline.leftMs()),
        maxCpuMs: this.#options.maxCpuMsByLane[lane],
        maxBytes: Math.min(this.#options.maxBytes, boundBytes(needed, child.rssBytes)),
      }
      const rendering = child.run(job, limits)
      return (await (limits.maxMs < maxMs
        ? rendering.catch(blameTheClock)
        : rendering)) as Rendered<ResultByKind[Job['kind']]>
    } finally {
      await this.#giveBack(child)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#children].map((child) => child[Symbol.asyncDispose]()))
    await rm(this.#options.directory, { recursive: true, force: true })
  }

  #takeChild(): RenderChild {
    const child = this.#idle.shift() ?? this.#start()
    this.#keepSpare()
    return child
  }

  /** What idle children have not given back is missing where a job takes much. */
  async #shedMemory(): Promise<void> {
    const full = this.#idle.filter(({ rssBytes }) => rssBytes > heavyBytes)
    for (const child of full) this.#idle.splice(this.#idle.indexOf(child), 1)
    await Promise.all(full.map((child) => child[Symbol.asyncDispose]()))
  }

  async #giveBack(child: RenderChild): Promise<void> {
    if (child.hasExited) return
    if (child.isWorn || this.#isClosed) await child[Symbol.asyncDispose]()
    // The one used last goes first: its memory is warm, and others may stay swapped out.
    else this.#idle.unshift(child)
  }

  #keepSpare(): void {
    if (this.#idle.length === 0 && !this.#isClosed) this.#idle.push(this.#start())
  }

  #start(): RenderChild {
    const { env, readable } = this.#surroundings ?? nothing
    const { directory, box, onCrash } = this.#options
    this.#started += 1
    const child = new RenderChild({
      directory: join(directory, String(this.#started)),
      env,
      readable,
      box,
      onCrash,
      onExit: () => this.#forget(child),
    })
    this.#children.add(child)
    return child
  }

  #forget(child: RenderChild): void {
    this.#children.delete(child)
    const index = this.#idle.indexOf(child)
    if (index >= 0) this.#idle.splice(index, 1)
  }
}

/** How much time is left of what a job has, from now on; for ever where nothing is said. */
function createDeadline(withinMs: number = Infinity) {
  const endsAt = performance.now() + withinMs
  const leftMs = () => Math.max(0, endsAt - performance.now())
  return {
    leftMs,
    async wait(entrance: WeightedSlots, weight: number): Promise<Disposable> {
      if (withinMs === Infinity) return await entrance.take(weight)
      const place = await entrance.takeWithin(weight, leftMs())
      if (place === undefined || leftMs() === 0) {
        place?.[Symbol.dispose]()
        throw new RenderDeadlineError('There was no room for it in time')
      }
      return place
    },
  }
}

/** What had less time than others have is not called too slow. */
function blameTheClock(error: unknown): never {
  const isSlow = error instanceof UnrenderableImageError && error.reason === 'too-slow'
  throw isSlow ? new RenderDeadlineError('It was not done in time', { cause: error }) : error
}

const tooMuchMemory = () =>
  new UnrenderableImageError(
    'too-many-pixels',
    'must need less memory to draw: a smaller result, or a smaller source, would do',
  )

const nothing: ChildSurroundings = { env: {}, readable: [] }
