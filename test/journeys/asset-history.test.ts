import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'

const undo = new AsyncDisposableStack()
let service: LocalService

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  const environment = { SEARCH_BY_NAME_ONLY: 'true' }
  service = undo.use(await openLocalService({ dataDirectory: directory.path, environment }))
  await ask('/api/core/zones', { method: 'POST', headers: account, body: '{"Name":"acme"}' })
})
afterAll(() => undo.disposeAsync())

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, { headers: access, ...init })

const put = (path: string, body: string) =>
  ask(`/api/storage/clients/${path}`, { method: 'PUT', body })

interface Version {
  readonly Commit: string
  readonly Change: string
  readonly Size: number | null
  readonly Author: string
}

async function versionsOf(path: string): Promise<readonly Version[]> {
  const response = await ask(`/api/assets/history?path=${path}`)
  return ((await response.json()) as { Versions: readonly Version[] }).Versions
}

const restore = (path: string, commit: string) =>
  ask('/api/assets/restore', {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify({ path, commit }),
  })

test('an asset has a history, any version can be read, and brought back', async () => {
  const path = 'acme/v1/titles/one.txt'
  await put(path, 'first')
  await put(path, 'second one')
  const [newest, oldest] = await versionsOf(path)

  expect([newest?.Size, oldest?.Size]).toEqual([10, 5])
  expect(newest?.Author).toBe('access-key')
  const version = await ask(`/api/assets/version?path=${path}&commit=${oldest?.Commit}`)
  expect(version.headers.get('content-disposition')).toBe('attachment')
  expect(await version.text()).toBe('first')

  expect((await restore(path, oldest?.Commit ?? '')).status).toBe(200)
  expect(await (await ask(`/${path}`)).text()).toBe('first')
  expect(await versionsOf(path)).toHaveLength(3)
})

test('a deletion is undone by bringing back the version before it', async () => {
  const path = 'acme/v1/titles/gone.txt'
  await put(path, 'here')
  await ask(`/api/storage/clients/${path}`, { method: 'DELETE' })
  const [deleted, stored] = await versionsOf(path)

  expect([deleted?.Change, stored?.Change]).toEqual(['deleted', 'stored'])
  expect((await restore(path, deleted?.Commit ?? '')).status).toBe(404)
  expect((await restore(path, stored?.Commit ?? '')).status).toBe(200)
  expect(await (await ask(`/${path}`)).text()).toBe('here')
})

test('what never was has no history, and hostile values are refused', async () => {
  const commit = 'f'.repeat(40)
  for (const [path, status] of [
    ['/api/assets/history?path=acme/v1/titles/never.txt', 404],
    ['/api/assets/history?path=nobody/v1/titles/x.txt', 404],
    ['/api/assets/history?path=acme/v1/../../x', 400],
    ['/api/assets/history', 400],
    [`/api/assets/version?path=acme/v1/titles/one.txt&commit=${commit}`, 404],
    ['/api/assets/version?path=acme/v1/titles/one.txt&commit=--all', 400],
    ['/api/assets/version?path=acme/v1/titles/one.txt&commit=HEAD', 400],
  ] as const)
    expect({ path, status: (await ask(path)).status }).toEqual({ path, status })
  expect((await restore('acme/v1/titles/one.txt', 'HEAD')).status).toBe(400)
})

test('what becomes live is told as it does, of the zone that was asked for', async () => {
  await ask('/api/core/zones', { method: 'POST', headers: account, body: '{"Name":"other"}' })
  await using stream = await openEvents('/api/assets/events?project=acme')
  await put('other/v1/titles/x.txt', 'x')
  await put('acme/v1/titles/live.txt', 'x')

  const told = await stream.next()
  expect(told).toMatchObject({
    changes: [{ event: 'asset.created', path: 'acme/v1/titles/live.txt' }],
  })
})

test('a token for other zones learns nothing and brings nothing back', async () => {
  const path = 'acme/v1/titles/theirs.txt'
  await put(path, 'theirs')
  const [stored] = await versionsOf(path)
  const scopes = ['assets:read', 'storage:read', 'storage:write']
  const created = await ask('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'other', scopes, zones: ['other'] }),
  })
  const { token } = (await created.json()) as { readonly token: string }
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const commit = stored?.Commit ?? ''
  for (const response of [
    await ask(`/api/assets/history?path=${path}`, { headers }),
    await ask(`/api/assets/version?path=${path}&commit=${commit}`, { headers }),
    await ask('/api/assets/restore', {
      method: 'POST',
      headers,
      body: JSON.stringify({ path, commit }),
    }),
  ]) {
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('ZoneNotFound')
  }
})

async function openEvents(path: string) {
  const stop = new AbortController()
  const response = await ask(path, { signal: stop.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  await reader?.read()
  return {
    async next(): Promise<unknown> {
      for (;;) {
        const data = /^data: (.*)\n\n/mu.exec(text)?.[1]
        if (data !== undefined) return JSON.parse(data)
        text += (await reader?.read())?.value ?? ''
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
    },
  }
}
