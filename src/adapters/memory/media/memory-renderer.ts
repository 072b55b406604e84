import { Slots } from '../../../lib/async/slots.ts'
import type { EmbeddedMetadata } from '../../../ports/media/embedded-metadata.ts'
import type { ImageDetails } from '../../../ports/media/image-details.ts'
import type { ImageSummary } from '../../../ports/media/image-summary.ts'
import {
  type EncodedImage,
  type ImageAnalysis,
  type ImageHeader,
  type Lane,
  laneOf,
  type RenderBounds,
  RenderDeadlineError,
  type Rendered,
  type Renderer,
  type RenderJob,
  RenderSourceError,
  type ResultByKind,
  type SanitiseJob,
  type Size,
  type TransformJob,
  UnrenderableImageError,
} from '../../../ports/media/renderer.ts'

/** What the renderer is to find at a path. */
export interface MemoryImage {
  readonly header: ImageHeader
  readonly analysis?: ImageAnalysis
  /** What is written in it. */
  readonly text?: string
  /** What it says of itself. */
  readonly embedded?: EmbeddedMetadata
  readonly fault?: 'damaged' | 'too-slow'
}

/**
 * A Renderer for tests: it draws nothing, and what it encodes tells what it was asked for, denser
 * in fewer bytes.
 */
export class MemoryRenderer implements Renderer {
  readonly slotsByLane: Readonly<Record<Lane, number>>
  readonly maxMsByLane: Readonly<Record<Lane, number>> = { raster: 10_000, vector: 1500 }
  /** Every job that has begun, in order. */
  readonly begun: RenderJob[] = []
  /** What each of them was allowed. */
  readonly allowed: (number | undefined)[] = []
  readonly #imageByPath: ReadonlyMap<string, MemoryImage>
  readonly #slots: Readonly<Record<Lane, Slots>>
  /** What each job takes, by its own account. */
  readonly #cpuMs: number
  #gate: PromiseWithResolvers<void> | undefined

  constructor(
    imageByPath: ReadonlyMap<string, MemoryImage>,
    options: { readonly slots?: number; readonly cpuMs?: number } = {},
  ) {
    const { slots = 2, cpuMs = 10 } = options
    this.slotsByLane = { raster: slots, vector: 1 }
    this.#slots = { raster: new Slots(Math.max(2, slots) + 1), vector: new Slots(2) }
    this.#imageByPath = imageByPath
    this.#cpuMs = cpuMs
  }

  /** From now on no job ends until {@link release}. */
  hold(): void {
    this.#gate ??= Promise.withResolvers()
  }

  release(): void {
    this.#gate?.resolve()
    this.#gate = undefined
  }

  async run<Job extends RenderJob>(
    job: Job,
    { withinMs }: RenderBounds = {},
  ): Promise<Rendered<ResultByKind[Job['kind']]>> {
    using _slot = await this.#slots[laneOf(job)].take()
    this.begun.push(job)
    this.allowed.push(withinMs)
    await this.#gate?.promise
    const isHurried = withinMs !== undefined && withinMs < this.maxMsByLane[laneOf(job)]
    const result = this.#resultOf(job, isHurried) as ResultByKind[Job['kind']]
    return { result, cpuMs: this.#cpuMs, wallMs: this.#cpuMs }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release()
  }

  #resultOf(job: RenderJob, isHurried: boolean): ResultByKind[RenderJob['kind']] {
    const image = this.#imageAt('source' in job ? job.source.path : job.path, isHurried)
    if (job.kind === 'transform' || job.kind === 'sanitise') return madeOf(job)
    return foundIn(image, job.kind)
  }

  #imageAt(path: string, isHurried: boolean): MemoryImage {
    const image = this.#imageByPath.get(path)
    if (image === undefined) throw new RenderSourceError('There is no such file')
    if (image.fault === 'damaged')
      throw new UnrenderableImageError('damaged', 'must be whole and undamaged')
    if (image.fault === 'too-slow' && isHurried)
      throw new RenderDeadlineError('It was not done in time')
    if (image.fault === 'too-slow')
      throw new UnrenderableImageError('too-slow', 'must take less time to draw')
    return image
  }
}

function madeOf(job: TransformJob | SanitiseJob): EncodedImage | Uint8Array {
  if (job.kind === 'sanitise') return encode(job, 0)
  const bytes = encode(job, job.output.effort === 'dense' ? 0 : 1)
  return { bytes, ...job.resize, frames: 1 }
}

type Looking = Exclude<RenderJob['kind'], 'transform' | 'sanitise'>

function foundIn(image: MemoryImage, kind: Looking): ResultByKind[Looking] {
  const { text = '' } = image
  const found: { readonly [Kind in Looking]: () => ResultByKind[Kind] } = {
    inspect: () => image.header,
    trim: () => ({ left: 0, top: 0, ...sizeOf(image.header) }),
    summarise: () => summaryIn(image.analysis ?? plainAnalysis),
    analyse: () => image.analysis ?? plainAnalysis,
    embedded: () => image.embedded ?? { sources: {} },
    read: () => text,
    carried: () => ({ hdr: null, hasCredentials: false }),
    details: () => ({ ...plainDetails, ...sizeOf(image.header) }),
    join: () => new TextEncoder().encode(`joined ${image.header.width}`),
    legible: () => new TextEncoder().encode(`${text} `),
  }
  return found[kind]()
}

const summaryIn = ({ thumbHash, colors }: ImageAnalysis): ImageSummary => ({ thumbHash, colors })

const sizeOf = ({ width, height }: ImageHeader): Size => ({ width, height })

const encode = (job: RenderJob, indent: number): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(job, null, indent))

const plainDetails: Omit<ImageDetails, 'width' | 'height'> = {
  frames: 1,
  durationMs: undefined,
  pages: 1,
  colorModel: 'rgb',
  profile: undefined,
  bitDepth: 8,
  hasAlpha: false,
  isProgressive: false,
  orientation: 1,
  exif: {},
}

const plainAnalysis: ImageAnalysis = {
  isGraphic: false,
  thumbHash: '',
  colors: [],
  faces: [],
  saliency: { point: { x: 0.5, y: 0.5 }, box: { left: 0, top: 0, width: 1, height: 1 } },
  mips: [],
}
