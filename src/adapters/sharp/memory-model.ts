import type {
  AnalyseJob,
  JoinJob,
  OutputSpec,
  RenderJob,
  RenderSource,
  Size,
  TransformJob,
} from '../../ports/media/renderer.ts'
import { ownBytes } from './limits.ts'
import { heldBytesPerPixel, shownSize } from './pipeline/steps.ts'

/**
 * What a job will take at most besides what its child has anyway, in bytes. Measured: decoders of
 * JPEG and PNG hold a few rows, those of WebP and AVIF the whole image more than once, and so do
 * encoders of both; rounded up where images differ.
 */
export function predictedBytes(job: RenderJob): number {
  if (job.kind === 'transform') return smallBytes + transformBytes(job)
  if (job.kind === 'analyse' || job.kind === 'legible' || job.kind === 'trim')
    return Math.max(lookBytes, smallBytes + lookedAtBytes(job.source))
  if (job.kind === 'summarise') return smallBytes + lookedAtBytes(job.source)
  return job.kind === 'join' ? smallBytes + joinBytes(job) : smallBytes
}

/** A prediction may be wrong by so much. */
const leniency = 1.25

/**
 * What a child may have within a job that needs so much, where it had `heldBytes` before: what it has not
 * given back of former jobs is not this one's doing.
 */
export const boundBytes = (needed: number, heldBytes: number): number =>
  Math.max(ownBytes, heldBytes) + leniency * needed

/** One is decoded at a time. */
const joinBytes = ({ format, size, tile, lengths }: JoinJob): number =>
  areaOf(size) * decodedBytesPerPixel[format] + areaOf(tile) * lengths.length * 10

/** Looking at an image, rather than making one of it, does with a coarser copy of a very large one. */
export const isScaledWhileDecoded = ({ format, size }: RenderSource): boolean =>
  format === 'webp' && areaOf(size) > maxWholeWebpPixels
const maxWholeWebpPixels = 16_000_000

const mib = 2 ** 20
const smallBytes = 16 * mib
/** The copy that is looked at, and what looks for faces. */
const lookBytes = 100 * mib

const areaOf = ({ width, height }: Size): number => width * height

const decodedBytesPerPixel: Readonly<Record<RenderSource['format'], number>> = {
  jpeg: 0.8,
  png: 0.8,
  webp: 8,
  avif: 17.5,
  gif: 8,
  svg: 4.5,
}
/** In several passes: all coefficients, or all pixels, are held. */
const progressiveBytesPerPixel = 6.2

function wholeBytes({ format, size, raw, isProgressive }: AnalyseJob['source']): number {
  if (raw !== undefined) return areaOf(raw) * raw.channels
  // An SVG is looked at in one small size.
  if (format === 'svg') return 0
  const perPixel = isProgressive === true ? progressiveBytesPerPixel : decodedBytesPerPixel[format]
  return areaOf(size) * perPixel
}

const lookedAtBytes = (source: RenderSource): number =>
  isScaledWhileDecoded(source) ? maxWholeWebpPixels * decodedBytesPerPixel.webp : wholeBytes(source)

function transformBytes(job: TransformJob): number {
  const { source, resize, output } = job
  const frames = job.isAnimated ? (source.frames ?? 1) : 1
  const result = areaOf(shownSize(job)) * frames
  const held = areaOf(resize) * frames * heldBytesPerPixel(job)
  return (
    overlayBytes(job) +
    textBytes(job) +
    decodedBytes(job) * frames +
    held +
    result * encodedBytesPerPixel(output, job)
  )
}

/** The letters, and what they are in four channels. */
const textBytesPerPixel = 6

const textBytes = (job: TransformJob): number =>
  areaOf(shownSize(job)) * textBytesPerPixel * (job.texts?.length ?? 0)

const overlayBytes = ({ overlays = [] }: TransformJob): number =>
  overlays.reduce((sum, { source, box }) => sum + areaOf(box) * 8 + wholeBytes(source), 0)

/** WebP is scaled while it is decoded, to no less than twice the size that is wanted. */
function decodedBytes({ source, resize, isAnimated }: TransformJob): number {
  if (source.format === 'svg') return areaOf(resize) * decodedBytesPerPixel.svg
  const isScaled = source.format === 'webp' && !isAnimated && source.raw === undefined
  const most = isScaled ? 4 * areaOf(resize) * decodedBytesPerPixel.webp : Infinity
  return Math.min(wholeBytes(source), most)
}

function encodedBytesPerPixel({ format, isGraphic }: OutputSpec, job: TransformJob): number {
  if (format === 'avif') return isGraphic ? 27 : 20
  // What moves is encoded a frame at a time.
  if (format === 'gif' || job.isAnimated) return 6
  if (format === 'webp') return hasAlpha(job) ? 16.5 : 5
  return format === 'png' ? 4.5 : 1
}

const hasAlpha = (job: TransformJob): boolean =>
  job.background === undefined &&
  (job.source.hasAlpha === true ||
    [job.canvas, job.radius, job.padding, job.opacity].some((each) => each !== undefined))
