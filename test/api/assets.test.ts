import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'
import { tenantOf } from '../support/tenant.ts'

let service: InProcessService

const files = {
  'acme/v1/logos/arrow-up.svg': '<svg/>',
  'acme/v1/logos/arrow-up.png': 'png-bytes',
  'acme/v1/icons/Arrow-down.svg': '<svg></svg>',
  'acme/v1/readme.txt': 'hello',
  'other/v1/logos/arrow.svg': '<svg />',
}

beforeAll(async () => {
  service = await openInProcess({ environment: { BASE_URL: 'https://cdn.example.org' } })
  await service.createZone('acme')
  await service.createZone('other')
  for (const [path, body] of Object.entries(files)) await service.storage('PUT', path, { body })
})

afterAll(() => service[Symbol.asyncDispose]())

const list = async (query: string) => {
  const response = await service.fetch(`/api/assets?${query}`, { headers: access })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const paths = async (query: string) =>
  (await list(query)).body.Data.map((item: { path: string }) => item.path)

test('a page has its items in both spellings, its bounds and its filters', async () => {
  const { body } = await list('project=acme&category=logos&format=svg&q=arrow')
  expect(body).toEqual({
    HttpCode: 200,
    Message: expect.any(String),
    Pagination: { Page: 1, PerPage: 50, TotalItems: 1, TotalPages: 1 },
    Page: 1,
    TotalPages: 1,
    Filters: {
      Project: 'acme',
      Category: 'logos',
      Format: 'svg',
      Folder: null,
      Query: 'arrow',
      Tag: null,
      Field: null,
      Color: null,
      Missing: null,
    },
    DateFetched: expect.any(String),
    Data: [
      {
        name: 'arrow-up.svg',
        path: 'acme/v1/logos/arrow-up.svg',
        project: 'acme',
        category: 'logos',
        format: 'svg',
        size: 6,
        Name: 'arrow-up.svg',
        Path: 'acme/v1/logos/arrow-up.svg',
        Project: 'acme',
        Category: 'logos',
        Format: 'svg',
        Size: 6,
        ContentType: 'image/svg+xml',
        Title: null,
        Tags: [],
        Width: null,
        Height: null,
        Created: expect.any(String),
        LastChanged: expect.any(String),
        Expires: null,
      },
    ],
  })
})

test('a folder has what is below it, or directly in it', async () => {
  expect(await paths('folder=acme&sort=path')).toEqual([
    'acme/v1/icons/Arrow-down.svg',
    'acme/v1/logos/arrow-up.png',
    'acme/v1/logos/arrow-up.svg',
    'acme/v1/readme.txt',
  ])
  expect(await paths('folder=acme/v1&direct=true')).toEqual(['acme/v1/readme.txt'])
  expect(await paths('folder=acme/v1/logos/&q=svg')).toEqual(['acme/v1/logos/arrow-up.svg'])
  expect(await paths('folder=acme/v1/log')).toEqual([])
  expect(await paths('folder=&direct=true')).toEqual([])
  expect((await list('folder=acme/v1/logos')).body.Filters.Folder).toBe('acme/v1/logos')
  expect((await list('folder=nobody')).status).toBe(404)
  expect((await list('folder=acme/v2/x')).status).toBe(400)
})

const folders = async (query: string) => {
  const response = await service.fetch(`/api/assets/folders?${query}`, { headers: access })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

test('a folder says what is in each of its folders, page by page', async () => {
  const { body, headers } = await folders('path=acme&limit=3')
  expect(body).toMatchObject({
    Path: 'acme/v1',
    OwnFiles: 1,
    Files: 4,
    Bytes: 31,
    Folders: 5,
    Next: 'icons',
  })
  expect(body.Data.map(({ Name }: { Name: string }) => Name)).toEqual([
    'banners',
    'github',
    'icons',
  ])
  const { body: second } = await folders('path=acme/v1&limit=3&after=icons')
  expect(second.Data).toEqual([
    {
      Name: 'logos',
      Path: 'acme/v1/logos',
      Files: 2,
      Bytes: 15,
      Folders: 0,
      LastChanged: expect.any(String),
    },
    expect.objectContaining({ Name: 'titles', Files: 0, Bytes: 0 }),
  ])
  expect(second.Next).toBeNull()
  const tag = { ...access, 'If-None-Match': headers.get('etag') ?? '' }
  const again = await service.fetch('/api/assets/folders?path=acme', { headers: tag })
  expect(again.status).toBe(304)
  expect((await folders('path=acme/v1/nothing/here')).body.Data).toEqual([])
  expect((await folders('path=nobody')).status).toBe(404)
})

test('the folder of all zones has those that the caller reaches', async () => {
  expect((await folders('')).body).toMatchObject({
    Path: '',
    Files: 5,
    Data: [
      { Name: 'acme', Path: 'acme/v1', Files: 4, Folders: 5 },
      { Name: 'other', Path: 'other/v1', Files: 1 },
    ],
  })
  const ask = await tenantOf(service, 'other')
  const own = await (await ask('GET', '/api/assets/folders')).json()
  expect(own).toMatchObject({ Files: 1, Folders: 1, Data: [{ Name: 'other' }] })
  expect((await ask('GET', '/api/assets/folders?path=acme')).status).toBe(404)
  expect((await ask('GET', '/api/assets?folder=acme')).status).toBe(404)
})

test('placeholders of empty directories are not assets', async () => {
  expect((await list('')).body.Pagination.TotalItems).toBe(Object.keys(files).length)
})

test('every word must occur, in any case; filters are exact', async () => {
  expect(await paths('q=ARROW%20down')).toEqual(['acme/v1/icons/Arrow-down.svg'])
  expect(await paths('q=arrow%20absent')).toEqual([])
  expect(await paths('project=acm')).toEqual([])
  expect(await paths('category=general')).toEqual(['acme/v1/readme.txt'])
})

test('items are sorted as asked, with ties by path', async () => {
  expect(await paths('sort=size&order=desc&per_page=2')).toEqual([
    'acme/v1/icons/Arrow-down.svg',
    'acme/v1/logos/arrow-up.png',
  ])
  expect((await paths('sort=project&order=desc'))[0]).toBe('other/v1/logos/arrow.svg')
  for (const bad of ['sort=colour', 'order=up', 'sort=']) expect((await list(bad)).status).toBe(400)
})

test('pages are clamped, and one past the end is empty', async () => {
  expect((await list('page=0&per_page=1000')).body.Pagination).toMatchObject({
    Page: 1,
    PerPage: 200,
  })
  const past = await list('page=99')
  expect([past.status, past.body.Data]).toEqual([200, []])
  expect((await list('project=nobody')).body.Pagination).toMatchObject({
    TotalItems: 0,
    TotalPages: 1,
  })
  for (const bad of ['page=x', 'per_page=1.5', 'page=']) expect((await list(bad)).status).toBe(400)
})

test('the catalogue is validated by its version', async () => {
  const first = await list('project=acme')
  expect(first.headers.get('cache-control')).toBe('private, max-age=30')
  const etag = first.headers.get('etag') ?? ''
  const again = () =>
    service.fetch('/api/assets?project=acme', { headers: { ...access, 'If-None-Match': etag } })
  expect((await again()).status).toBe(304)
  await service.storage('PUT', 'acme/v1/logos/late.svg', { body: '<svg/>' })
  expect((await again()).status).toBe(200)
  await service.storage('DELETE', 'acme/v1/logos/late.svg')
})

test('metadata has every field, whichever way the path is written', async () => {
  const sha256 = createHash('sha256').update('<svg/>').digest('hex')
  for (const path of [
    'acme/v1/logos/arrow-up.svg',
    '/acme/v1/logos/arrow-up.svg',
    'clients/acme/v1/logos/arrow-up.svg',
  ]) {
    const response = await service.fetch(`/api/assets/metadata?path=${path}`, { headers: access })
    expect(await response.json()).toMatchObject({
      Path: 'acme/v1/logos/arrow-up.svg',
      Name: 'arrow-up.svg',
      Project: 'acme',
      Category: 'logos',
      Format: 'svg',
      Size: 6,
      SizeHuman: '6 B',
      ContentType: 'image/svg+xml',
      CdnUrl: 'https://cdn.example.org/acme/v1/logos/arrow-up.svg',
      TransformUrl: expect.stringContaining('https://cdn.example.org/api/transform?url='),
      AvailableFormats: ['svg', 'png', 'avif', 'webp', 'jpeg'],
      DateFetched: expect.any(String),
      Checksum: sha256,
      ETag: `"${sha256}"`,
      Tags: expect.arrayContaining(['zone-acme', 'category-logos', `asset-${sha256.slice(0, 12)}`]),
      Commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
    })
  }
})

test('metadata is 400 without a path and 404 for an unknown one', async () => {
  const status = async (query: string) =>
    (await service.fetch(`/api/assets/metadata${query}`, { headers: access })).status
  expect(await status('')).toBe(400)
  expect(await status('?path=acme/v1/nope.svg')).toBe(404)
  expect(await status('?path=nobody/v1/a.svg')).toBe(404)
  expect(await status('?path=../x')).toBe(400)
})
