import { expect, test } from 'bun:test'
import sharp from 'sharp'

import { painted, red } from '../../../test/fixtures/sample-images.ts'
import { isSrgbProfile } from './color-profile.ts'

async function profile(name: string): Promise<Uint8Array> {
  const bytes = await painted({ width: 4, height: 4 }, () => red)
    .withIccProfile(name)
    .jpeg()
    .toBuffer()
  return (await sharp(bytes).metadata()).icc ?? new Uint8Array(0)
}

test('a profile that says sRGB is known as such', async () => {
  expect(isSrgbProfile(await profile('srgb'))).toBe(true)
})

test('one of other colours is not', async () => {
  for (const name of ['p3', 'cmyk']) expect(isSrgbProfile(await profile(name))).toBe(false)
})

test('one with another curve, or a table of its own, is not', async () => {
  const srgb = await profile('srgb')
  const withCurve = Buffer.from(srgb)
  const curve = withCurve.indexOf(withCurve.includes('para') ? 'para' : 'curv')
  withCurve.fill(0x11, curve + 8, curve + 24)
  const withTable = Buffer.from(srgb)
  withTable.write('A2B0', 128 + 4, 'latin1')

  expect(isSrgbProfile(withCurve)).toBe(false)
  expect(isSrgbProfile(withTable)).toBe(false)
})

test('what is no profile, or half of one, is not', async () => {
  const srgb = await profile('srgb')
  for (let length = 0; length < srgb.length; length += 7)
    expect(() => isSrgbProfile(srgb.subarray(0, length))).not.toThrow()
  expect(isSrgbProfile(new Uint8Array(500).fill(255))).toBe(false)
  expect(isSrgbProfile(srgb.subarray(0, 200))).toBe(false)
})
