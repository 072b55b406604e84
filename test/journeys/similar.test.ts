import { expect, test } from 'bun:test'

import { painted, red } from '../fixtures/sample-images.ts'
import { scene } from '../fixtures/scenes.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'
import { until } from '../support/until.ts'

interface Similar {
  readonly Path: string
  readonly Distance: number
  readonly Identical: boolean
}

const photo = (seed: number, width = 480) => scene(seed).resize(width)
const waiting = { Prefer: 'wait=30' }

async function put(
  service: InProcessService,
  path: string,
  {
    body,
    isWaiting = true,
  }: { readonly body: Uint8Array<ArrayBuffer>; readonly isWaiting?: boolean },
): Promise<readonly Similar[] | null> {
  const headers = isWaiting ? waiting : {}
  const response = await service.storage('PUT', path, { body, headers })
  expect(response.status).toBe(201)
  return ((await response.json()) as { Similar: Similar[] | null }).Similar
}

async function similarTo(
  service: InProcessService,
  query: string,
  headers: Record<string, string> = access,
) {
  const response = await service.fetch(`/api/assets/similar?${query}`, { headers })
  const body = (await response.json()) as { Data?: Similar[]; Error?: string }
  return {
    status: response.status,
    found: body.Data ?? [],
    paths: (body.Data ?? []).map(({ Path }) => Path),
  }
}

async function tokenFor(
  service: InProcessService,
  scopes: readonly string[],
  zones: readonly string[],
) {
  const response = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'test', scopes, zones }),
  })
  const { token } = (await response.json()) as { readonly token: string }
  return { Authorization: `Bearer ${token}` }
}

const bytesOf = async (image: { toBuffer(): Promise<Buffer> }) =>
  new Uint8Array(await image.toBuffer())

test('copies are found by path and by bytes, told to whoever uploads them, and gone once deleted', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const original = await bytesOf(photo(1).png())
  expect(await put(service, 'acme/v1/photos/one.png', { body: original })).toEqual([])
  expect(
    await put(service, 'acme/v1/photos/two.png', { body: await bytesOf(photo(2).png()) }),
  ).toEqual([])

  const copy = await bytesOf(photo(1, 200).jpeg({ quality: 60 }))
  const told = await put(service, 'acme/v1/photos/one-small.jpg', { body: copy })
  expect(told?.map(({ Path, Identical }) => [Path, Identical])).toEqual([
    ['acme/v1/photos/one.png', false],
  ])
  expect(await put(service, 'acme/v1/photos/again.jpg', { body: copy, isWaiting: false })).toEqual([
    { Path: 'acme/v1/photos/one-small.jpg', Distance: 0, Identical: true },
    { Path: 'acme/v1/photos/one.png', Distance: told?.[0]?.Distance ?? 0, Identical: false },
  ])
  expect(await put(service, 'acme/v1/notes.txt', { body: new Uint8Array(3) })).toBeNull()

  const { status, paths } = await similarTo(service, 'path=acme/v1/photos/one.png')
  expect(status).toBe(200)
  expect(paths.toSorted()).toEqual(['acme/v1/photos/again.jpg', 'acme/v1/photos/one-small.jpg'])
  const { Checksum } = (await (
    await service.fetch('/api/assets/metadata?path=acme/v1/photos/one.png', { headers: access })
  ).json()) as { Checksum: string }
  const byBytes = await similarTo(service, `sha256=${Checksum}&limit=1`)
  expect(byBytes.found).toMatchObject([{ Path: 'acme/v1/photos/one.png', Identical: true }])

  for (const name of ['one-small.jpg', 'again.jpg'])
    await service.storage('DELETE', `acme/v1/photos/${name}`)
  expect((await similarTo(service, 'path=acme/v1/photos/one.png')).paths).toEqual([])
})

