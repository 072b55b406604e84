import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { account } from '../support/service-process.ts'

let service: InProcessService

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'

beforeAll(async () => {
  service = await openInProcess()
  for (const zone of ['acme', 'globex']) {
    await service.createZone(zone)
    await service.storage('PUT', `${zone}/v1/logos/a.svg`, { body: svg })
  }
}, 30_000)

afterAll(() => service[Symbol.asyncDispose]())

type File = '_headers' | '_redirects' | '_transforms'

const write = (File: File, Content: string, Zone?: string) =>
  service.core('POST', 'rules', { File, Content, Zone })

const read = async (query = '') => await (await service.core('GET', `rules${query}`)).json()

async function tokenFor(scopes: readonly string[], zones: readonly string[]): Promise<string> {
  const made = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: { ...account, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'rules', scopes, zones }),
  })
  return (await made.json()).token
}

const withToken = (token: string, path: string, body?: object) =>
  service.fetch(`/api/core/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

test('rules of a zone are committed in its directory, read back, and undone with it', async () => {
  const written = await write('_headers', '/v1/logos/*\n  X-Own: 1\n', 'acme')
  expect(await written.json()).toMatchObject({
    Message: '_headers updated',
    Zone: 'acme',
    Commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
  })
  expect((await service.fetch('/acme/v1/logos/a.svg')).headers.get('x-own')).toBe('1')
  expect(await read('?zone=acme&file=_headers')).toMatchObject({
    Zone: 'acme',
    Headers: '/v1/logos/*\n  X-Own: 1\n',
    Redirects: null,
    File: '_headers',
    Content: '/v1/logos/*\n  X-Own: 1\n',
  })
  expect(await read()).toMatchObject({ Headers: null })

  await service.core('DELETE', 'zones/acme')
  await service.createZone('acme')
  await service.storage('PUT', 'acme/v1/logos/a.svg', { body: svg })
  expect(await read('?zone=acme')).toMatchObject({ Headers: null })
  expect((await service.fetch('/acme/v1/logos/a.svg')).headers.has('x-own')).toBe(false)
})

test('lines that no zone may have are refused by their numbers, and size is bounded', async () => {
  const refused = await write(
    '_headers',
    '/v1/*\n  X-Accel-Redirect: /x\n  Content-Length: 1\n  X-Fine: 1\n',
    'acme',
  )
  const { error } = await refused.json()
  expect(refused.status).toBe(400)
  expect(error.details.map(({ target }: { target: string }) => target)).toEqual(['2', '3'])
  const theirs = await write('_redirects', '/v1/a /globex/v1/logos/a.svg 200\n', 'acme')
  expect((await theirs.json()).error.details[0].message).toContain('a file of the zone: /v1/…')

  expect((await write('_redirects', '#'.repeat(32_769), 'acme')).status).toBe(400)
  expect((await write('_redirects', '#\n'.repeat(1001), 'acme')).status).toBe(400)
  expect((await write('_redirects', '#\n'.repeat(1000), 'acme')).status).toBe(200)
  const warned = await write('_headers', '/v1/*\n  Set-Cookie: a=b\n/logos/*\n  X: y\n', 'acme')
  const { Warnings } = await warned.json()
  expect(Warnings.map(({ line }: { line: number }) => line)).toEqual([1, 3])
})

test('a token for a zone writes its rules, and neither those of all nor of another', async () => {
  const token = await tokenFor(['rules:read', 'rules:write'], ['acme'])
  const own = { File: '_headers', Content: '/v1/*\n  X-Own: token\n' }
  const statuses = [
    await withToken(token, 'rules', { ...own, Zone: 'acme' }),
    await withToken(token, 'rules', own),
    await withToken(token, 'rules', { ...own, Zone: 'globex' }),
    await withToken(token, 'rules'),
    await withToken(token, 'rules?zone=acme'),
    await withToken(token, 'rules?zone=globex'),
    await withToken(token, 'rules/explain?url=/acme/v1/logos/a.svg'),
    await withToken(token, 'rules/explain?url=/globex/v1/logos/a.svg'),
  ].map(({ status }) => status)

  expect(statuses).toEqual([200, 403, 404, 403, 200, 404, 200, 404])
  expect((await service.fetch('/acme/v1/logos/a.svg')).headers.get('x-own')).toBe('token')
})

test('it is explained whose rule does what, and which of a zone’s fields do not count', async () => {
  await write('_headers', '/*\n  X-Policy: all\n')
  await write('_redirects', '/none /x\n')
  await write('_headers', '/v1/*\n  X-Policy: own\n  X-Own: 1\n', 'acme')
  await write('_redirects', '/v1/old/* /v1/logos/:splat 301\n', 'acme')
  const explained = await (await service.core('GET', 'rules/explain?url=/acme/v1/old/a.svg')).json()

  expect(explained).toMatchObject({
    Zone: 'acme',
    Redirects: [
      { file: '_redirects', zone: null, line: 1, outcome: 'path-differs' },
      { zone: 'acme', line: 1, outcome: 'matched', captures: { splat: 'a.svg' } },
    ],
    Action: { kind: 'redirect', status: 301, location: '/acme/v1/logos/a.svg' },
    Headers: [
      { file: '_headers', zone: null, line: 1, outcome: 'matched', overruled: [] },
      { zone: 'acme', line: 1, outcome: 'matched', overruled: ['x-policy'] },
    ],
  })
  expect(explained.FieldsAfter).toContainEqual(['x-own', '1'])
  expect(explained.FieldsAfter).toContainEqual(['x-policy', 'all'])
  const token = await tokenFor(['rules:read'], ['acme'])
  const narrowed = await (await withToken(token, 'rules/explain?url=/acme/v1/old/a.svg')).json()
  expect(narrowed.Headers.map(({ zone }: { zone: string }) => zone)).toEqual(['acme'])
  expect(narrowed.FieldsAfter).toContainEqual(['x-policy', 'all'])
})

test('what a rule file said before is listed and read, and not that of a former zone', async () => {
  await service.createZone('former')
  await write('_headers', '/v1/*\n  X: secret\n', 'former')
  await service.core('DELETE', 'zones/former')
  await service.createZone('former')
  for (const value of ['1', '2']) await write('_headers', `/v1/*\n  X: ${value}\n`, 'former')
  const query = 'file=_headers&zone=former'
  const versions = async (path = '') =>
    await (await service.core('GET', `rules/versions${path}?${query}`)).json()

  const { Versions } = await versions()
  expect(Versions).toHaveLength(2)
  expect(Versions[0]).toMatchObject({ Author: 'account-key', Change: 'stored' })
  expect(await versions(`/${Versions[1].Commit}`)).toMatchObject({ Content: '/v1/*\n  X: 1\n' })
  expect((await service.core('GET', `rules/versions/${'0'.repeat(40)}?${query}`)).status).toBe(404)
  const token = await tokenFor(['rules:read'], ['former'])
  expect((await withToken(token, `rules/versions?${query}`)).status).toBe(200)
  expect((await withToken(token, 'rules/versions?file=_headers')).status).toBe(403)
  expect((await withToken(token, 'rules/versions?file=_headers&zone=acme')).status).toBe(404)
})

test('a draft is explained before it is saved, of all zones and of one', async () => {
  const explain = async (body: object) => {
    const response = await service.core('POST', 'rules/explain', body)
    return [response.status, await response.json()] as const
  }
  const Url = '/globex/v1/logos/a.svg'
  const draft = { Url, File: '_redirects', Content: 'nonsense\n/v1/logos/* /v1/new/:splat\n' }

  expect(await explain({ ...draft, Zone: 'globex' })).toMatchObject([
    200,
    { Action: { location: '/globex/v1/new/a.svg' }, Redirects: [{}, { line: 2, zone: 'globex' }] },
  ])
  expect((await explain(draft))[1].Action).toBeNull()
  expect((await explain({ ...draft, Content: `${Url} /gone 410\n` }))[1].Action).toMatchObject({
    status: 410,
  })
  const named = {
    File: '_transforms',
    Content: 'card w=4\n',
    Zone: 'globex',
    Url: `${Url}/card.png`,
  }
  expect((await explain(named))[1].Transform).toMatchObject({
    Name: 'card',
    Zone: 'globex',
    line: 1,
  })
  expect((await explain({ ...draft, Zone: 'nobody' }))[0]).toBe(404)
  expect((await explain({ ...draft, Url: 'ftp://x' }))[0]).toBe(400)
  expect((await service.fetch(Url)).status).toBe(200)
})

test('what rules of a zone withhold or make safe, nothing shows otherwise', async () => {
  await write('_headers', '/v1/logos/*\n  X-Sanitize: svg\n', 'acme')
  await write('_redirects', '/v1/logos/b.svg /v1/none 410\n', 'acme')
  await service.storage('PUT', 'acme/v1/logos/b.svg', { body: svg })

  expect(await (await service.fetch('/acme/v1/logos/a.svg')).text()).not.toContain('script')
  expect(await (await service.fetch('/globex/v1/logos/a.svg')).text()).toContain('script')
  const auto = await service.fetch('/api/auto?path=acme/v1/logos/a.svg')
  expect(await auto.text()).not.toContain('script')
  expect((await service.fetch('/api/transform?url=/acme/v1/logos/b.svg&w=9')).status).toBe(404)
  await write('_redirects', '', 'acme')
  expect((await service.fetch('/api/transform?url=/acme/v1/logos/b.svg&w=9')).status).toBe(200)
})

test('defaults of a zone: how long it is used without asking, and what images keep', async () => {
  const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Copyright: 'Acme', Model: 'Camera' } })
    .jpeg()
    .toBuffer()
  await service.storage('PUT', 'acme/v1/logos/c.jpg', { body: image })
  const exifAt = async (url: string) => {
    const response = await service.fetch(url, { headers: { Accept: 'image/webp,*/*' } })
    const { exif } = await sharp(await response.bytes()).metadata()
    return exif?.toString('latin1') ?? ''
  }
  const exifOf = (query = '') =>
    exifAt(`/api/transform?url=/acme/v1/logos/c.jpg&w=10&format=jpeg${query}`)
  const others = [
    '/api/auto?path=acme/v1/logos/c',
    '/iiif/3/acme%2Fv1%2Flogos%2Fc.jpg/full/10,/0/default.jpg',
  ]
  for (const url of others) expect(await exifAt(url)).not.toContain('Acme')
  expect(await exifOf()).not.toContain('Acme')

  const set = (body: object) => service.core('PATCH', 'zones/acme', body)
  expect(await (await set({ CacheLifetime: 7200, Metadata: 'copyright' })).json()).toMatchObject({
    CacheLifetime: 7200,
    Metadata: 'copyright',
  })
  expect(await exifOf()).toContain('Acme')
  expect(await exifOf('&metadata=none')).not.toContain('Acme')
  const lifetime = 'public, max-age=7200, stale-while-revalidate=600'
  for (const url of others) expect(await exifAt(url)).toContain('Acme')
  const transformed = '/api/transform?url=/acme/v1/logos/c.jpg&w=10'
  for (const url of ['/acme/v1/logos/c.jpg', transformed, ...others])
    expect((await service.fetch(url)).headers.get('cache-control')).toBe(lifetime)
  expect((await set({ CacheLifetime: 31_536_001 })).status).toBe(400)
  expect((await set({ CacheLifetime: -1 })).status).toBe(400)
  expect((await set({ Metadata: 'some' })).status).toBe(400)
  await set({ CacheLifetime: null, Metadata: null })
  expect(await exifOf()).not.toContain('Acme')
})
