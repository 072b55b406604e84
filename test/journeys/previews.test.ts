import { expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { temporaryDirectory } from '../support/service-process.ts'
import { openLocalService } from '../support/local-service.ts'
import { account } from '../support/service-process.ts'
import { tenantOf } from '../support/tenant.ts'

interface Preview {
  readonly Name: string
  readonly Base: string
  readonly Head: string
  readonly Url: string
  readonly Signed: boolean
  readonly Expires: string
}

const dayMs = 86_400_000

async function openWithZone(environment: Readonly<Record<string, string>> = {}) {
  const service = await openInProcess({ environment })
  await service.createZone('acme')
  return service
}

async function make(service: InProcessService, body: object): Promise<Preview> {
  const response = await service.core('POST', 'zones/acme/previews', body)
  expect(response.status).toBe(201)
  return (await response.json()) as Preview
}

const refusal = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; target?: string } }
  return [response.status, error.code, error.target]
}

const newest = async (service: InProcessService): Promise<string> => {
  const response = await service.core('GET', 'zones/acme/history?limit=1')
  const { Commits } = (await response.json()) as { Commits: readonly { Commit: string }[] }
  return Commits[0]?.Commit ?? ''
}

test('a preview is made of what is live, or was, listed, shown and removed', async () => {
  await using service = await openWithZone()
  const first = await newest(service)
  await service.storage('PUT', 'acme/v1/icons/a.txt', { body: 'one' })
  const head = await newest(service)
  const spring = await make(service, { Name: 'spring' })
  const old = await make(service, { Name: 'old', From: first.slice(0, 9), Signed: true })

  expect(spring).toMatchObject({
    Zone: 'acme',
    Name: 'spring',
    Base: head,
    Head: head,
    Url: 'http://127.0.0.1:8788/@~spring/acme/v1/',
    Signed: false,
    CreatedBy: 'account-key',
  })
  const inDays = (new Date(spring.Expires).getTime() - Date.now()) / dayMs
  expect(inDays).toBeCloseTo(30, 1)
  expect(old).toMatchObject({ Base: first, Signed: true })
  const listed = await service.core('GET', 'zones/acme/previews')
  expect(await listed.json()).toEqual({ Previews: [old, spring], Count: 2 })
  expect((await service.core('DELETE', 'zones/acme/previews/old')).status).toBe(200)
  expect(await refusal(await service.core('GET', 'zones/acme/previews/old'))).toEqual([
    404,
    'PreviewNotFound',
    'preview',
  ])
  const shown = await service.core('GET', 'zones/acme/previews/spring')
  expect(await shown.json()).toEqual(spring)
})

test('when it expires and who sees it can be said, and what cannot be is refused', async () => {
  await using service = await openWithZone({ PREVIEWS_PER_ZONE: '2' })
  const soon = new Date(Date.now() + dayMs).toISOString()
  const first = await make(service, { Name: 'a', Expires: soon })
  await make(service, { Name: 'b' })
  const attempt = async (body: object) =>
    refusal(await service.core('POST', 'zones/acme/previews', body))

  expect(new Date(first.Expires).toISOString()).toBe(soon)
  expect(await attempt({ Name: 'a' })).toEqual([409, 'PreviewExists', 'Name'])
  expect(await attempt({ Name: 'c' })).toEqual([409, 'LimitExceeded', 'Name'])
  for (const Name of ['', 'A', '-a', 'a-', 'a--b', 'a.b', 'a/b', 'x'.repeat(41)])
    expect([Name, ...(await attempt({ Name }))]).toEqual([Name, 400, 'InvalidParameter', 'Name'])
  expect(await attempt({ Name: 'd', Expires: '2020-01-01T00:00:00Z' })).toContain('Expires')
  expect(await attempt({ Name: 'd', Expires: 'soon' })).toContain('Expires')
  await service.core('DELETE', 'zones/acme/previews/b')
  expect(await attempt({ Name: 'd', From: 'feedfacefeed' })).toEqual([404, 'NotFound', 'From'])
  expect(await attempt({ Name: 'd', From: '2020-01-01T00:00:00Z' })).toContain('NotFound')
  const patched = await service.core('PATCH', 'zones/acme/previews/a', {
    Expires: null,
    Signed: true,
  })
  const { Expires, Signed } = (await patched.json()) as Preview
  expect(Signed).toBeTrue()
  expect((new Date(Expires).getTime() - Date.now()) / dayMs).toBeCloseTo(30, 1)
})

test('a tenant makes previews of its own zone alone, and none while it is suspended', async () => {
  await using service = await openWithZone()
  await service.createZone('bolt')
  await make(service, { Name: 'spring' })
  const bolt = await tenantOf(service, 'bolt', ['storage:read', 'storage:write'])
  const reader = await tenantOf(service, 'bolt', ['storage:read'])

  expect((await bolt('POST', '/api/core/zones/bolt/previews', { Name: 'x' })).status).toBe(201)
  expect((await reader('POST', '/api/core/zones/bolt/previews', { Name: 'y' })).status).toBe(403)
  expect((await reader('GET', '/api/core/zones/bolt/previews')).status).toBe(200)
  for (const [method, path, body] of [
    ['POST', '/api/core/zones/acme/previews', { Name: 'x' }],
    ['GET', '/api/core/zones/acme/previews'],
    ['DELETE', '/api/core/zones/acme/previews/spring'],
  ] as const)
    expect((await refusal(await bolt(method, path, body)))[1]).toBe('ZoneNotFound')
  await service.core('PATCH', 'zones/bolt', { Suspended: true })
  expect((await bolt('POST', '/api/core/zones/bolt/previews', { Name: 'y' })).status).toBe(403)
  expect((await bolt('DELETE', '/api/core/zones/bolt/previews/x')).status).toBe(403)
})

test('previews outlive a restart, and go with their zone', async () => {
  await using directory = await temporaryDirectory()
  const ask = async ({ url }: { readonly url: string }, what: string, body?: object) => {
    const [method = '', path] = what.split(' ')
    const sent = body && { body: JSON.stringify(body) }
    return fetch(`${url}/api/core/${path}`, { method, headers: account, ...sent })
  }
  {
    await using service = await openLocalService({ dataDirectory: directory.path })
    for (const Name of ['acme', 'bolt']) await ask(service, 'POST zones', { Name })
    for (const zone of ['acme', 'bolt'])
      await ask(service, `POST zones/${zone}/previews`, { Name: 'spring' })
    await ask(service, 'DELETE zones/acme')
    await ask(service, 'POST zones', { Name: 'acme' })
  }
  await using service = await openLocalService({ dataDirectory: directory.path })
  expect(await (await ask(service, 'GET zones/acme/previews')).json()).toMatchObject({ Count: 0 })
  expect((await ask(service, 'GET zones/bolt/previews/spring')).status).toBe(200)
  service.wait(31 * dayMs)
  expect((await ask(service, 'GET zones/bolt/previews/spring')).status).toBe(404)
})
