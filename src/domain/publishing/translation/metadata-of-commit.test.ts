import { expect, test } from 'bun:test'

import type { Change } from '../../../ports/content/content-store.ts'
import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import { assetWith } from '../../../ports/records/asset.ts'
import { parseAssetPath } from '../../content/asset-path.ts'
import { serialiseSidecar } from '../../content/metadata/sidecar.ts'
import { sidecarPath } from '../../content/metadata/sidecar-paths.ts'
import { actor, events, setUp } from '../publisher.fixture.ts'

const logo = 'acme/v1/logos/a.svg'
const sidecar = sidecarPath(parseAssetPath(logo))
const bytesOf = (text: string) => new TextEncoder().encode(text)
const said = (metadata: AssetMetadata) =>
  serialiseSidecar({ metadata, others: {} }) ?? new Uint8Array()

/** A zone with a file, and whoever pushes to the repository. */
async function setUpPushes() {
  const world = await setUp()
  const service = await world.open()
  await service.zones.create('acme', actor)
  const push = async (files: Readonly<Record<string, Uint8Array | undefined>>) => {
    const changes = await Promise.all(
      Object.entries(files).map(async ([path, bytes]): Promise<Change> => {
        if (bytes === undefined) return { kind: 'delete', path }
        await using incoming = await world.blobs.receive(bytes)
        return { kind: 'put', path, blob: await incoming.keep() }
      }),
    )
    await world.content.commit({ subject: 'by hand', author: 'somebody' }, async () => changes)
  }
  const known = () => service.catalog.asset(logo)?.metadata
  return { ...world, ...service, push, known }
}

test('a file of metadata is told of as a change of its asset, whose bytes and dates stay', async () => {
  const { put, push, catalog, heard, warnings } = await setUpPushes()
  await put(logo, 'one')
  const before = catalog.asset(logo)
  await push({ [sidecar]: said({ title: 'A', expiresAt: new Date(0) }) })

  expect(catalog.asset(logo)).toEqual({
    ...(before ?? expect.unreachable()),
    metadata: { title: 'A', expiresAt: new Date(0) },
  })
  const told = heard.findLast(({ path }) => path === logo)
  expect(told).toMatchObject({
    event: 'asset.updated',
    data: {
      checksum: before?.sha256,
      metadata: { title: 'A', expires: '1970-01-01T00:00:00.000Z' },
    },
  })
  expect(told?.commitId).toBe(String(told?.data['commit']))
  expect(told?.data).not.toHaveProperty('focalPoint')
  expect(warnings).toEqual([])
})

test('where the subject is moved the event says where to, and null where it is taken back', async () => {
  const { put, push, heard } = await setUpPushes()
  await put(logo, 'one')
  await push({ [sidecar]: said({ focalPoint: { x: 0, y: 1 } }) })
  await push({ [sidecar]: undefined })

  const told = heard.filter(({ event }) => event === 'asset.updated')
  expect(told.map(({ data }) => data['focalPoint'])).toEqual([{ x: 0, y: 1 }, null])
})

test('what says the same again is not told', async () => {
  const { put, push, heard } = await setUpPushes()
  await put(logo, 'one')
  await push({ [sidecar]: said({ title: 'A' }) })
  const before = heard.length
  await push({ [sidecar]: bytesOf('{"title":"A"}') })

  expect(events(heard.slice(before))).toEqual(['deploy.completed'])
})

test('new bytes keep what a person said, and not what the former file said of itself', async () => {
  const { put, push, known, catalog, store } = await setUpPushes()
  await put(logo, 'one')
  await push({ [sidecar]: said({ title: 'A' }) })
  const asset = catalog.asset(logo) ?? expect.unreachable()
  const metadata = { title: 'A', copyright: 'X', sources: { copyright: 'iptc' } } as const
  const described = assetWith(asset, { metadata })
  await store.publish([{ assets: [described], feed: [] }])
  catalog.apply([{ assets: [described], feed: [] }])
  await push({ [sidecar]: said({ title: 'B' }) })
  expect(known()).toEqual({ ...metadata, title: 'B' })
  await push({ [sidecar]: said({ title: 'B', copyright: 'Mine' }) })
  expect(known()).toEqual({ title: 'B', copyright: 'Mine' })
  await put(logo, 'two')

  expect(known()).toEqual({ title: 'B', copyright: 'Mine' })
})

