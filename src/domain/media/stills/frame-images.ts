import type { FrameDecoder } from '../../../ports/media/frame-decoder.ts'
import type { SourceFormat } from '../../../ports/media/renderer.ts'
import type { StillMaker } from '../../../ports/media/still-maker.ts'
import { elementaryStream } from '../../streaming/key-frames/elementary-stream.ts'
import type { FrameFormat, KeyFrames } from '../../streaming/key-frames/frame-format.ts'
import { stillOfFrame } from '../../streaming/key-frames/still-of-frame.ts'
import type { Sized } from '../../streaming/key-frames/thumbnails.ts'

export interface FrameImagesDependencies {
  /** The best first. */
  readonly decoders: readonly FrameDecoder[]
  /** What reads HEIF, for frames of H.265 where none of the decoders is there. */
  readonly heif?: StillMaker | undefined
  /** Hands bytes on as a local file, for as long as `use` takes. */
  readonly withFile: <T>(bytes: Uint8Array, use: (path: string) => Promise<T>) => Promise<T>
}

/** Images of the same kind, and what making them took of a core. */
export interface FrameImages {
  readonly format: Exclude<SourceFormat, 'svg' | 'gif'>
  readonly images: readonly Uint8Array[]
  readonly cpuMs: number
}

/** Nothing is installed that decodes them. */
export interface NoDecoder {
  readonly install: string
}

export interface Wanted {
  readonly frames: KeyFrames
  readonly places: readonly number[]
  /** They may be made smaller, to fit into this. */
  readonly within?: Sized | undefined
}

/** Images of key frames that the renderer reads: the frames as they are where that is possible. */
export type FrameImaging = (wanted: Wanted) => Promise<FrameImages | NoDecoder>

export function createFrameImages(dependencies: FrameImagesDependencies): FrameImaging {
  const { decoders, heif } = dependencies
  return async (wanted) => {
    const { codec } = wanted.frames.format
    const format = readableFormats[codec]
    if (format !== undefined) return { format, images: await wrapped(wanted), cpuMs: 0 }
    const able = decoders.filter(({ codecs }) => codecs.some((each) => each === codec))
    const decoder = able.find((each) => each.isThere())
    if (decoder !== undefined) return await decoded(decoder, wanted)
    const images = codec === 'hevc' && heif && (await readHeifs(heif, wanted, dependencies))
    return images || { install: able.map(({ install }) => install).join(', or ') }
  }
}

/** What a frame is as an image file, where the renderer reads that. */
const readableFormats: Readonly<Partial<Record<FrameFormat['codec'], FrameImages['format']>>> = {
  vp8: 'webp',
  av1: 'avif',
  jpeg: 'jpeg',
}

async function wrapped({ frames, places }: Wanted): Promise<readonly Uint8Array[]> {
  const images: Uint8Array[] = []
  for (const place of places) {
    const image = stillOfFrame(frames.format, await frames.read(place))
    if (image !== undefined) images.push(image.bytes)
  }
  return images
}

async function decoded(
  decoder: FrameDecoder,
  { frames, places, within }: Wanted,
): Promise<FrameImages> {
  const { codec, width, height, rotation } = frames.format
  if (codec === 'jpeg') throw new Error('A JPEG is not handed to a decoder of video')
  const coded: Uint8Array[] = []
  for (const place of places) coded.push(streamOf(frames.format, await frames.read(place)))
  const job = { codec, frames: coded, width, height, rotation, within }
  const { result, cpuMs } = await decoder.decode(job)
  return { format: 'jpeg', images: result, cpuMs }
}

const streamOf = (format: FrameFormat, frame: Uint8Array): Uint8Array =>
  format.codec === 'h264' || format.codec === 'hevc' ? elementaryStream(format, frame) : frame

/** `undefined` where it turns out not to be installed. */
async function readHeifs(
  heif: StillMaker,
  wanted: Wanted,
  { withFile }: FrameImagesDependencies,
): Promise<FrameImages | undefined> {
  const images: Uint8Array[] = []
  let cpuMs = 0
  let format: FrameImages['format'] = 'png'
  for (const bytes of await wrapped(wanted)) {
    const made = await withFile(bytes, (path) =>
      heif.make({ kind: 'still', path, of: 'heic', at: {} }),
    )
    if (made.result.outcome !== 'made' || made.result.format === 'gif') return undefined
    images.push(made.result.bytes)
    format = made.result.format
    cpuMs += made.cpuMs
  }
  return { format, images, cpuMs }
}
