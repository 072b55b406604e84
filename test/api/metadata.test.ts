import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'

let service: InProcessService
const logo = 'acme/v1/logos/logo.svg'
const twin = 'other/v1/logos/twin.svg'
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100"><rect width="200" height="100" fill="red"/><rect x="200" width="200" height="100" fill="blue"/></svg>'

beforeAll(async () => {
  service = await openInProcess()
  for (const path of [logo, twin, 'acme/v1/docs/a.txt']) {
    await service.createZone(path.split('/')[0] ?? '')
    await service.storage('PUT', path, { body: path.endsWith('.svg') ? svg : 'text' })
  }
})

afterAll(() => service[Symbol.asyncDispose]())

interface Asked {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function get(path = logo) {
  const response = await service.fetch(`/api/assets/metadata?path=${path}`, { headers: access })
  expect(response.status).toBe(200)
  return await response.json()
}

const patch = (body: unknown, { path = logo, headers = {} }: Asked = {}) =>
  service.fetch(`/api/assets/metadata?path=${path}`, {
    method: 'PATCH',
    headers: { ...access, 'Content-Type': 'application/merge-patch+json', ...headers },
    body: JSON.stringify(body),
  })

const nothing = {
  Title: null,
  Alt: {},
  Description: null,
  Tags: [],
  Copyright: null,
  Licence: null,
  Expires: null,
  Custom: {},
  FocalPoint: null,
}

test('what is said is merged into what was said, and null takes it back', async () => {
  expect((await get()).Metadata).toEqual(nothing)
  const all = {
    Title: ' Logo ',
    Alt: { de: 'Ein Blatt', 'EN-gb': 'A leaf' },
    Description: 'One\r\ntwo',
    Tags: ['Brand', 'spring SALE', 'brand'],
    Copyright: '© Acme',
    Licence: 'CC-BY-4.0',
    Expires: '2099-01-01T01:00:00+01:00',
    Custom: { sku: 7, size: { width: 3, unit: 'cm' } },
    FocalPoint: { X: 0.25, Y: 1 },
  }
  const first = await (await patch(all)).json()
  expect(first.Metadata).toEqual({
    ...all,
    Title: 'Logo',
    Alt: { de: 'Ein Blatt', 'en-GB': 'A leaf' },
    Description: 'One\ntwo',
    Tags: ['brand', 'spring-sale'],
    Expires: '2099-01-01T00:00:00.000Z',
    FocalPoint: { x: 0.25, y: 1 },
  })
  expect(new Set(Object.values(first.MetadataSources))).toEqual(new Set(['person']))
  expect(first.FocalPoint).toEqual({ x: 0.25, y: 1 })

  const second = await patch({
    Title: null,
    Alt: { de: null, fr: 'Une feuille' },
    Custom: { size: { unit: null }, sku: null },
    Tags: [],
  })
  expect((await second.json()).Metadata).toEqual({
    ...first.Metadata,
    Title: null,
    Alt: { 'en-GB': 'A leaf', fr: 'Une feuille' },
    Custom: { size: { width: 3 } },
    Tags: [],
  })
  const none = Object.fromEntries(Object.keys(nothing).map((name) => [name, null]))
  const last = await (await patch(none)).json()
  expect(last.Metadata).toEqual(nothing)
  expect(last.MetadataSources).toEqual({})
})

test('what is described keeps its bytes, its tags for purges and its commit', async () => {
  const before = await get()
  await patch({ Tags: ['leaf'] })
  const after = await get()
  await patch({ Tags: null })

  for (const name of ['Checksum', 'Commit', 'LastChanged', 'ETag'])
    expect(after[name]).toEqual(before[name])
  expect(after.Tags).toEqual(expect.arrayContaining(before.Tags))
  expect(after.Metadata.Tags).toEqual(['leaf'])
})

test('whoever saw another state is told so, and changes nothing', async () => {
  const { MetadataETag: first } = await get()
  const one = await patch({ Title: 'One' }, { headers: { 'If-Match': first } })
  expect(one.status).toBe(200)
  const { MetadataETag: second } = await one.json()
  const stale = await patch({ Title: 'Two' }, { headers: { 'If-Match': first } })

  expect(stale.status).toBe(412)
  expect((await stale.json()).error.code).toBe('PreconditionFailed')
  expect((await get()).Metadata.Title).toBe('One')
  expect((await patch({ Title: null }, { headers: { 'If-Match': second } })).status).toBe(200)
  expect((await patch({}, { headers: { 'If-Match': '*' } })).status).toBe(200)
  expect((await get()).MetadataETag).toBe(first)
})

test('the same again makes no commit', async () => {
  await patch({ Title: 'Same' })
  const entries = async () => {
    const response = await service.core('GET', 'audit-logs?limit=100')
    return (await response.json()).Items?.length ?? 0
  }
  const before = await entries()
  expect((await patch({ Title: ' Same' })).status).toBe(200)
  expect(await entries()).toBe(before)
  await patch({ Title: null })
})

for (const [what, body, target] of [
  ['a member that there is not', { Titel: 'A' }, 'Titel'],
  ['a title that is empty', { Title: ' ' }, 'Title'],
  ['a title that is too long', { Title: 'a'.repeat(501) }, 'Title'],
  ['a title with a control character', { Title: 'a\u0007' }, 'Title'],
  ['a text in no language', { Alt: { english: 'a', '?': 'b' } }, 'Alt'],
  ['a tag that is too long', { Tags: ['a'.repeat(65)] }, 'Tags'],
  ['too many tags', { Tags: Array.from({ length: 101 }, (_, index) => `t${index}`) }, 'Tags'],
  ['a day without time', { Expires: '2027-01-01' }, 'Expires'],
  ['a subject outside', { FocalPoint: { x: 1.5, y: 0 } }, 'FocalPoint'],
  [
    'own fields nested deeply',
    { Custom: JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`) },
    'Custom',
  ],
  ['own fields that are long', { Custom: { a: 'a'.repeat(9000) } }, 'Custom'],
  ['a list', [], 'body'],
] as const)
  test(`${what} is refused by its name`, async () => {
    const response = await patch(body)

    expect(response.status).toBe(400)
    const refusal = await response.json()
    expect(refusal.error.code).toBe('InvalidParameter')
    expect(JSON.stringify(refusal)).toContain(target)
    expect((await get()).Metadata).toEqual(nothing)
  })

test('what is no image has no subject, and may be described', async () => {
  const path = 'acme/v1/docs/a.txt'
  expect((await patch({ FocalPoint: { x: 0, y: 0 } }, { path })).status).toBe(422)
  const response = await patch({ Title: 'A text' }, { path })

  expect((await response.json()).Metadata.Title).toBe('A text')
  expect((await patch({ Title: 'A' }, { path: 'acme/v1/docs/none.txt' })).status).toBe(404)
})

test('one tenant moves the crops of its own asset, and of no other with the same bytes', async () => {
  const cutOf = async (path: string) => {
    const query = 'w=50&h=50&gravity=auto&format=png'
    const response = await service.fetch(`/api/transform?url=/${path}&${query}`)
    expect(response.status).toBe(200)
    return Bun.hash(await response.bytes())
  }
  const [first, second] = [await cutOf(logo), await cutOf(twin)]
  expect(first).toBe(second)
  await patch({ FocalPoint: { x: 0, y: 0.5 } })
  const left = await cutOf(logo)
  await patch({ FocalPoint: { x: 1, y: 0.5 } })
  const right = await cutOf(logo)

  expect(right).not.toBe(left)
  expect(await cutOf(twin)).toBe(second)
  expect((await get(twin)).FocalPoint).toBeNull()
  await patch({ FocalPoint: { x: 0, y: 0.5 } }, { path: twin })
  expect(await cutOf(twin)).toBe(left)
  expect(await cutOf(logo)).toBe(right)
  await patch({ FocalPoint: null })
  expect(await cutOf(logo)).toBe(first)
})

test('what is known of an asset is in no listing, and no URL leads there', async () => {
  await patch({ Title: 'A' })
  for (const path of ['acme/.sedge/assets/v1/logos/logo.svg.json', 'acme/.sedge/fields.json']) {
    expect((await service.fetch(`/${path}`)).status).toBe(404)
    expect((await service.storage('GET', path)).status).toBe(404)
    expect((await service.storage('PUT', path, { body: '{}' })).status).toBe(400)
    expect((await service.storage('DELETE', path)).status).toBe(400)
  }
  for (const directory of ['', 'acme/', 'acme/.sedge/', 'acme/.sedge/assets/v1/']) {
    const listed = await (await service.storage('GET', directory)).text()
    expect(listed).not.toMatch(/\.sedge|svg\.json/u)
  }
})

const fieldsOf = async (zone: string) =>
  await (await service.core('GET', `zones/${zone}/fields`)).json()

test('own fields are what the schema of the zone says, for that zone and from then on', async () => {
  await patch({ Custom: { sku: 7 } })
  const schema = {
    type: 'object',
    properties: {
      sku: { type: 'string', pattern: '^[A-Z]{2}-[0-9]+$' },
      season: { enum: ['spring'] },
    },
    required: ['sku'],
    additionalProperties: false,
  }
  expect(await fieldsOf('acme')).toMatchObject({ Zone: 'acme', Schema: null, Fault: null })
  const set = await service.core('PUT', 'zones/acme/fields', schema)
  expect(set.status).toBe(200)
  expect(await set.json()).toMatchObject({ Zone: 'acme', Schema: schema, Fault: null })
  expect(await fieldsOf('acme')).toMatchObject({ Schema: schema })
  expect(await fieldsOf('other')).toMatchObject({ Schema: null })

  expect((await get()).Metadata.Custom).toEqual({ sku: 7 })
  expect((await patch({ Title: 'Still' })).status).toBe(200)
  for (const [Custom, why] of [
    [{ season: 'spring' }, '/sku must be of type string'],
    [{ sku: 'AB-x' }, '/sku must match'],
    [{ sku: 'AB-1', season: 'autumn' }, '/season must be one of'],
    [{ sku: 'AB-1', colour: 'red' }, '/colour must not be there'],
  ] as const) {
    const refused = await patch({ Custom })
    expect(refused.status).toBe(400)
    expect((await refused.json()).error).toMatchObject({
      target: 'Custom',
      message: expect.stringContaining(`Custom ${why}`),
    })
  }
  const fits = await patch({ Custom: { sku: 'AB-1', season: 'spring' } })
  expect((await fits.json()).Metadata.Custom).toEqual({ sku: 'AB-1', season: 'spring' })
  expect((await patch({ Custom: null, Title: null })).status).toBe(200)
  expect((await patch({ Custom: { anything: 1 } }, { path: twin })).status).toBe(200)
  expect((await service.core('PUT', 'zones/acme/fields', {})).status).toBe(200)
  expect((await patch({ Custom: { anything: 1 } })).status).toBe(200)
  await patch({ Custom: null })
})

test('what is no schema is refused, saying where and why', async () => {
  const before = await fieldsOf('acme')
  for (const [schema, why] of [
    [{ tpye: 'object' }, 'tpye'],
    [{ properties: { a: { pattern: '(?=a)' } } }, '#/properties/a/pattern'],
    [{ $ref: 'https://example.test/schema.json' }, 'must begin with #'],
    [{ $ref: '#/$defs/none' }, 'leads nowhere'],
    [[], 'body'],
  ] as const) {
    const refused = await service.core('PUT', 'zones/acme/fields', schema)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain(why)
  }
  const large = { description: 'a'.repeat(40_000) }
  expect((await service.core('PUT', 'zones/acme/fields', large)).status).toBe(413)
  expect((await service.core('PUT', 'zones/none/fields', {})).status).toBe(404)
  expect((await service.core('GET', 'zones/none/fields')).status).toBe(404)
  expect(await fieldsOf('acme')).toEqual(before)
})

test('a pattern that other engines hang on hangs nobody', async () => {
  const schema = { properties: { a: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } } }
  await service.core('PUT', 'zones/acme/fields', schema)
  const start = performance.now()
  const refused = await patch({ Custom: { a: 'a'.repeat(8_000) } })

  expect(refused.status).toBe(400)
  expect(performance.now() - start).toBeLessThan(2_000)
  await service.core('PUT', 'zones/acme/fields', {})
})
