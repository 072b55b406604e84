import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { exiftool, have } from '../support/needs.ts'
import { access, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'

interface Known {
  readonly Metadata: {
    readonly Title: string | null
    readonly Description: string | null
    readonly Copyright: string | null
    readonly Tags: readonly string[]
  }
  readonly MetadataSources: Readonly<Record<string, string>>
}

const knownOf = async (service: InProcessService, path: string): Promise<Known> =>
  (await (
    await service.fetch(`/api/assets/metadata?path=${path}`, { headers: access })
  ).json()) as Known

const listed = async (service: InProcessService, query: string): Promise<readonly string[]> => {
  const response = await service.fetch(`/api/assets?${query}`, { headers: access })
  const { Data } = (await response.json()) as { Data: readonly { readonly path: string }[] }
  return Data.map(({ path }) => path)
}

const describe = (service: InProcessService, path: string, patch: object) =>
  service.fetch(`/api/assets/metadata?path=${path}`, {
    method: 'PATCH',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify(patch),
  })

/** A photograph that exiftool has written into, and what exiftool reads in it. */
async function photograph() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-iptc-'))
  const path = join(directory, 'a.jpg')
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#2040c0' } })
    .jpeg()
    .toFile(path)
  const words = [
    '-IPTC:CodedCharacterSet=UTF8',
    '-IPTC:ObjectName=Hafen bei Nacht',
    '-IPTC:Caption-Abstract=Drei Boote – vertäut',
    '-IPTC:Keywords=hafen',
    '-IPTC:Keywords=nacht',
    '-IPTC:CopyrightNotice=© Kai',
  ]
  Bun.spawnSync(['exiftool', '-charset', 'utf8', '-overwrite_original', ...words, path])
  const { stdout } = Bun.spawnSync(['exiftool', '-charset', 'utf8', '-j', '-IPTC:all', path])
  const [read] = JSON.parse(stdout.toString()) as readonly Record<string, string | string[]>[]
  const bytes = await Bun.file(path).bytes()
  await rm(directory, { recursive: true })
  return { bytes, read }
}

if (have('what exiftool reads in a photograph is what is shown', exiftool))
  test('what exiftool reads in a photograph is what is shown, below what persons say', async () => {
    await using service = await openInProcess()
    await service.createZone('acme')
    const { bytes, read } = await photograph()
    const path = 'acme/v1/pictures/a.jpg'
    await service.storage('PUT', path, { body: bytes })
    await until(async () => (await knownOf(service, path)).Metadata.Title !== null)

    const { Metadata, MetadataSources } = await knownOf(service, path)
    expect(Metadata).toMatchObject({
      Title: read?.['ObjectName'] ?? '',
      Description: read?.['Caption-Abstract'] ?? '',
      Copyright: read?.['CopyrightNotice'] ?? '',
      Tags: read?.['Keywords'] ?? [],
    })
    expect(MetadataSources).toEqual({
      Title: 'iptc',
      Description: 'iptc',
      Copyright: 'iptc',
      Tags: 'iptc',
    })

    await describe(service, path, { Title: 'Mine' })
    const described = await knownOf(service, path)
    expect([described.Metadata.Title, described.MetadataSources['Title']]).toEqual([
      'Mine',
      'person',
    ])
    expect(described.MetadataSources['Tags']).toBe('iptc')
    await describe(service, path, { Title: null })
    await until(
      async () => (await knownOf(service, path)).Metadata.Title === 'Hafen bei Nacht',
      'the first value did not come back',
    )
    await service.storage('PUT', path, {
      body: new Uint8Array(
        await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
          .jpeg()
          .toBuffer(),
      ),
    })
    await until(async () => (await knownOf(service, path)).Metadata.Title === null)
  })

test('assets are listed by what is known of them', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const circle =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">TITLE<circle r="9" fill="#1030d0"/></svg>'
  const paths = ['acme/v1/logos/a.svg', 'acme/v1/logos/b.svg', 'acme/v1/logos/c.svg']
  const [a = '', b = '', c = ''] = paths
  await service.storage('PUT', a, { body: circle.replace('TITLE', '<title>Zebra</title>') })
  await service.storage('PUT', b, { body: circle.replace('TITLE', '') })
  await service.storage('PUT', c, { body: circle.replace('TITLE', '').replace('1030d0', 'd01010') })
  await describe(service, b, {
    Title: 'Ant',
    Tags: ['Brand', 'blue things'],
    Custom: { season: 'summer' },
  })
  await describe(service, c, { Tags: ['brand'], Expires: '2030-01-01T00:00:00Z' })
  await until(async () => (await knownOf(service, a)).Metadata.Title === 'Zebra')

  expect(await listed(service, 'tag=brand')).toEqual([b, c])
  expect(await listed(service, 'tag=brand,blue%20things')).toEqual([b])
  expect(await listed(service, 'field=season:summer')).toEqual([b])
  expect(await listed(service, 'missing=title')).toEqual([c])
  expect(await listed(service, 'expires_before=2031-01-01')).toEqual([c])
  expect(await listed(service, 'expired=false&project=acme')).toEqual(paths)
  expect(await listed(service, 'created_after=2100-01-01')).toEqual([])
  expect(await listed(service, 'sort=title')).toEqual([b, c, a])
  await until(async () => (await listed(service, 'color=blue')).length === 2)
  await until(async () => (await listed(service, 'color=red')).join() === c)
  for (const query of [
    'missing=colour',
    'field=x',
    'created_after=soon',
    'changed_before=2026-02-31T25:00:00Z',
  ])
    expect((await service.fetch(`/api/assets?${query}`, { headers: access })).status).toBe(400)
})

test('what persons call assets is a tag to purge them by', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const path = 'acme/v1/logos/a.svg'
  await service.storage('PUT', path, { body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  await describe(service, path, { Tags: ['brand'] })

  const before = await service.fetch(`/${path}`)
  expect(before.headers.get('cache-tag')?.split(',')).toContain('tag-brand')
  expect((await service.fetch(`/${path}`)).headers.get('cache-status')).toContain('hit')
  const purged = await service.fetch('/api/purge', {
    method: 'POST',
    headers: { 'x-api-key': testKeys.PURGE_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ tags: ['tag-brand'] }),
  })
  expect(purged.status).toBe(200)
  expect((await service.fetch(`/${path}`)).headers.get('cache-status')).not.toContain('hit')
})
