import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

import { readCarried } from '../../src/adapters/sharp/embedded/carried/read-carried.ts'
import { withCredentials, withGainMap, withTransfer } from '../fixtures/carried-data.ts'
import { withToneMap, withTransferOf } from '../fixtures/thumbnail-files.ts'
import { openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'
import { until } from '../support/until.ts'

/** What lies in a file, found anew. */
async function carriedIn(bytes: Uint8Array, format: 'jpeg' | 'png' | 'webp' | 'avif') {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-carried-'))
  const path = join(directory, 'it')
  await Bun.write(path, bytes)
  try {
    return readCarried(path, format)
  } finally {
    await rm(directory, { recursive: true })
  }
}

test('credentials and gain maps stay in what is left alone, and never in what is made anew', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const avif = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .avif({ effort: 0 })
    .toBuffer()
  const files = {
    'signed.jpg': await withCredentials.jpeg(),
    'signed.png': await withCredentials.png(),
    'signed.webp': await withCredentials.webp(),
    'bright.jpg': await withGainMap(),
    'bright.png': await withTransfer(16),
    'bright.avif': Buffer.from(withTransferOf(avif, 18)),
    'mapped.avif': Buffer.from(withToneMap(avif, avif)),
    'signed.avif': await withCredentials.avif(),
    'signed.tiff': await withCredentials.tiff(),
    'plain.png': await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const response = await service.storage('PUT', `acme/v1/photos/${name}`, {
      body: new Uint8Array(bytes),
    })
    expect(response.status).toBe(201)
  }
  const bytesAt = async (url: string) => {
    const response = await service.fetch(url)
    expect([url, response.status]).toEqual([url, 200])
    return Buffer.from(await response.arrayBuffer())
  }
  const made = (name: string, query: string) =>
    bytesAt(`/api/transform?url=/acme/v1/photos/${name}&${query}`)

  for (const [name, bytes] of Object.entries(files)) {
    expect(bytes.equals(await bytesAt(`/acme/v1/photos/${name}`))).toBe(true)
    for (const query of [
      'w=33&format=jpeg',
      'w=32&format=jpeg&metadata=all',
      'grayscale=1&format=jpeg&metadata=all',
    ]) {
      const result = await made(name, query)
      expect([name, query, await carriedIn(result, 'jpeg')]).toEqual([
        name,
        query,
        { hdr: undefined, credentials: undefined },
      ])
      const again = await made(name, query.replace('jpeg', 'avif'))
      expect([name, query, await carriedIn(again, 'avif')]).toEqual([
        name,
        query,
        { hdr: undefined, credentials: undefined },
      ])
      expect(result.includes('MPF\0')).toBe(false)
      expect(/hdrgm:Version|Container:Directory|provenance/u.test(result.toString('latin1'))).toBe(
        false,
      )
    }
  }
  // The creator is kept where what was said of the map is not.
  expect((await made('bright.jpg', 'w=32&format=jpeg&metadata=all')).includes('Ines')).toBe(true)
  for (const [name, format] of [
    ['signed.jpg', 'jpeg'],
    ['bright.jpg', 'jpg'],
    ['bright.png', 'png'],
    ['signed.webp', 'webp'],
    ['mapped.avif', 'avif'],
    ['bright.avif', 'avif'],
  ] as const)
    expect([name, files[name].equals(await made(name, `format=${format}&metadata=all`))]).toEqual([
      name,
      true,
    ])
  expect(files['plain.png'].equals(await made('plain.png', 'format=png&metadata=all'))).toBe(false)

  const factsOf = async (name: string) => {
    const url = `/api/assets/metadata?path=acme/v1/photos/${name}`
    return (await (await service.fetch(url, { headers: access })).json()) as Record<string, unknown>
  }
  expect(await factsOf('signed.jpg')).toMatchObject({ Hdr: null, Credentials: true })
  expect(await factsOf('bright.jpg')).toMatchObject({ Hdr: 'gain-map', Credentials: false })
  expect(await factsOf('bright.png')).toMatchObject({ Hdr: 'pq' })
  expect(await factsOf('bright.avif')).toMatchObject({ Hdr: 'hlg' })
  expect(await factsOf('mapped.avif')).toMatchObject({ Hdr: 'gain-map', Credentials: false })
  expect(await factsOf('signed.tiff')).toMatchObject({ Hdr: null, Credentials: true })
  const info = await service.fetch('/api/info?url=/acme/v1/photos/signed.png')
  expect(await info.json()).toMatchObject({
    Hdr: null,
    Credentials: {
      Manifests: 2,
      Generator: 'Quay Camera',
      Actions: [{ Source: 'digitalCapture' }, { Source: null }],
    },
  })
  const listed = async (query: string) => {
    const response = await service.fetch(`/api/assets?project=acme&${query}`, { headers: access })
    return ((await response.json()) as { Data: { Name: string }[] }).Data.map(({ Name }) => Name)
  }
  await until(async () => (await listed('hdr=true')).length === 4)
  expect((await listed('hdr=true')).toSorted()).toEqual([
    'bright.avif',
    'bright.jpg',
    'bright.png',
    'mapped.avif',
  ])
  expect((await listed('hdr=false')).length).toBe(6)
})
