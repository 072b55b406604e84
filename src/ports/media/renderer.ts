import type { HdrKind } from './carried-data.ts'
import type { EmbeddedMetadata } from './embedded-metadata.ts'
import type { ImageDetails } from './image-details.ts'
import type { ImageSummary } from './image-summary.ts'

/** What is opened, by what the bytes say; names and declared types are not asked. */
export type SourceFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'svg'

/** Kinds of files that say something of themselves. */
export type EmbeddedFormat = SourceFormat | 'tiff'

export const outputFormats = ['avif', 'webp', 'png', 'jpeg', 'gif'] as const
export type OutputFormat = (typeof outputFormats)[number]

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Box extends Size {
  readonly left: number
  readonly top: number
}

/** A place in an image, from 0 (left, top) to 1 (right, bottom). */
export interface Point {
  readonly x: number
  readonly y: number
}

/** What the first bytes of an image tell, as it is to be seen (EXIF orientation applied). */
export interface ImageHeader extends Size {
  readonly format: SourceFormat
  readonly frames: number
  readonly hasAlpha: boolean
  /** Decoded in several passes: a JPEG of this kind costs four times as much. */
  readonly isProgressive: boolean
  /** Whether its colours are sRGB as they are: converting others costs more than all else. */
  readonly isSrgb: boolean
  /** Left out where a version looked that did not know of it. */
  readonly carried?: CarriedFacts
  /** Of what this is a still: the file itself is no image that the renderer reads. */
  readonly still?: StillOrigin | undefined
}

export interface StillOrigin {
  /** A kind of file (`StillKind`), or `card` where the image is drawn of its name alone. */
  readonly of: string
  /** How many pages the file has, where it has pages. */
  readonly pages?: number | undefined
}

/** What lies beside the pixels of a file. */
export interface CarriedFacts {
  /** How it goes beyond white; null where it does not. */
  readonly hdr: HdrKind | null
  /** Whether it has credentials (C2PA). */
  readonly hasCredentials: boolean
}

/** Pixels with 8 bits a channel, not premultiplied, that stand for an image. */
export interface RawPixels extends Size {
  readonly channels: 3 | 4
}

/** A local file. `raw` says that it holds nothing but pixels. */
export interface RenderSource {
  readonly path: string
  readonly format: SourceFormat
  readonly raw?: RawPixels
  /** Natural size of the whole image; needed for images that have no pixels of their own. */
  readonly size: Size
  readonly isSrgb: boolean
  /** What the header says besides; it is asked for how much memory a job will take. */
  readonly hasAlpha?: boolean
  readonly isProgressive?: boolean
  readonly frames?: number
}

/**
 * `usual` takes about twice the CPU of `fast` for a tenth fewer bytes, of AVIF five times for a fifth;
 * `dense` several times that for a few in a hundred more.
 */
export type EncoderEffort = 'fast' | 'usual' | 'dense'

export interface OutputSpec {
  readonly format: OutputFormat
  /** On the scale of JPEG, 1 to 100; every encoder gets what looks the same there. */
  readonly quality: number
  readonly effort: EncoderEffort
  /** Flat colours and sharp edges want other encoder settings than photographs. */
  readonly isGraphic: boolean
  /** Of formats that can be both ways; `quality` says nothing then. */
  readonly isLossless?: boolean | undefined
  /** Of PNG: each row is said by how it differs from others. Photographs want that, graphics do not. */
  readonly hasFilters?: boolean | undefined
  /** JPEG and PNG. */
  readonly isProgressive?: boolean | undefined
  /**
   * The quality is the lowest that keeps so much structural similarity (0 to 1, of luma); `quality` is what
   * it never goes above.
   */
  readonly similarity?: number | undefined
  /** The quality is lowered until it has no more bytes; what never has is made in the lowest. */
  readonly maxBytes?: number | undefined
  /** What of what the source says of itself comes along; nothing where left out. */
  readonly metadata?: 'copyright' | 'all' | undefined
  /** Colours stay as they are, with the profile that says what they mean. */
  readonly keepsProfile?: boolean | undefined
}

