import { expect, test } from 'bun:test'
import sharp from 'sharp'

import type { CodedFrames, FrameDecoder } from './frame-decoder.ts'
import { UnrenderableImageError } from './renderer.ts'

export interface DecoderHouse {
  readonly decoder: FrameDecoder
  /** Three frames of 160 × 90 pixels that differ, in each of the formats of the decoder. */
  readonly samples: readonly CodedFrames[]
}

const meanOf = async (jpeg: Uint8Array): Promise<number> =>
  (await sharp(jpeg).stats()).channels.reduce((sum, { mean }) => sum + mean, 0)

/** What every FrameDecoder must do. The test of each adapter calls this once. */
export function frameDecoderContract(name: string, open: () => Promise<DecoderHouse>): void {
  test(`${name}: each frame becomes a JPEG of its size, in their order`, async () => {
    const { decoder, samples } = await open()
    await using _closing = decoder

    expect(decoder.isThere()).toBe(true)
    for (const sample of samples) {
      const { result, cpuMs } = await decoder.decode(sample)
      expect(result).toHaveLength(3)
      for (const jpeg of result)
        expect(await sharp(jpeg).metadata()).toMatchObject({
          format: 'jpeg',
          width: 160,
          height: 90,
        })
      expect(cpuMs).toBeGreaterThan(0)
      const alone = await decoder.decode({ ...sample, frames: sample.frames.slice(2) })
      expect(await meanOf(result[2] as Uint8Array)).toBe(
        await meanOf(alone.result[0] as Uint8Array),
      )
    }
  })

  test(`${name}: frames are turned, and made to fit`, async () => {
    const { decoder, samples } = await open()
    await using _closing = decoder
    const [sample] = samples as [CodedFrames]
    const upright = await decoder.decode({ ...sample, rotation: 90 })
    const small = { ...sample, rotation: 270, within: { width: 60, height: 40 } } as const
    const fitted = await decoder.decode(small)

    expect(await sharp(upright.result[0]).metadata()).toMatchObject({ width: 90, height: 160 })
    const { width, height } = await sharp(fitted.result[0]).metadata()
    expect(height).toBe(40)
    expect(Math.abs(width - 22)).toBeLessThan(2)
  })

  test(`${name}: what is no frame is refused, and the next one is decoded`, async () => {
    const { decoder, samples } = await open()
    await using _closing = decoder
    const [sample] = samples as [CodedFrames]
    for (const bytes of [new Uint8Array(1), new Uint8Array(4000).fill(0x5a)]) {
      const failure = await decoder
        .decode({ ...sample, frames: [bytes] })
        .catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(UnrenderableImageError)
    }

    expect((await decoder.decode(sample)).result).toHaveLength(3)
  })
}
