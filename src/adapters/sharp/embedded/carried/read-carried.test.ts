import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { EmbeddedFormat } from '../../../../ports/media/renderer.ts'
import {
  expectedCredentials,
  box,
  manifestStore,
  superbox,
  withChunk,
  pngChunk,
  withCredentials,
  withCredentialsInHeif,
  withGainMap,
  withTransfer,
} from '../../../../../test/fixtures/carried-data.ts'
import { painted, red } from '../../../../../test/fixtures/sample-images.ts'
import { withToneMap, withTransferOf } from '../../../../../test/fixtures/thumbnail-files.ts'
import { readCbor } from './cbor.ts'
import { readCredentials } from './credentials.ts'
import { readJumbf } from './jumbf.ts'
import { carriedFacts, readCarried } from './read-carried.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sedge-carried-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function carriedIn(bytes: Uint8Array, format: EmbeddedFormat) {
  const path = join(directory, 'it')
  await Bun.write(path, bytes)
  return readCarried(path, format)
}

for (const [format, make] of Object.entries(withCredentials))
  test(`credentials in ${format} are found, and what they say`, async () => {
    const { credentials } = await carriedIn(await make(), format as EmbeddedFormat)
    expect(credentials).toEqual(expectedCredentials)
  })

test('an image that is brighter than white says so', async () => {
  expect(await carriedIn(await withGainMap(), 'jpeg')).toEqual({
    hdr: 'gain-map',
    credentials: undefined,
  })
  expect((await carriedIn(await withTransfer(16), 'png')).hdr).toBe('pq')
  expect((await carriedIn(await withTransfer(18), 'png')).hdr).toBe('hlg')
  expect((await carriedIn(await withTransfer(13), 'png')).hdr).toBeUndefined()
  expect(await carriedIn(await withCredentials.avif(), 'avif')).toMatchObject({ hdr: undefined })
})

test('an AVIF says so by its colours, or by an item that puts image and map together', async () => {
  const plain = await painted({ width: 64, height: 48 }, () => red)
    .avif({ effort: 0 })
    .toBuffer()

  expect((await carriedIn(withTransferOf(plain, 16), 'avif')).hdr).toBe('pq')
  expect((await carriedIn(withTransferOf(plain, 18), 'avif')).hdr).toBe('hlg')
  expect((await carriedIn(withTransferOf(plain, 13), 'avif')).hdr).toBeUndefined()
  expect((await carriedIn(withToneMap(plain, plain), 'avif')).hdr).toBe('gain-map')
})

test('a HEIC has both where an AVIF has them', async () => {
  const heic = await Bun.file(
    join(import.meta.dir, '../../../../../test/fixtures/stills/quarters.heic'),
  ).bytes()
  const path = join(directory, 'heic')
  await Bun.write(path, withCredentialsInHeif(heic))

  expect(carriedFacts(path, 'heic')).toEqual({ hdr: null, hasCredentials: true })
})

test('whatever is cut off or damaged, nothing is thrown', async () => {
  const files = await Promise.all(
    (['jpeg', 'png', 'webp', 'avif', 'gif'] as const).map(async (format) => ({
      format,
      bytes: await withCredentials[format](),
    })),
  )
  const all = [...files, { format: 'jpeg' as const, bytes: await withGainMap() }]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
      async ({ format, bytes }, cut, changes) => {
        const damaged = Buffer.from(bytes.subarray(0, cut % (bytes.length + 1)))
        for (const [at, value] of changes)
          if (damaged.length > 0) damaged[at % damaged.length] = value
        expect(await carriedIn(damaged, format)).toBeObject()
      },
    ),
    { numRuns: 150 },
  )
})

test('boxes in boxes without end, endless lists and lengths that lie are given up', async () => {
  let nested: Buffer = superbox('c2pa')
  for (let depth = 0; depth < 500; depth += 1) nested = superbox('c2pa', nested)
  expect(readCredentials(nested)).toBeDefined()
  const many = superbox('c2pa', ...Array.from({ length: 50_000 }, () => box('free')))
  expect(readJumbf(many)[0]?.children.length).toBeLessThan(2001)
  expect(readCbor(Buffer.alloc(100_000, 0x81))).toBeUndefined()
  expect(
    readCbor(Buffer.from([0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
  ).toBeUndefined()
  expect(
    readCbor(Buffer.from([0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
  ).toBeUndefined()
  expect(readCbor(Buffer.alloc(100_000, 0x9f))).toBeUndefined()
  expect(readCbor(Buffer.from([0xa1, 0x69, ...Buffer.from('__proto__'), 0x01]))).toBeObject()
  expect(readCredentials(superbox('other', manifestStore()))).toBeUndefined()
})

test('a chunk that says it is larger than what is read is passed over', async () => {
  const image = await withCredentials.png()
  const large = withChunk(image, pngChunk('caBX', Buffer.alloc(9 * 2 ** 20)))
  expect((await carriedIn(large, 'png')).credentials).toEqual(expectedCredentials)
})