/** Factors, where 1 changes nothing. */
export interface Adjustment {
  readonly brightness: number
  /** Of the distance from mid-grey, after brightness. */
  readonly contrast: number
  readonly saturation: number
  /** `#rrggbb` whose hue everything gets. */
  readonly tint: string | undefined
  /** Degrees by which every colour is turned, after saturation (Filter Effects Module, hue-rotate). */
  readonly hue?: number | undefined
  /** 0 to 1, after hue (Filter Effects Module, sepia). */
  readonly sepia?: number | undefined
  /** Every colour becomes its opposite, after contrast. */
  readonly isInverted?: boolean | undefined
}

export interface Pixelation {
  /** The side of a block, in pixels. */
  readonly size: number
  /** Where; everywhere where left out. */
  readonly boxes?: readonly Box[]
}

/** An image that is laid over another one. */
export interface OverlayJob {
  readonly source: RenderSource
  /** Where it lies on the image in its final shape, and the size it has there. */
  readonly box: Box
  /** 0 to 1. */
  readonly opacity: number
  /** It is repeated all over the image, with so many pixels between. */
  readonly gap?: number | undefined
}

/** Text that is laid over an image. Nothing in it acts: it is no markup. */
export interface TextJob {
  /** A few hundred characters at most, in lines that may be broken further. */
  readonly text: string
  /** Of the letters, in pixels; less where the whole would not fit. */
  readonly sizePx: number
  readonly isBold: boolean
  readonly isItalic: boolean
  /** `#rrggbb` */
  readonly color: string
  /** 0 to 1. */
  readonly opacity: number
  /** Of its lines among each other. */
  readonly align: 'left' | 'center' | 'right'
  /** Where there is room: 0 is the left or upper side, 1 the right or lower one. */
  readonly place: Point
  /** From the sides. */
  readonly marginPx: number
  /** Of the longest line. */
  readonly maxWidthPx: number
  /** What is behind it, so far beyond the letters. */
  readonly box?: TextBox | undefined
}

export interface TextBox {
  /** `#rrggbb` */
  readonly color: string
  /** 0 to 1. */
  readonly opacity: number
  readonly paddingPx: number
}

export interface BorderJob {
  /** `#rrggbb` */
  readonly color: string
  readonly widths: Padding
}

