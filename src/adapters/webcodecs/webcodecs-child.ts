// The process that decodes the frames of one video, and ends. Started by `WebCodecsDecoder`; it may be
// killed at any moment, and it opens no connection.
import sharp from 'sharp'

import { layersAround } from '../../lib/box/child-box.ts'
import { yieldToOthers } from '../../lib/yield-to-others.ts'
import type { CodedFrames } from '../../ports/media/frame-decoder.ts'
import { codecString } from './codec-string.ts'
import type { WebCodecsMessage, WebCodecsRequest } from './webcodecs-messages.ts'

/** What is used of the WebCodecs API (W3C WebCodecs §4, §8, §9). */
interface WebCodecs {
  readonly VideoDecoder: new (hooks: {
    readonly output: (frame: VideoFrame) => void
    readonly error: (error: unknown) => void
  }) => Decoder
  readonly EncodedVideoChunk: new (chunk: {
    readonly type: 'key'
    readonly timestamp: number
    readonly data: Uint8Array
  }) => object
}

interface Decoder {
  configure(config: {
    readonly codec: string
    readonly codedWidth: number
    readonly codedHeight: number
  }): void
  decode(chunk: object): void
  flush(): Promise<void>
  close(): void
}

interface VideoFrame {
  readonly visibleRect: { readonly width: number; readonly height: number } | null
  allocationSize(options: { readonly format: 'RGBA' }): number
  copyTo(into: Uint8Array, options: { readonly format: 'RGBA' }): Promise<unknown>
  close(): void
}

const niceness = 10
/** What becomes of it is encoded once more. */
const jpegQuality = 95

yieldToOthers(niceness)
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (request: WebCodecsRequest) => void respond(request))
send({ kind: 'ready', layers: layersAround() })

async function respond({ module, frames }: WebCodecsRequest): Promise<void> {
  const loaded = await load(module)
  if ('cause' in loaded) return send({ kind: 'refused', cause: loaded.cause })
  try {
    const jpegs: Uint8Array[] = []
    // Each by itself: what one frame leaves behind says nothing of the next.
    for (const [place] of frames.frames.entries()) jpegs.push(await decode(loaded, frames, place))
    send({ kind: 'decoded', jpegs })
  } catch (error) {
    send({ kind: 'damaged', cause: String(error) })
  }
}

async function load(module: string): Promise<WebCodecs | { readonly cause: string }> {
  try {
    return (await import(module)) as WebCodecs
  } catch (error) {
    return { cause: String(error) }
  }
}

async function decode(
  { VideoDecoder, EncodedVideoChunk }: WebCodecs,
  coded: CodedFrames,
  place: number,
): Promise<Uint8Array> {
  const data = coded.frames[place] ?? new Uint8Array()
  const decoded = Promise.withResolvers<VideoFrame>()
  const decoder = new VideoDecoder({ output: decoded.resolve, error: decoded.reject })
  const { width: codedWidth, height: codedHeight } = coded
  decoder.configure({ codec: codecString(coded.codec, data), codedWidth, codedHeight })
  decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp: place, data }))
  await Promise.race([decoder.flush(), decoded.promise])
  decoded.reject(new Error('it gave no frame'))
  const frame = await decoded.promise
  const pixels = new Uint8Array(frame.allocationSize({ format: 'RGBA' }))
  await frame.copyTo(pixels, { format: 'RGBA' })
  const { width, height } = frame.visibleRect ?? coded
  frame.close()
  decoder.close()
  return await jpegOf(pixels, { width, height }, coded)
}

async function jpegOf(
  pixels: Uint8Array,
  size: { readonly width: number; readonly height: number },
  { rotation, within }: CodedFrames,
): Promise<Uint8Array> {
  const image = sharp(pixels, { raw: { ...size, channels: 4 } }).rotate(rotation)
  const fitted = within === undefined ? image : image.resize({ ...within, fit: 'inside' })
  return await fitted.removeAlpha().jpeg({ quality: jpegQuality }).toBuffer()
}

function send(message: WebCodecsMessage): void {
  process.send?.(message)
}
