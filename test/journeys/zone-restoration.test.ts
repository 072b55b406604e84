import { expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { access } from '../support/service-process.ts'
import { tenantOf } from '../support/tenant.ts'

interface Restored {
  readonly From: string
  readonly Commit: string | null
  readonly Before: string | null
  readonly Added: number
  readonly Changed: number
  readonly Removed: number
  readonly Paths: Readonly<Record<'Added' | 'Changed' | 'Removed', readonly string[]>>
}

async function openWithZone(): Promise<InProcessService> {
  const service = await openInProcess()
  await service.createZone('acme')
  return service
}

async function restore(service: InProcessService, body: unknown): Promise<Restored> {
  const response = await service.core('POST', 'zones/acme/restore', body)
  expect({ status: response.status, said: response.ok ? '' : await response.text() }).toEqual({
    status: 200,
    said: '',
  })
  return (await response.json()) as Restored
}

async function put(service: InProcessService, path: string, stored: string | Stored) {
  const { body, type } = typeof stored === 'string' ? { body: stored } : stored
  const headers = type === undefined ? {} : { 'Content-Type': type }
  expect((await service.storage('PUT', path, { body, headers })).status).toBe(201)
}

interface Stored {
  readonly body: string
  readonly type?: string
}

async function newest(service: InProcessService): Promise<string> {
  const response = await service.core('GET', 'zones/acme/history?limit=1')
  const { Commits } = (await response.json()) as { Commits: readonly { Commit: string }[] }
  return Commits[0]?.Commit ?? ''
}

async function filesOf(service: InProcessService): Promise<Readonly<Record<string, string>>> {
  const response = await service.core('GET', 'zones/acme')
  const { Files } = (await response.json()) as { Files: readonly { Path: string }[] }
  const entries = Files.map(async ({ Path }): Promise<[string, string]> => {
    const file = await service.fetch(`/${Path.split('/').map(encodeURIComponent).join('/')}`)
    return [Path, `${file.headers.get('content-type')} ${await file.text()}`]
  })
  return Object.fromEntries(await Promise.all(entries))
}

const a = 'acme/v1/icons/a.txt'
const b = 'acme/v1/icons/b.txt'
const c = 'acme/v1/logos/c.txt'

test('a zone goes back to a commit in one commit, which is seen at once', async () => {
  await using service = await openWithZone()
  await put(service, a, 'one')
  await put(service, b, 'two')
  const before = await filesOf(service)
  const then = await newest(service)
  await put(service, a, 'another')
  await service.storage('DELETE', b)
  await put(service, c, 'three')
  const last = await newest(service)
  const dry = await restore(service, { Commit: then, DryRun: true })

  expect(dry).toMatchObject({
    From: then,
    Commit: null,
    Before: last,
    Added: 1,
    Changed: 1,
    Removed: 1,
    Paths: { Added: [b], Changed: [a], Removed: [c] },
  })
  expect(await newest(service)).toBe(last)
  const done = await restore(service, { Commit: then.slice(0, 10) })
  expect(done).toMatchObject({ Added: 1, Changed: 1, Removed: 1, Before: last })
  expect(await filesOf(service)).toEqual(before)
  expect(done.Commit).toBe(await newest(service))
  expect(await restore(service, { Commit: then })).toMatchObject({ Commit: null, Changed: 0 })
  await restore(service, { Commit: done.Before })
  expect(await (await service.fetch(`/${a}`)).text()).toBe('another')
  const audit = await service.core('GET', 'audit-logs')
  expect(await audit.text()).toContain('zone.restore')
})

test('what was known of files and their media types come back with them', async () => {
  await using service = await openWithZone()
  const about = `/api/assets/metadata?path=${a}`
  const describe = async (Title: string) => {
    const response = await service.fetch(about, {
      method: 'PATCH',
      headers: { ...access, 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ Title }),
    })
    expect(response.status).toBe(200)
  }
  await put(service, a, { body: 'one', type: 'text/x-first' })
  await describe('First')
  const then = await newest(service)
  await describe('Second')
  await put(service, a, { body: 'one', type: 'text/x-second' })
  await restore(service, { Commit: then })

  expect((await service.fetch(`/${a}`)).headers.get('content-type')).toContain('text/x-first')
  const known = await service.fetch(about, { headers: access })
  expect(await known.text()).toContain('"Title":"First"')
})

test('with a prefix the rest of the zone stays as it is', async () => {
  await using service = await openWithZone()
  await put(service, a, 'one')
  await put(service, c, 'three')
  const then = await newest(service)
  await put(service, a, 'another')
  await put(service, c, 'another')
  await put(service, b, 'new')
  await restore(service, { Commit: then, Prefix: 'v1/icons' })

  expect(await filesOf(service)).toEqual({
    [a]: 'text/plain; charset=utf-8 one',
    [c]: 'text/plain; charset=utf-8 another',
  })
  const one = await restore(service, { Commit: then, Prefix: 'v1/logos/c.txt' })
  expect(one.Paths.Changed).toEqual([c])
})