test('an image that changes is like what it is now', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await put(service, 'acme/v1/photos/a.png', { body: await bytesOf(photo(1).png()) })
  await put(service, 'acme/v1/photos/b.png', { body: await bytesOf(photo(2).png()) })
  await put(service, 'acme/v1/photos/b.png', { body: await bytesOf(photo(1, 300).png()) })
  await until(
    async () =>
      (await similarTo(service, 'path=acme/v1/photos/a.png')).paths[0] === 'acme/v1/photos/b.png',
  )
  await service.core('DELETE', 'zones/acme')
  expect((await similarTo(service, 'path=acme/v1/photos/a.png')).status).toBe(404)
})

test('nobody is told of zones that a token does not reach, and a token that cannot list of nothing', async () => {
  await using service = await openInProcess()
  for (const zone of ['acme', 'umbra']) await service.createZone(zone)
  const image = await bytesOf(photo(3).png())
  await put(service, 'umbra/v1/secret.png', { body: image })
  const writer = await tokenFor(service, ['storage:write', 'assets:read'], ['acme'])
  const blind = await tokenFor(service, ['storage:write'], ['acme'])
  const upload = async (headers: Record<string, string>, path: string) => {
    const init = { method: 'PUT', headers: { ...headers, ...waiting }, body: image }
    const response = await service.fetch(`/api/storage/${path}`, init)
    expect(response.status).toBe(201)
    return ((await response.json()) as { Similar: unknown }).Similar
  }
  const sha256 = new Bun.CryptoHasher('sha256').update(image).digest('hex')
  expect((await similarTo(service, `sha256=${sha256}`, writer)).status).toBe(404)
  expect(await upload(writer, 'acme/v1/mine.png')).toEqual([])
  expect(await upload(blind, 'acme/v1/other.png')).toBeNull()
  expect((await similarTo(service, `sha256=${sha256}`, writer)).paths).toEqual([
    'acme/v1/mine.png',
    'acme/v1/other.png',
  ])
  expect((await similarTo(service, 'path=umbra/v1/secret.png', writer)).status).toBe(404)
  expect((await similarTo(service, 'path=acme/v1/mine.png', blind)).status).toBe(403)
  expect((await similarTo(service, 'path=acme/v1/mine.png', {})).status).toBe(401)
})

test('what is asked wrongly is refused, and what has nothing in it is like nothing', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await put(service, 'acme/v1/broken.png', { body: new Uint8Array([1, 2, 3]) })
  const plain = await bytesOf(painted({ width: 9, height: 9 }, () => red).png())
  await put(service, 'acme/v1/plain.png', { body: plain })
  const statusOf = async (query: string) => (await similarTo(service, query)).status
  expect(await statusOf('')).toBe(400)
  expect(await statusOf(`path=acme/v1/plain.png&sha256=${'0'.repeat(64)}`)).toBe(400)
  expect(await statusOf('sha256=ABC')).toBe(400)
  expect(await statusOf(`sha256=${'0'.repeat(64)}`)).toBe(404)
  expect(await statusOf('path=acme/v1/broken.png')).toBe(422)
  expect(await similarTo(service, 'path=acme/v1/plain.png')).toMatchObject({
    status: 200,
    found: [],
  })
})

