import { expect, test } from 'bun:test'
import sharp from 'sharp'

import { painted, photoPainter } from '../fixtures/sample-images.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'

interface Commits {
  readonly Commits: readonly {
    readonly Commit: string
    readonly Subject: string
    readonly Author: string
    readonly Parent: string | null
    readonly DateCommitted: string
  }[]
  readonly Next: string | null
}

interface State {
  readonly Size: number
  readonly Checksum: string
  readonly ContentType: string
}

interface Differences {
  readonly From: { readonly Commit: string } | null
  readonly To: { readonly Commit: string }
  readonly Differences: readonly {
    readonly Path: string
    readonly Change: string
    readonly MetadataOnly: boolean
    readonly Before: State | null
    readonly After: State | null
  }[]
  readonly Added: number
  readonly Changed: number
  readonly Removed: number
  readonly Next: string | null
}

async function openWithZone(): Promise<InProcessService> {
  const service = await openInProcess()
  await service.createZone('acme')
  return service
}

async function read<T>(service: InProcessService, path: string): Promise<T> {
  const response = await service.core('GET', path)
  expect({ status: response.status, said: response.ok ? '' : await response.text() }).toEqual({
    status: 200,
    said: '',
  })
  return (await response.json()) as T
}

const history = (service: InProcessService, query = '') =>
  read<Commits>(service, `zones/acme/history?${query}`)
const differences = (service: InProcessService, query = '') =>
  read<Differences>(service, `zones/acme/differences?${query}`)

const put = async (
  service: InProcessService,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
) => expect((await service.storage('PUT', path, { body })).status).toBe(201)

const refused = async (service: InProcessService, path: string) =>
  (await service.core('GET', `zones/acme/${path}`)).status

const a = 'acme/v1/icons/a.txt'
const b = 'acme/v1/icons/b.txt'
const c = 'acme/v1/logos/c.txt'

test('what a commit changed is told with what was there before and after', async () => {
  await using service = await openWithZone()
  await put(service, a, 'one')
  await put(service, b, 'two')
  await put(service, a, 'another')
  const [newest] = (await history(service, 'limit=1')).Commits
  const changed = await differences(service, `to=${newest?.Commit}`)

  expect(changed).toMatchObject({
    From: { Commit: newest?.Parent },
    To: { Commit: newest?.Commit },
    Added: 0,
    Changed: 1,
    Removed: 0,
    Differences: [
      { Path: a, Change: 'changed', MetadataOnly: false, Before: { Size: 3 }, After: { Size: 7 } },
    ],
  })
  await service.storage('DELETE', a)
  expect(await differences(service)).toMatchObject({
    Removed: 1,
    Differences: [{ Path: a, Change: 'removed', Before: { Size: 7 }, After: null }],
  })
})

test('the commit that made a zone shows what it brought, and nothing of a former zone', async () => {
  await using service = await openWithZone()
  await put(service, a, 'of somebody else')
  await service.core('DELETE', 'zones/acme')
  expect(await refused(service, 'history')).toBe(404)
  await service.createZone('acme')
  await put(service, b, 'two')
  const { Commits } = await history(service)
  const first = Commits.at(-1)

  expect(await differences(service, `to=${first?.Commit}`)).toMatchObject({
    From: null,
    Differences: [],
  })
  expect(await refused(service, `differences?from=${first?.Parent}`)).toBe(404)
  const gone = await service.fetch(`/api/assets/version/image?path=${a}&commit=${first?.Parent}`, {
    headers: access,
  })
  expect(gone.status).toBe(404)
})

test('any two moments are compared, in pages, with the numbers of all', async () => {
  await using service = await openWithZone()
  await put(service, a, 'one')
  const { Commits } = await history(service, 'limit=1')
  const then = Commits[0]?.Commit ?? ''
  await put(service, a, 'another')
  await put(service, b, 'two')
  await put(service, c, 'three')
  const first = await differences(service, `from=${then.slice(0, 10)}&limit=2`)

  expect(first).toMatchObject({ From: { Commit: then }, Added: 2, Changed: 1, Next: b })
  expect(first.Differences.map(({ Path }) => Path)).toEqual([a, b])
  const second = await differences(service, `from=${then}&limit=2&after=${first.Next}`)
  expect(second.Differences.map(({ Path }) => Path)).toEqual([c])
  expect(second.Next).toBeNull()
  const below = await differences(service, `from=${then}&path=v1/logos`)
  expect(below).toMatchObject({ Added: 1, Changed: 0 })
  const changed = await differences(service, `from=${then}&change=changed`)
  expect(changed).toMatchObject({ Added: 2, Changed: 1, Differences: [{ Path: a }] })
  // The other way round what came is what goes.
  const newest = (await history(service, 'limit=1')).Commits[0]?.Commit
  expect(await differences(service, `from=${newest}&to=${then}`)).toMatchObject({
    Added: 0,
    Changed: 1,
    Removed: 2,
  })
  const moment = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
  expect(await differences(service, `from=${moment}`)).toMatchObject({ Differences: [] })
  for (const wrong of ['from=zz', 'to=2026-01-01', 'from=0000000', 'path=../other', 'change=all'])
    expect({ wrong, status: await refused(service, `differences?${wrong}`) }).toEqual({
      wrong,
      status: wrong === 'from=0000000' ? 404 : 400,
    })
})

