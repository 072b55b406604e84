import { expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const path = 'acme/v1/photos/photo.jpg'

const photo = async (width: number) =>
  new Uint8Array(
    await sharp({ create: { width, height: 40, channels: 3, background: '#357' } })
      .withExif({ IFD0: { Make: 'Sedge' } })
      .jpeg()
      .toBuffer(),
  )

test('an edge says of an image what its origin says: of versions, by rights, and as of now', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({
    dataDirectory: join(directory.path, 'origin'),
    environment: { IDLE_WORK: 'none' },
  })
  const change = (way: string, method: string, body: BodyInit) =>
    fetch(service.url + way, { method, headers: { ...access, ...account }, body })
  await change('/api/core/zones', 'POST', '{"Name":"acme","History":"public"}')
  const stored = await change(`/api/storage/${path}`, 'PUT', await photo(60))
  expect(stored.status).toBe(201)
  const history = await fetch(`${service.url}/api/assets/history?path=${path}`, { headers: access })
  const { Versions: versions } = (await history.json()) as {
    readonly Versions: readonly { readonly Commit: string }[]
  }
  const former = `@${versions[0]?.Commit}/${path}`
  await change(`/api/storage/${path}`, 'PUT', await photo(90))
  await using edge = await startEdge({
    origin: service.url,
    token: await edgeTokenOf(service.url),
    name: 'near',
    directory: join(directory.path, 'near'),
  })
  const said = async (what: string, headers = {}) =>
    (await (await fetch(edge.url + what, { headers })).json()) as Readonly<Record<string, unknown>>

  expect(await said(`/api/picture?path=${former}`)).toMatchObject({ Width: 60 })
  expect((await said(`/api/picture?path=${former}`))['Src']).toContain(`url=/${former}&v=`)
  expect(await said(`/api/picture?path=${path}`)).toMatchObject({ Width: 90 })
  expect(await said(`/api/info?url=/${former}`)).toMatchObject({ Width: 60, Exif: null })
  // Nobody is shown what somebody else may see.
  for (let times = 0; times < 2; times += 1) {
    expect((await said(`/api/info?url=/${path}`, access))['Exif']).toMatchObject({ Make: 'Sedge' })
    expect((await said(`/api/info?url=/${path}`))['Exif']).toBeNull()
  }
  await change('/api/core/zones/acme', 'PATCH', '{"Suspended":true}')
  await until(async () => (await fetch(`${edge.url}/api/picture?path=${path}`)).status === 403)
  expect((await fetch(`${edge.url}/api/info?url=/${path}`, { headers: access })).status).toBe(403)
}, 120_000)