test('a file of metadata without its asset waits, and nobody is warned', async () => {
  const { put, push, known, warnings, heard } = await setUpPushes()
  const before = heard.length
  await push({ [sidecar]: said({ title: 'A' }) })
  expect(events(heard.slice(before))).toEqual(['deploy.completed'])
  await put(logo, 'one')

  expect(known()).toEqual({ title: 'A' })
  expect(warnings).toEqual([])
})

test('a file of metadata that waits is read although blob GC has been there', async () => {
  const { put, push, known, blobs, warnings } = await setUpPushes()
  const bytes = said({ title: 'A' })
  await push({ [sidecar]: bytes })
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  await blobs.remove(sha256)
  await put(logo, 'one')

  expect(known()).toEqual({ title: 'A' })
  expect(warnings).toEqual([])
})

test('asset and metadata come in one commit, in whatever order', async () => {
  const { push, known, catalog } = await setUpPushes()
  const other = 'acme/v1/logos/b.svg'
  await push({
    [sidecar]: said({ title: 'A' }),
    [`clients/${logo}`]: bytesOf('one'),
    [`clients/${other}`]: bytesOf('two'),
    [sidecarPath(parseAssetPath(other))]: said({ title: 'B' }),
  })

  expect(known()).toEqual({ title: 'A' })
  expect(catalog.asset(other)?.metadata).toEqual({ title: 'B' })
})

const faulty: Readonly<Record<string, Uint8Array>> = {
  'that is no JSON': bytesOf('<<<<<<< ours'),
  'with a member that cannot be': bytesOf('{"title":7}'),
  'that is huge': new Uint8Array(5_000_000),
  'that is empty': new Uint8Array(),
}
for (const [name, bytes] of Object.entries(faulty))
  test(`a file of metadata ${name} is left out with a warning, and stops nothing`, async () => {
    const { put, push, known, catalog, warnings } = await setUpPushes()
    await put(logo, 'one')
    await push({ [sidecar]: said({ title: 'A' }) })
    await push({ [sidecar]: bytes, 'clients/acme/v1/logos/b.svg': bytesOf('two') })

    expect(known()).toEqual({ fault: expect.any(String) })
    expect(catalog.asset('acme/v1/logos/b.svg')).toBeDefined()
    expect(warnings).toEqual(['what a file says of an asset is left out'])
    await put(logo, 'new bytes')
    expect(known()).toHaveProperty('fault')
    await push({ [sidecar]: said({ title: 'B' }) })
    expect(known()).toEqual({ title: 'B' })
  })

test('a file that is deleted takes along what was known of it', async () => {
  const { put, push, files, known, content } = await setUpPushes()
  await put(logo, 'one')
  await push({ [sidecar]: said({ title: 'A' }) })
  await files.remove(parseAssetPath(logo), actor)
  expect(await content.find(sidecar)).toBeUndefined()
  await put(logo, 'another')

  expect(known()).toBeUndefined()
})

test('a zone with nothing but metadata is none, and a new one of its name begins with nothing', async () => {
  const { put, push, zones, known, catalog, content } = await setUpPushes()
  await put(logo, 'one')
  await push({ [sidecar]: said({ title: 'A' }) })
  await push({ 'clients/acme/v1': undefined, [`clients/${logo}`]: undefined })
  expect(catalog.zone('acme')).toBeUndefined()
  expect(await content.find(sidecar)).toBeDefined()
  expect(put(logo, 'one')).rejects.toMatchObject({ code: 'ZoneNotFound' })
  expect(zones.remove('acme', actor)).rejects.toMatchObject({ code: 'ZoneNotFound' })

  await zones.create('acme', actor)
  await put(logo, 'one')
  expect(known()).toBeUndefined()
})