export interface Padding {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

export interface Canvas {
  readonly size: Size
  readonly left: number
  readonly top: number
}

/** What to do with an image, decided to the pixel. Applied in the order of the members. */
export interface TransformJob {
  readonly kind: 'transform'
  readonly source: RenderSource
  readonly isAnimated: boolean
  /** Which frame, from 0; the first, or all of what is animated, where left out. */
  readonly frame?: number | undefined
  /** It is not turned as its EXIF orientation says; the size of the source is that of its pixels then. */
  readonly isAsStored?: boolean | undefined
  /** What is taken of the image, in pixels of the source; all of it where left out. */
  readonly region?: Box | undefined
  /** What is taken is scaled to exactly this. */
  readonly resize: Size
  /** The scaled image is mirrored: `h` left to right, `v` upside down. */
  readonly flip?: 'h' | 'v' | 'hv' | undefined
  /** It is turned clockwise; not what is animated. What follows is of the turned image. */
  readonly rotate?: 90 | 270 | undefined
  /** What is kept of the scaled image. */
  readonly crop?: Box | undefined
  /** The canvas and where the image lies on it; around it is `background`. */
  readonly canvas?: Canvas | undefined
  /** `#rrggbb` behind all that is transparent; left out it stays so, or is white where it cannot. */
  readonly background?: string | undefined
  /** Standard deviation in pixels of the result. */
  readonly blurSigma?: number | undefined
  /** 1 (mild) to 10. */
  readonly sharpen?: number | undefined
  readonly adjust?: Adjustment | undefined
  /** Every channel to the power of 1 / gamma. */
  readonly gamma?: number | undefined
  readonly pixelate?: Pixelation | undefined
  /** 0 to 1, of the image without what is laid over it. */
  readonly opacity?: number | undefined
  /** The first is the lowest. */
  readonly overlays?: readonly OverlayJob[] | undefined
  /** Over those; the first is the lowest. */
  readonly texts?: readonly TextJob[] | undefined
  /** Of the corners, in pixels. */
  readonly radius?: number | undefined
  /** Added around everything. */
  readonly padding?: Padding | undefined
  /** The same around that, in a colour of its own. */
  readonly border?: BorderJob | undefined
  readonly output: OutputSpec
}

export interface EncodedImage extends Size {
  readonly bytes: Uint8Array
  readonly frames: number
}

export interface InspectJob {
  readonly kind: 'inspect'
  readonly path: string
  readonly format: SourceFormat
}

/** Finds what stands for an image until it is there, on as few pixels as will do. */
export interface SummariseJob {
  readonly kind: 'summarise'
  readonly source: RenderSource
}

export interface AnalyseJob {
  readonly kind: 'analyse'
  readonly source: RenderSource
  /** What is known already stays as it is, and is not looked for again. */
  readonly summary?: ImageSummary | undefined
  /** Widths of the smaller copies to make, where the image is larger. */
  readonly mipWidths: readonly number[]
  readonly findFaces: boolean
}

/** A smaller copy. `raw` says that the bytes are nothing but pixels; else they are a JPEG. */
export interface Mip extends Size {
  readonly bytes: Uint8Array
  readonly raw?: RawPixels
}

/** `score` from 0 to 1; the box in fractions of the image. */
export interface Face extends Box {
  readonly score: number
}

export interface ImageAnalysis extends ImageSummary {
  readonly isGraphic: boolean
  /**
   * What it looks like in 128 bits, as 32 hex digits: those of near duplicates differ in few. Empty where
   * there is too little in it; absent of what was analysed by a version that did not look for it.
   */
  readonly likeness?: string
  readonly faces: readonly Face[]
  /** Where the eye goes first, and the square around it, in fractions of the image. */
  readonly saliency: { readonly point: Point; readonly box: Box }
  readonly mips: readonly Mip[]
}

/** Takes what could act out of an SVG: scripts, handlers, links to elsewhere. */
export interface SanitiseJob {
  readonly kind: 'sanitise'
  readonly path: string
}

/** Takes from an SVG what it says: titles, descriptions, labels, texts, names of its parts. */
export interface ReadJob {
  readonly kind: 'read'
  readonly path: string
}

/** Finds what is left of an image without a border of one colour. */
export interface TrimJob {
  readonly kind: 'trim'
  readonly source: RenderSource
  /** How much of 255 a pixel of the border may differ from that in the left upper corner. */
  readonly threshold: number
  /** `#rrggbb` of the border, where it is not that of the corner. */
  readonly color?: string | undefined
}

/** Makes an image that writing can be read from, whatever it is written on. */
export interface LegibleJob {
  readonly kind: 'legible'
  readonly source: RenderSource
}

/** Reads what a file says of itself; no pixel is decoded. */
export interface EmbeddedJob {
  readonly kind: 'embedded'
  readonly path: string
  readonly format: EmbeddedFormat
}

/** Reads what a file says of the image in it; no pixel is decoded. */
export interface DetailsJob {
  readonly kind: 'details'
  readonly path: string
  readonly format: EmbeddedFormat
}

/** Reads what a file that is no image the renderer decodes has beside its pixels; none of them is decoded. */
export interface CarriedJob {
  readonly kind: 'carried'
  readonly path: string
  readonly format: 'heic' | 'tiff'
}

/** Makes one image of several of one size: beside each other, or one after another. */
export interface JoinJob {
  readonly kind: 'join'
  /** A local file in which they lie one after another. */
  readonly path: string
  readonly format: Exclude<SourceFormat, 'svg' | 'gif'>
  /** How many bytes each has. */
  readonly lengths: readonly number[]
  /** Of each. */
  readonly size: Size
  /** What each is scaled to. */
  readonly tile: Size
  /** How many stand in a row, or how long each is shown. */
  readonly layout: { readonly columns: number } | { readonly delayMs: number }
}

export type RenderJob =
  | InspectJob
  | TransformJob
  | TrimJob
  | SummariseJob
  | AnalyseJob
  | SanitiseJob
  | ReadJob
  | LegibleJob
  | EmbeddedJob
  | DetailsJob
  | CarriedJob
  | JoinJob

export interface ResultByKind {
  readonly inspect: ImageHeader
  readonly transform: EncodedImage
  readonly summarise: ImageSummary
  readonly analyse: ImageAnalysis
  /** All of the image where nothing of it would be left. */
  readonly trim: Box
  readonly sanitise: Uint8Array
  /** As it is written there, the most telling first, some 2,000 characters at most. */
  readonly read: string
  /** A grey, opaque PNG of bounded size. */
  readonly legible: Uint8Array
  readonly embedded: EmbeddedMetadata
  readonly details: ImageDetails
  readonly carried: CarriedFacts
  /** A WebP. */
  readonly join: Uint8Array
}

export interface Rendered<Result> {
  readonly result: Result
  readonly cpuMs: number
  readonly wallMs: number
}

/** Vector images have a lane of their own: no limit of an SVG library can be trusted to stop it. */
export type Lane = 'raster' | 'vector'

export function laneOf(job: RenderJob): Lane {
  if (job.kind === 'sanitise' || job.kind === 'read') return 'vector'
  const format = 'source' in job ? job.source.format : job.format
  if (job.kind === 'transform' && job.overlays?.some(({ source }) => source.format === 'svg'))
    return 'vector'
  return format === 'svg' ? 'vector' : 'raster'
}

/** Works on images that may be hostile, where nothing else can be harmed by them. */
export interface Renderer extends AsyncDisposable {
  /**
   * How many jobs each lane works on at a time, or one more in a lane of one; one more of bitmaps, which is
   * to be a short one. Whoever asks for more at once is served later.
   */
  readonly slotsByLane: Readonly<Record<Lane, number>>
  /** What a job of each lane may take before it is ended by force. */
  readonly maxMsByLane: Readonly<Record<Lane, number>>
  /**
   * Does one job. Every job ends: one that takes longer than its lane allows, or more memory, is
   * ended by force and rejects with `UnrenderableImageError`, as does an image that is damaged, too
   * large, or not what it says. One that will need more memory than all jobs may have is never begun.
   * Together the jobs that are worked on need no more than that. A file that is not there or cannot be
   * read rejects with `RenderSourceError`, a renderer that cannot be started or is ended from outside
   * with `RendererUnavailableError`: neither says anything of the image. No other job notices, and
   * the next one finds a renderer ready. With `withinMs` it ends by then, wherever it has waited: where
   * that was less than its lane allows it rejects with `RenderDeadlineError`.
   */
  run<Job extends RenderJob>(
    job: Job,
    bounds?: RenderBounds,
  ): Promise<Rendered<ResultByKind[Job['kind']]>>
}

export interface RenderBounds {
  /** By the clock, from the call on. */
  readonly withinMs?: number | undefined
}

export type UnrenderableReason =
  | 'unsupported-type'
  | 'damaged'
  /** It ended the process that worked on it. */
  | 'crashed'
  | 'too-many-pixels'
  | 'forbidden-content'
  | 'too-complex'
  | 'too-slow'
  | 'too-much-memory'

/** There was not the time for it that its lane allows. It says nothing of the image. */
export class RenderDeadlineError extends Error {
  override readonly name = 'RenderDeadlineError'
}

/** The image is at fault. The message is fit for callers and completes `The image …`. */
export class UnrenderableImageError extends Error {
  override readonly name = 'UnrenderableImageError'
  readonly reason: UnrenderableReason

  constructor(reason: UnrenderableReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.reason = reason
  }
}

/** The file is not there or cannot be read; what the image is like is not known. */
export class RenderSourceError extends Error {
  override readonly name = 'RenderSourceError'
}

/** The renderer itself cannot work now; no image is to blame. */
export class RendererUnavailableError extends Error {
  override readonly name = 'RendererUnavailableError'
}
