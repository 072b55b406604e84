import { expect, test } from 'bun:test'

import { painted, photoPainter } from '../../../test/fixtures/sample-images.ts'
import { jpegOfScans } from '../../../test/fixtures/bombs.ts'
import { countScans } from './jpeg-scans.ts'

const picture = () => painted({ width: 64, height: 48 }, photoPainter(3))

test('the scans of a JPEG are counted, and nothing that only looks like one', async () => {
  const baseline = await picture().jpeg().toBuffer()
  const progressive = await picture().jpeg({ progressive: true }).toBuffer()
  const preview = Buffer.alloc(4 + baseline.length)
  preview.writeUInt16BE(0xffe1, 0)
  preview.writeUInt16BE(2 + baseline.length, 2)
  preview.set(baseline, 4)
  const withPreview = Buffer.concat([baseline.subarray(0, 2), preview, baseline.subarray(2)])

  expect(countScans(baseline, 1000)).toBe(1)
  expect(countScans(withPreview, 1000)).toBe(1)
  expect(countScans(progressive, 1000)).toBeGreaterThan(5)
  expect(countScans(progressive, 1000)).toBeLessThan(20)
  expect(countScans(await jpegOfScans(500), 1000)).toBeGreaterThan(500)
  expect(countScans(await jpegOfScans(500), 100)).toBe(100)
})

test('what is no JPEG has no scans', () => {
  expect(countScans(new Uint8Array(), 10)).toBe(0)
  expect(countScans(new Uint8Array([0xff]), 10)).toBe(0)
  expect(countScans(new Uint8Array(1000).fill(0xff), 10)).toBe(0)
})
