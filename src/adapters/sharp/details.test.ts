import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

import { exiftool, have } from '../../../test/support/needs.ts'
import type { EmbeddedFormat } from '../../ports/media/renderer.ts'
import { details } from './details.ts'
import { exifValues } from './embedded/tiff/exif-values.ts'
import { profileName } from './profile-name.ts'

const bitmap = sharp({ create: { width: 8, height: 6, channels: 3, background: 'teal' } })

async function temporary() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-details-'))
  return {
    file: (name: string) => join(directory, name),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

/** What cameras write, in every type that EXIF has. */
const words = {
  Make: 'Sedge',
  Model: 'One',
  Artist: 'Ines Ünal',
  ExposureTime: 0.004,
  FNumber: 2.8,
  ExposureCompensation: -0.3333333333,
  ISO: 400,
  DateTimeOriginal: '2026:05:01 10:00:00',
  OffsetTimeOriginal: '+02:00',
  FocalLength: 50,
  LensModel: 'One 50mm f/1.8',
  LensInfo: [50, 50, 1.8, 1.8],
  SubjectArea: [10, 20, 3, 4],
  UserComment: 'At dusk',
  MeteringMode: 5,
  ColorSpace: 1,
} as const
/** Names of the standard where exiftool has others. */
const nameOf: Readonly<Record<string, string>> = {
  ExposureCompensation: 'ExposureBiasValue',
  ISO: 'PhotographicSensitivity',
  LensInfo: 'LensSpecification',
}
const secret = ['GPSLatitude=51.5', 'GPSLatitudeRef=N', 'GPSAltitude=77', 'AmbientTemperature=21']

for (const format of ['jpeg', 'png', 'webp', 'avif', 'tiff'] as const)
  if (have(`EXIF that exiftool writes into ${format} is read`, exiftool))
    test(`EXIF that exiftool writes into ${format} is read`, async () => {
      await using place = await temporary()
      const path = place.file(`it.${format}`)
      await bitmap.clone().toFormat(format).toFile(path)
      const said = Object.entries(words).map(
        ([name, value]) => `-${name}=${typeof value === 'object' ? value.join(' ') : value}`,
      )
      const kept = secret.map((word) => `-${word}`)
      const command = ['exiftool', '-q', '-n', '-overwrite_original', ...said, ...kept, path]
      expect(Bun.spawnSync(command).exitCode).toBe(0)
      const { exif } = await details({ kind: 'details', path, format })

      for (const [name, value] of Object.entries(words)) {
        const found = exif[nameOf[name] ?? name]
        if (typeof value === 'number') expect(found).toBeCloseTo(value, 6)
        else expect({ name, found }).toEqual({ name, found: value })
      }
      expect(JSON.stringify(exif)).not.toMatch(/GPS|Latitude|51\.5|Temperature|\b77\b/u)
    })

test('pages of a TIFF are counted, and none of them is a frame', async () => {
  sharp.unblock({ operation: ['VipsForeignLoad'] })
  await using place = await temporary()
  const path = place.file('it.tiff')
  const page = await bitmap.clone().png().toBuffer()
  await sharp([page, page, page], { join: { animated: true } })
    .tiff()
    .toFile(path)
  expect(await details({ kind: 'details', path, format: 'tiff' })).toMatchObject({
    width: 8,
    height: 6,
    pages: 3,
    frames: 1,
    durationMs: undefined,
  })
})

test('a file of another kind than was expected is not opened', async () => {
  sharp.unblock({ operation: ['VipsForeignLoad'] })
  await using place = await temporary()
  const path = place.file('it')
  await bitmap.clone().png().toFile(path)
  for (const format of ['jpeg', 'tiff', 'svg'] satisfies EmbeddedFormat[])
    await expect(details({ kind: 'details', path, format })).rejects.toThrow()
})

test('damaged EXIF says less and leads nowhere', async () => {
  sharp.unblock({ operation: ['VipsForeignLoad'] })
  const { exif = Buffer.alloc(0) } = await sharp(
    await bitmap
      .clone()
      .withExif({ IFD0: { Make: 'Sedge' }, IFD2: { FNumber: '28/10' } })
      .jpeg()
      .toBuffer(),
  ).metadata()
  fc.assert(
    fc.property(fc.nat(exif.length - 1), fc.nat(255), fc.nat(exif.length), (at, byte, end) => {
      const bytes = Uint8Array.from(exif)
      bytes[at] = byte
      try {
        const size = JSON.stringify(exifValues(bytes.subarray(0, end))).length
        expect(size).toBeLessThan(50_000)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
  )
})

test('damaged profiles have no name', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(profileName(bytes) ?? '').toBeString()
    }),
  )
})