test('what is only described anew is told as such', async () => {
  await using service = await openWithZone()
  await put(service, a, 'one')
  const response = await service.fetch(`/api/assets/metadata?path=${a}`, {
    method: 'PATCH',
    headers: { ...access, 'Content-Type': 'application/merge-patch+json' },
    body: JSON.stringify({ Title: 'A title' }),
  })
  expect(response.status).toBe(200)
  expect(await differences(service)).toMatchObject({
    Changed: 1,
    Differences: [{ Path: a, Change: 'changed', MetadataOnly: true }],
  })
})

test('the history is narrowed to a path, a moment and an author, page by page', async () => {
  await using service = await openWithZone()
  await put(service, a, 'one')
  await put(service, c, 'three')
  await put(service, b, 'two')
  const all = await history(service)
  expect(all.Commits).toHaveLength(4)
  expect(all.Next).toBeNull()

  const icons = await history(service, 'path=v1/icons')
  expect(icons.Commits.map(({ Subject }) => Subject)).toEqual([
    all.Commits[0]?.Subject ?? '',
    all.Commits[2]?.Subject ?? '',
    // Which made the directory.
    'Create zone acme',
  ])
  const pages: string[] = []
  let next: string | null = null
  do {
    const page: Commits = await history(service, `limit=1${next ? `&before=${next}` : ''}`)
    pages.push(...page.Commits.map(({ Commit }) => Commit))
    next = page.Next
  } while (next !== null)
  expect(pages).toEqual(all.Commits.map(({ Commit }) => Commit))

  const author = all.Commits[0]?.Author ?? ''
  expect(author).toBe('access-key')
  const own = await history(service, `author=${author}&limit=2`)
  expect(own.Commits).toHaveLength(2)
  const rest = await history(service, `author=${author}&limit=2&before=${own.Next}`)
  expect(rest.Commits).toHaveLength(1)
  expect(rest.Next).toBeNull()
  expect(await history(service, 'author=session')).toMatchObject({ Commits: [], Next: null })

  const soon = new Date(Date.now() + 60_000).toISOString()
  expect(await history(service, `time=${encodeURIComponent(soon)}`)).toEqual(all)
  expect((await history(service, 'time=2001-01-01T00:00:00Z')).Commits).toEqual([])
  for (const wrong of ['time=yesterday', 'path=v2', 'before=zz'])
    expect({ wrong, status: await refused(service, `history?${wrong}`) }).toEqual({
      wrong,
      status: 400,
    })
})

test('an image is shown as it was to who may read its zone, though its history is closed', async () => {
  await using service = await openWithZone()
  const path = 'acme/v1/private/photo.jpg'
  const photo = async (width: number) =>
    new Uint8Array(await painted({ width, height: 200 }, photoPainter(3)).jpeg().toBuffer())
  await put(service, path, await photo(400))
  const then = (await history(service, 'limit=1')).Commits[0]?.Commit ?? ''
  await put(service, path, await photo(300))
  await service.storage('DELETE', path)
  const url = `/api/assets/version/image?path=${path}&commit=${then.slice(0, 12)}&w=100&h=100`
  const response = await service.fetch(url, { headers: access })

  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  const { width, height } = await sharp(await response.arrayBuffer()).metadata()
  expect({ width, height }).toEqual({ width: 100, height: 50 })
  const etag = response.headers.get('etag') ?? ''
  const again = await service.fetch(url, { headers: { ...access, 'If-None-Match': etag } })
  expect(again.status).toBe(304)
  expect((await service.fetch(url)).status).toBe(401)
  // A commit that was not the file's own shows it as it was then.
  await put(service, 'acme/v1/logos/other.txt', 'other')
  const [newest] = (await history(service, 'limit=1')).Commits
  const gone = `/api/assets/version/image?path=${path}&commit=${newest?.Commit}`
  expect((await service.fetch(gone, { headers: access })).status).toBe(404)
  // What has no image has a card.
  const text = `/api/assets/version/image?path=acme/v1/logos/other.txt&commit=${newest?.Commit}`
  const card = await service.fetch(text, { headers: access })
  expect(card.status).toBe(200)
  expect(card.headers.get('content-type')).toStartWith('image/')
})
