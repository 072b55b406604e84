import { expect, test } from 'bun:test'

import { sampleFrames } from '../../../test/fixtures/media/sample-frames.ts'
import { ffmpeg, have } from '../../../test/support/needs.ts'
import { frameDecoderContract } from '../../ports/media/frame-decoder.contract.ts'
import type { CodedFrames } from '../../ports/media/frame-decoder.ts'
import { RendererUnavailableError, UnrenderableImageError } from '../../ports/media/renderer.ts'
import { FfmpegDecoder } from './ffmpeg-decoder.ts'
import { jpegsIn } from './jpegs-in.ts'

if (have('frames by FFmpeg', ffmpeg)) {
  const open = async () => ({ decoder: new FfmpegDecoder(), samples: await sampleFrames() })
  frameDecoderContract('FFmpeg', open)

  test('a frame that takes too long, or too much memory, is given up', async () => {
    const [sample] = (await sampleFrames()) as [CodedFrames]
    for (const options of [{ maxMs: 1 }, { maxBytes: 2 ** 20 }]) {
      await using decoder = new FfmpegDecoder(options)
      const many = Array.from({ length: 2000 }, () => sample.frames[0] as Uint8Array)
      const failure = await decoder
        .decode({ ...sample, frames: many })
        .catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(UnrenderableImageError)
    }
  })

  test('closed, it ends what it was at', async () => {
    const decoder = new FfmpegDecoder()
    const [sample] = (await sampleFrames()) as [CodedFrames]
    const many = Array.from({ length: 5000 }, () => sample.frames[0] as Uint8Array)
    const failure = decoder.decode({ ...sample, frames: many }).catch((error: unknown) => error)
    await decoder[Symbol.asyncDispose]()

    expect(await failure).toBeInstanceOf(Error)
  })
}

test('where it is not installed it says so, and what to do', async () => {
  await using decoder = new FfmpegDecoder({ program: () => undefined })
  const [sample] = (await sampleFrames()) as [CodedFrames]

  expect(decoder.isThere()).toBe(false)
  expect(decoder.install).toContain('ffmpeg')
  expect(decoder.decode(sample)).rejects.toBeInstanceOf(RendererUnavailableError)
})

test('JPEGs that lie one after another are told apart', () => {
  const jpeg = (...body: readonly number[]) => [0xff, 0xd8, ...body, 0xff, 0xd9]
  const bytes = Uint8Array.from([...jpeg(1, 0xff, 0, 0xd9), ...jpeg(2), 0xff, 0xd8, 7])

  expect(jpegsIn(bytes).map(({ length }) => length)).toEqual([8, 5])
  expect(jpegsIn(new Uint8Array())).toEqual([])
})
