import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { sampleVideo, sampleVideos } from '../../../../test/fixtures/media/sample-videos.ts'
import { decodeIndex, encodeIndex } from './index-codec.ts'
import { indexMedia } from './index-media.ts'
import { UnstreamableMediaError } from '../mp4/byte-source.ts'
import { createByteReader, createByteWriter } from './varint.ts'

test('an index survives being kept as bytes', async () => {
  for (const name of sampleVideos) {
    const index = await indexMedia(new Blob([await sampleVideo(name)]))

    expect(decodeIndex(encodeIndex(index))).toEqual(index)
  }
})

test('an index is small beside its video', async () => {
  const bytes = await sampleVideo('ladder')
  const index = encodeIndex(await indexMedia(new Blob([bytes])))

  expect(index.length).toBeLessThan(8 * (475 + 892))
})

test('a reason for refusal is kept like an index', () => {
  const refused = decodeIndex(encodeIndex(new UnstreamableMediaError('It is cut off')))

  expect(refused).toBeInstanceOf(UnstreamableMediaError)
  expect((refused as UnstreamableMediaError).message).toBe('It is cut off')
})

test('damaged, cut off and foreign bytes are no index', async () => {
  const bytes = encodeIndex(await indexMedia(new Blob([await sampleVideo('one-frame')])))
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = bytes.slice()
    damaged[at] = (damaged[at] ?? 0) ^ 0x10

    expect(decodeIndex(damaged)).toBeUndefined()
    expect(decodeIndex(bytes.subarray(0, at))).toBeUndefined()
  }
})

test('every whole number comes back as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
      const writer = createByteWriter()
      const signed = numbers.map((value) => Math.trunc(value / 2))
      for (const value of numbers) writer.unsigned(Math.abs(value))
      for (const value of signed) writer.signed(value)
      const reader = createByteReader(writer.finish())

      expect(numbers.map(() => reader.unsigned())).toEqual(numbers.map(Math.abs))
      expect(numbers.map(() => reader.signed() + 0)).toEqual(signed.map((value) => value + 0))
    }),
  )
})
