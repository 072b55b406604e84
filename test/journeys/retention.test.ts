import { join } from 'node:path'

import { expect, test } from 'bun:test'

import {
  video,
  former,
  importOutdatedZones,
  logo,
  old,
  shared,
} from '../fixtures/outdated-zones.ts'
import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { filesWithBlocks } from '../support/find-blocks.ts'
import { freePort } from '../support/free-port.ts'
import { runGit } from '../support/git-client.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { openS3Client } from '../support/s3-client.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 180_000

const statusOf = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  return response.status
}

/** `what` is a method and a path. */
function core(url: string, what: string, body?: unknown): Promise<Response> {
  const [method = '', path = ''] = what.split(' ')
  return fetch(`${url}/api/core/${path}`, {
    method,
    headers: account,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

test(
  'what a zone replaced longer ago than it keeps is gone in every place, and the log stays',
  async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    const [first = '', second = ''] = await importOutdatedZones(data)
    const start = { dataDirectory: data, environment: { PORT: String(await freePort()) } }
    const workers = { ...start.environment, EDGE_WORKERS: '1' }
    const before = await startService({ ...start, environment: workers })
    const edgeDirectory = join(directory.path, 'edge')
    await using edge = await startEdge({
      origin: before.url,
      token: await edgeTokenOf(before.url),
      name: 'edge-1',
      directory: edgeDirectory,
    })
    const gone = `/@${first}/${video}`
    const kept = [`/@${second}/${video}`, `/@${first}/${logo}`, `/${video}`]
    const ofBoth = `/@${first}/other/v1/films/shared.txt`
    for (const site of [before.url, edge.url])
      for (const path of [gone, ofBoth, ...kept])
        await until(async () => (await statusOf(site + path)) === 200)
    const { length } = await filesWithBlocks([data, edgeDirectory], Buffer.from(old))
    expect(length).toBeGreaterThan(1)
    const changed = await core(before.url, 'PATCH zones/acme', { History: '30d' })
    expect(await changed.json()).toMatchObject({
      History: 'public',
      HistoryDays: 30,
      HistorySince: null,
    })
    await before.kill()

    await using service = await startService({ ...start, environment: workers })
    for (const site of [service.url, edge.url])
      await until(async () => (await statusOf(site + gone)) === 410)

    for (const site of [service.url, edge.url]) {
      const refused = await fetch(site + gone, { headers: { Accept: 'application/json' } })
      expect(await refused.json()).toMatchObject({ error: { code: 'VersionGone' } })
      for (let count = 0; count < 4; count += 1) expect(await statusOf(site + gone)).toBe(410)
      for (const path of [ofBoth, ...kept])
        expect([path, await statusOf(site + path)]).toEqual([path, 200])
      const image = `/api/transform?url=${encodeURIComponent(gone)}&w=8`
      expect(await statusOf(site + image)).toBe(410)
    }
    const zone = (await (await core(service.url, 'GET zones/acme')).json()) as {
      readonly HistorySince: string
    }
    const days = (Date.now() - Date.parse(zone.HistorySince)) / 86_400_000
    expect(Math.round(days)).toBe(30)
    await until(
      async () => (await filesWithBlocks([data, edgeDirectory], Buffer.from(old))).length === 0,
    )
    expect(await filesWithBlocks([data], Buffer.from(shared))).not.toEqual([])
    await expectHistory(service.url, data, directory.path)
    await expectNoWayBack(service.url, first, second)
  },
  limitMs,
)

test(
  'the bytes of a version that a client of S3 has removed leave every place, where nothing else has them',
  async () => {
    await using directory = await temporaryDirectory()
    const data = join(directory.path, 'data')
    const first = await startService({ dataDirectory: data })
    const world = worldOf(first)
    await world.zone('acme')
    await core(first.url, 'PATCH zones/acme', { History: 'public' })
    const s3 = await openS3Client(first)
    const versions: string[] = []
    for (const text of [old, shared, 'the newest']) {
      const stored = await s3.put(`acme/${video.slice('acme/v1/'.length)}`, text)
      versions.push(stored.headers.get('x-amz-version-id') ?? '')
    }
    await world.put('acme/v1/titles/shared.txt', shared)
    for (const versionId of versions.slice(0, 2))
      await s3.delete(`acme/${video.slice('acme/v1/'.length)}`, { versionId })
    await first.kill()
    await using service = await startService({ dataDirectory: data })
    const [oldest = '', second = ''] = versions

    await until(async () => (await statusOf(`${service.url}/@${oldest}/${video}`)) === 410)
    expect(await statusOf(`${service.url}/@${second}/${video}`)).toBe(200)
    expect(await (await fetch(`${service.url}/acme/v1/titles/shared.txt`)).text()).toBe(shared)
    expect(await (await fetch(`${service.url}/${video}`)).text()).toBe('the newest')
    expect(await filesWithBlocks([data], Buffer.from(old))).toEqual([])
    expect(await runGit(join(data, 'repository.git'), 'fsck', '--full', '--strict')).toBe('')
  },
  limitMs,
)

/** Commits are listed as they were, and stock git finds nothing wrong with them. */
async function expectHistory(url: string, data: string, parent: string): Promise<void> {
  const listed = await core(url, 'GET zones/acme/history')
  const { Commits } = (await listed.json()) as {
    readonly Commits: readonly { readonly Commit: string; readonly Subject: string }[]
  }
  expect(Commits.map(({ Subject }) => Subject.replace(/before .*/u, 'before …'))).toEqual([
    'Let go of what zone acme had replaced before …',
    'Change zone acme: historyDays 30',
    'Two days ago',
    'Eighty days ago',
    'A hundred days ago',
  ])
  const written = `GET deployments/${Commits[1]?.Commit}`
  expect((await core(url, written)).status).toBe(200)
  const repository = join(data, 'repository.git')
  expect(await runGit(repository, 'fsck', '--full', '--strict')).toBe('')
  await runGit(parent, 'clone', '-q', repository, 'clone')
  const clone = join(parent, 'clone')
  expect(await runGit(clone, 'fsck', '--full', '--strict')).toBe('')
  expect(await Bun.file(join(clone, 'clients', video)).text()).toBe('the newest')
}

/** Neither a restoration nor a preview of then brings back what is gone; what is younger comes back. */
async function expectNoWayBack(url: string, first: string, second: string): Promise<void> {
  for (const DryRun of [true, false]) {
    const refused = await core(url, 'POST zones/acme/restore', { Commit: first, DryRun })
    expect(refused.status).toBe(410)
    expect(await refused.json()).toMatchObject({ error: { code: 'VersionGone', target: 'Commit' } })
  }
  const version = `${url}/api/assets/version/image?path=${video}&commit=${first}`
  expect(await statusOf(version, { headers: access })).toBe(410)
  const made = await core(url, 'POST zones/acme/previews', { Name: 'then', From: first })
  expect(made.status).toBe(201)
  expect(await statusOf(`${url}/@~then/${video}`)).toBe(410)
  expect(await statusOf(`${url}/@~then/${logo}`)).toBe(200)
  const promoted = await core(url, 'POST zones/acme/previews/then/promote', {})
  expect(await promoted.json()).toMatchObject({ Added: 0, Changed: 0, Removed: 0 })
  const restored = await core(url, 'POST zones/acme/restore', { Commit: second })
  expect(restored.status).toBe(200)
  expect(await (await fetch(`${url}/${video}`)).text()).toBe(former)
  const world = worldOf({ url })
  await world.put(video, old)
  expect(await (await fetch(`${url}/${video}`)).text()).toBe(old)
}