test('metadata of a zone that was never made makes none', async () => {
  const { push, catalog, warnings } = await setUpPushes()
  await push({ 'clients/other/.sedge/assets/v1/a.svg.json': said({ title: 'A' }) })

  expect(catalog.zone('other')).toBeUndefined()
  expect(warnings).toEqual([])
})

test('a rebuild, and a start after a kill between commit and publication, know the same', async () => {
  const { put, push, publisher, known, catalog, failing, open } = await setUpPushes()
  await put(logo, 'one')
  failing.isOn = true
  await push({ [sidecar]: said({ title: 'A' }) }).catch(() => {})
  expect(known()).toBeUndefined()
  failing.isOn = false
  const restarted = await open()
  expect(restarted.catalog.asset(logo)?.metadata).toEqual({ title: 'A' })
  await publisher.catchUp()
  const before = catalog.asset(logo)
  await publisher.rebuild()

  expect(catalog.asset(logo)).toEqual(before ?? expect.unreachable())
  expect(known()).toEqual({ title: 'A' })
})

test('what the service keeps of a zone has no path that a caller could say', () => {
  for (const path of ['acme/.sedge/assets/v1/a.json', 'acme/.sedge/fields.json'])
    expect(() => parseAssetPath(path)).toThrow()
})

const fieldsFile = 'clients/acme/.sedge/fields.json'
const custom = (value: unknown) => bytesOf(JSON.stringify({ custom: value }))

test('own fields that git brings are held to the schema that the zone has by then', async () => {
  const { put, push, known, catalog, warnings, publisher } = await setUpPushes()
  await put(logo, 'one')
  await push({ [sidecar]: custom({ sku: 1 }) })
  await push({ [fieldsFile]: bytesOf('{"properties":{"sku":{"type":"string"}}}') })
  expect(known()).toEqual({ custom: { sku: 1 } })
  await push({ [sidecar]: custom({ sku: 2 }) })
  expect(known()).toEqual({ fault: 'Custom /sku must be of type string' })
  await push({ [sidecar]: custom({ sku: 'a' }) })
  expect(known()).toEqual({ custom: { sku: 'a' } })
  await push({ [sidecar]: custom({ sku: 3 }), [fieldsFile]: undefined })
  expect(known()).toEqual({ custom: { sku: 3 } })
  expect(warnings).toHaveLength(1)

  const before = [catalog.asset(logo), catalog.zone('acme')]
  await publisher.rebuild()
  expect([catalog.asset(logo), catalog.zone('acme')]).toEqual(before)
})

test('a file of fields that is no schema asks nothing of anybody, with a warning', async () => {
  const { put, push, known, catalog, warnings } = await setUpPushes()
  await put(logo, 'one')
  for (const text of ['{', '{"type":"colour"}', ' '.repeat(100_000)]) {
    await push({ [fieldsFile]: bytesOf(text) })
    await push({ [sidecar]: custom({ sku: text.length }) })
    expect(known()).toEqual({ custom: { sku: text.length } })
  }
  expect(warnings).toEqual(Array.from({ length: 3 }, () => 'the fields of a zone are left out'))
  expect((catalog.zone('acme')?.fields ?? '').length).toBeLessThan(40_000)
})

test('a file of fields may come before its zone, and goes with it', async () => {
  const { put, push, zones, catalog } = await setUpPushes()
  const schema = '{"type":"object"}'
  await push({ 'clients/later/.sedge/fields.json': bytesOf(schema) })
  expect(catalog.zone('later')).toBeUndefined()
  await push({ 'clients/later/v1/a.txt': bytesOf('one') })
  expect(catalog.zone('later')?.fields).toBe(schema)
  await zones.remove('later', actor)
  await zones.create('later', actor)
  await put('later/v1/a.txt', 'one')

  expect(catalog.zone('later')?.fields).toBeUndefined()
})