test('what is there more than once is listed in groups, page by page, of the zones of the caller', async () => {
  await using service = await openInProcess()
  for (const zone of ['acme', 'umbra']) await service.createZone(zone)
  const images = {
    'acme/v1/a.png': 1,
    'acme/v1/b.png': 2,
    'umbra/v1/a.png': 1,
    'umbra/v1/b.png': 2,
  }
  for (const [path, seed] of Object.entries(images))
    await put(service, path, { body: await bytesOf(photo(seed).png()) })
  await put(service, 'acme/v1/a-small.jpg', { body: await bytesOf(photo(1, 240).jpeg()) })
  await put(service, 'acme/v1/alone.png', { body: await bytesOf(photo(3).png()) })
  const list = async (query: string, headers: Record<string, string> = access) => {
    const response = await service.fetch(`/api/assets/duplicates?${query}`, { headers })
    expect(response.status).toBe(200)
    const { Groups, Next } = (await response.json()) as {
      Groups: (Similar & { Similar: Similar[] })[]
      Next: string | null
    }
    const groups = Groups.map((group) => [
      group.Path,
      ...group.Similar.map(({ Path }) => Path).toSorted(),
    ])
    return { groups, next: Next }
  }
  const first = ['acme/v1/a-small.jpg', 'acme/v1/a.png', 'umbra/v1/a.png']
  const second = ['acme/v1/b.png', 'umbra/v1/b.png']
  await until(async () => (await list('')).groups.flat().length === first.length + second.length)
  expect(await list('')).toEqual({ groups: [first, second], next: null })
  const page = await list('limit=1')
  expect(page).toEqual({ groups: [first], next: 'acme/v1/a-small.jpg' })
  expect((await list(`limit=1&after=${page.next}`)).groups[0]).toContain('acme/v1/a.png')
  const tenant = await tokenFor(service, ['assets:read'], ['acme'])
  expect((await list('', tenant)).groups).toEqual([first.slice(0, 2)])
  expect((await list('project=umbra')).groups).toEqual([])
})

test('every kind of upload that answers with JSON tells what the images are like', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const original = 'acme/v1/photos/first.png'
  const image = new Uint8Array(await bytesOf(photo(7).png()))
  const smaller = new Uint8Array(await bytesOf(photo(7, 200).jpeg()))
  await put(service, original, { body: image })
  const sha256 = new Bun.CryptoHasher('sha256').update(image).digest('hex')
  await until(async () => (await similarTo(service, `sha256=${sha256}`)).paths.includes(original))
  const json = { ...access, ...waiting, 'Content-Type': 'application/json' }
  const told = async (path: string, init: RequestInit) =>
    (await (await service.fetch(path, { method: 'POST', ...init })).json()) as Record<string, never>
  const pathsIn = (found: readonly Similar[] | null | undefined) => found?.map(({ Path }) => Path)

  const files = [
    { path: 'acme/v1/photos/in-batch.jpg', content: smaller.toBase64() },
    { path: 'acme/v1/titles/hello.txt', content: '' },
  ]
  const batch = await told('/api/storage/batch', { headers: json, body: JSON.stringify({ files }) })
  const [ofImage, ofText] = batch['Similar'] as unknown as (Similar[] | null)[]
  expect([pathsIn(ofImage), ofText]).toEqual([[original], null])

  const copying = { From: original, To: 'acme/v1/photos/copied.png' }
  const copied = await told('/api/storage/copy', { headers: json, body: JSON.stringify(copying) })
  const ofCopy = copied['Similar'] as unknown as Similar[]
  expect(ofCopy.find(({ Path }) => Path === original)).toMatchObject({ Identical: true })

  const resumable = { ...access, ...waiting, 'Upload-Complete': '?1', 'Content-Type': 'image/jpeg' }
  const staged = await told('/api/uploads?path=acme/v1/photos/staged.jpg', {
    headers: resumable,
    body: smaller,
  })
  const { Similar: ofStaged } = staged['File'] as unknown as { readonly Similar: Similar[] }
  expect(pathsIn(ofStaged)).toContain(original)
})

test('who uploads with a grant is told of nothing else that is there', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const body = new Uint8Array(await bytesOf(photo(8).png()))
  await put(service, 'acme/v1/photos/first.png', { body })
  const granting = await service.fetch('/api/uploads/grants', {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify({ Path: 'acme/v1/photos/granted.png' }),
  })
  const { Url } = (await granting.json()) as { readonly Url: string }
  const { pathname, search } = new URL(Url, 'http://127.0.0.1')
  const stored = await service.fetch(pathname + search, { method: 'PUT', body, headers: waiting })

  expect(stored.status).toBe(201)
  expect(await stored.json()).toMatchObject({ Similar: null })
})