test('a file makes way for a directory and the other way round', async () => {
  await using service = await openWithZone()
  await put(service, 'acme/v1/icons/x', 'file')
  const then = await newest(service)
  await service.storage('DELETE', 'acme/v1/icons/x')
  await put(service, 'acme/v1/icons/x/y', 'below')
  const later = await newest(service)

  await restore(service, { Commit: then })
  expect(Object.keys(await filesOf(service))).toEqual(['acme/v1/icons/x'])
  await restore(service, { Commit: later })
  expect(Object.keys(await filesOf(service))).toEqual(['acme/v1/icons/x/y'])
})

test('what cannot be restored is refused', async () => {
  await using service = await openWithZone()
  await put(service, a, 'theirs')
  const former = await newest(service)
  await service.core('DELETE', 'zones/acme')
  await service.createZone('acme')
  await put(service, a, 'ours')
  const status = async (body: unknown, zone = 'acme') =>
    (await service.core('POST', `zones/${zone}/restore`, body)).status

  expect(await status({ Commit: former })).toBe(404)
  expect(await status({ Commit: 'f'.repeat(40) })).toBe(404)
  expect(await status({ Time: '2001-01-01T00:00:00Z' })).toBe(404)
  expect(await status({ Time: 'yesterday' })).toBe(400)
  expect(await status({})).toBe(400)
  expect(await status({ Commit: former, Time: '2001-01-01T00:00:00Z' })).toBe(400)
  const own = await newest(service)
  expect(await status({ Commit: own, Prefix: '../other' })).toBe(400)
  expect(await status({ Commit: own, Prefix: 'zone.json' })).toBe(400)
  expect(await status({ Commit: own }, 'none')).toBe(404)
  await service.core('PATCH', 'zones/acme', { Suspended: true })
  expect(await status({ Commit: own })).toBe(403)
})

test('a tenant sees and restores its own zone alone, and nothing of a former one', async () => {
  await using service = await openWithZone()
  await service.createZone('other')
  await put(service, a, 'theirs')
  await service.core('DELETE', 'zones/acme')
  await service.createZone('acme')
  await put(service, a, 'ours')
  const own = await newest(service)
  const tenant = await tenantOf(service, 'acme')
  const history = await tenant('GET', '/api/core/zones/acme/history')
  const { Commits } = (await history.json()) as { Commits: readonly { Subject: string }[] }

  expect(Commits.map(({ Subject }): unknown => Subject)).toEqual(
    [`Put ${a}`, 'Create zone acme'].map((text): unknown => expect.stringContaining(text)),
  )
  expect((await tenant('GET', '/api/core/zones/other/history')).status).toBe(404)
  expect((await tenant('POST', '/api/core/zones/other/restore', { Commit: own })).status).toBe(404)
  expect((await tenant('POST', '/api/core/zones/acme/restore', { Commit: own })).status).toBe(200)
  const reader = await tenantOf(service, 'acme', ['zones:read'])
  expect((await reader('POST', '/api/core/zones/acme/restore', { Commit: own })).status).toBe(403)
})

test('a write that races a restoration is there afterwards, or in the history', async () => {
  await using service = await openWithZone()
  await put(service, a, 'one')
  const then = await newest(service)
  await put(service, a, 'two')
  const [done] = await Promise.all([
    restore(service, { Commit: then }),
    put(service, b, 'racing'),
    put(service, a, 'racing'),
  ])
  const response = await service.fetch(`/api/assets/history?path=${a}`, { headers: access })
  const { Versions } = (await response.json()) as { Versions: readonly unknown[] }

  expect(done.From).toBe(then)
  expect(Versions).toHaveLength(4)
  const { [b]: racing } = await filesOf(service)
  const former = await service.fetch(`/api/assets/history?path=${b}`, { headers: access })
  const { Versions: ofB } = (await former.json()) as { Versions: readonly { Change: string }[] }
  expect(ofB.some(({ Change }) => Change === 'stored')).toBe(true)
  expect(racing !== undefined || ofB[0]?.Change === 'deleted').toBe(true)
})

test('any state of a random history comes back whole', async () => {
  const random = createRandom(seedOf('zone-restoration'))
  await using service = await openWithZone()
  const paths = [a, b, c, 'acme/v1/deep/d', 'acme/v1/deep/d/e', 'acme/v1/f.svg'] as const
  const states: { readonly commit: string; readonly files: Readonly<Record<string, string>> }[] = []
  for (let step = 0; step < 25; step += 1) {
    const path = random.pick(paths)
    await (random.next() < 0.3
      ? service.storage('DELETE', path)
      : service.storage('PUT', path, { body: String(random.integer(0, 9)) }))
    states.push({ commit: await newest(service), files: await filesOf(service) })
  }
  for (let step = 0; step < 12; step += 1) {
    const { commit, files } = states[random.integer(0, states.length - 1)] ?? {
      commit: '',
      files: {},
    }
    await restore(service, { Commit: commit })
    expect(await filesOf(service)).toEqual(files)
  }
})
