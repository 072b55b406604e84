import { expect, test } from 'bun:test'

import { sampleFrames } from '../../../test/fixtures/media/sample-frames.ts'
import { have, webCodecs, webCodecsModule } from '../../../test/support/needs.ts'
import { frameDecoderContract } from '../../ports/media/frame-decoder.contract.ts'
import type { CodedFrames } from '../../ports/media/frame-decoder.ts'
import { RendererUnavailableError, UnrenderableImageError } from '../../ports/media/renderer.ts'
import { WebCodecsDecoder } from './webcodecs-decoder.ts'

if (have('frames by an npm package', webCodecs)) {
  const module = () => webCodecsModule
  const open = async () => ({
    decoder: new WebCodecsDecoder({ module }),
    samples: await sampleFrames(),
  })
  frameDecoderContract('WebCodecs', open)

  test('a frame that takes too long, or too much memory, is given up', async () => {
    const [sample] = (await sampleFrames()) as [CodedFrames]
    for (const options of [{ maxMs: 1 }, { maxBytes: 2 ** 20 }]) {
      await using decoder = new WebCodecsDecoder({ module, ...options })
      const many = Array.from({ length: 300 }, () => sample.frames[0] as Uint8Array)
      const failure = await decoder
        .decode({ ...sample, frames: many })
        .catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(UnrenderableImageError)
    }
  })
}

test('where it is not installed it says so, and what to do', async () => {
  await using decoder = new WebCodecsDecoder({ module: () => undefined })
  const [sample] = (await sampleFrames()) as [CodedFrames]

  expect(decoder.isThere()).toBe(false)
  expect(decoder.install).toContain('npm install @napi-rs/webcodecs')
  expect(decoder.decode(sample)).rejects.toBeInstanceOf(RendererUnavailableError)
})

test('what is installed and cannot be loaded is nobody’s fault', async () => {
  const module = () => '/nowhere/@napi-rs/webcodecs/index.js'
  await using decoder = new WebCodecsDecoder({ module })
  const [sample] = (await sampleFrames()) as [CodedFrames]

  expect(decoder.decode(sample)).rejects.toBeInstanceOf(RendererUnavailableError)
})
