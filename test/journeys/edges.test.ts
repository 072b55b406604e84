import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'

import { edgeTokenOf, type EdgeProcess, startEdge } from '../support/edge-process.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { sedge } from '../support/sedge-command.ts'
import { openFeedListeners } from '../support/feed-listeners.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 90_000
const videos = join(import.meta.dir, '..', 'fixtures', 'media')

const textAt = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, text: await response.text() }
}

const shows = (edge: EdgeProcess, path: string, wanted: string) =>
  until(async () => (await textAt(`${edge.url}/${path}`)).text === wanted)

const ownToAnswer = new Set(['date', 'x-request-id', 'server-timing', 'cache-status', 'via', 'age'])

/** All fields and the bytes, without what is own to each response. */
async function responseOf(base: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(base + path, { headers, redirect: 'manual' })
  const fields = [...response.headers].filter(([name]) => !ownToAnswer.has(name))
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isError = response.status >= 400
  return {
    status: response.status,
    fields: Object.fromEntries(fields),
    body: isError ? '' : Bun.hash(bytes),
  }
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#a40"/></svg>'

function signed(path: string): string {
  const expires = String(Math.floor(Date.now() / 1000) + 600)
  const sig = createHmac('sha256', testKeys.SIGNED_URL_SECRET)
    .update(`${path}:${expires}`)
    .digest('hex')
  return `/api/signed?path=${encodeURIComponent(path)}&expires=${expires}&sig=${sig}`
}

test(
  'what is published is served by every edge, with all that can be made of it, just as by the origin',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: join(directory.path, 'origin') })
    const world = worldOf(service)
    await world.zone('acme')
    await world.put('acme/v1/logos/logo.svg', svg)
    const token = await edgeTokenOf(service.url)
    const edgeIn = (name: string, origin: string) =>
      startEdge({ origin, token, name, directory: join(directory.path, name) })
    await using one = await edgeIn('one', service.url)
    await using shield = await edgeIn('shield', service.url)
    await using behind = await edgeIn('behind', shield.url)
    const edges = [one, shield, behind]

    await world.put('acme/v1/texts/a.txt', 'first')
    await world.put('acme/v1/private/secret.txt', 'for few')
    await world.put('acme/v1/films/film.mp4', Bun.file(join(videos, 'regular.mp4')))
    await world.rules('_redirects', '/acme/v1/old.txt /acme/v1/texts/a.txt 301\n')
    await world.rules('_headers', '/acme/*\n  X-Rule: yes\n')
    const commit = await world.zone('last')
    await until(async () => (await world.client.getDeployment({ commit })).EdgesWithCommit === 3)

    const paths = [
      '/acme/v1/texts/a.txt',
      '/acme/v1/logos/logo.svg',
      '/acme/v1/old.txt',
      '/acme/v1/nowhere.txt',
      '/acme/v1/private/secret.txt',
      '/api/transform?url=acme/v1/logos/logo.svg&w=32&format=png',
      '/api/auto?path=acme/v1/logos/logo',
      '/api/stream?path=acme/v1/films/film.mp4',
      '/api/stream?path=acme/v1/films/film.mp4&quality=source&segment=init',
      signed('acme/v1/private/secret.txt'),
    ]
    for (const path of paths) {
      const expected = await responseOf(service.url, path)
      for (const edge of edges)
        expect({ edge: edge.name, path, ...(await responseOf(edge.url, path)) }).toEqual({
          edge: edge.name,
          path,
          ...expected,
        })
    }
    expect((await responseOf(one.url, paths[0] ?? '')).fields['x-rule']).toBe('yes')

    await world.put('acme/v1/texts/a.txt', 'second')
    for (const edge of edges) await shows(edge, 'acme/v1/texts/a.txt', 'second')
    await world.client.updateZone({ id: 'acme', body: { Suspended: true } })
    for (const edge of edges)
      await until(async () => (await textAt(`${edge.url}/acme/v1/texts/a.txt`)).status === 403)
    await world.client.deleteZone({ id: 'acme' })
    for (const edge of edges)
      await until(async () => (await textAt(`${edge.url}/acme/v1/texts/a.txt`)).status === 404)

    const deployment = await world.client.getDeployment({ commit })
    expect(deployment).toMatchObject({ Commit: commit, EdgeCount: 3, IsEverywhere: true })
    expect(deployment.Edges).toEqual([
      expect.objectContaining({ Name: 'behind', Via: 'shield', HasCommit: true, Status: 'live' }),
      expect.objectContaining({ Name: 'one', Via: null, Since: expect.any(String) }),
      expect.objectContaining({ Name: 'shield', HasCommit: true }),
    ])
  },
  limitMs,
)

test(
  'a thousand edges hear of each change on one feed, and one that was away goes on where it was',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: join(directory.path, 'origin') })
    const world = worldOf(service)
    await world.zone('acme')
    const token = await edgeTokenOf(service.url)
    const authorization = { Authorization: `Bearer ${token}` }
    const rootOf = async () => {
      const response = await fetch(`${service.url}/api/edges/manifest`, { headers: authorization })
      return (await response.json()) as { Position: string; Root: string }
    }
    const { Position: since, Root: root } = await rootOf()
    using listeners = await openFeedListeners(service.url, { count: 1_000, since, token })
    await world.put('acme/v1/texts/a.txt', 'first')
    const { Position: later, Root: changed } = await rootOf()
    const seq = Number(later.split('.')[0])
    await until(() => listeners.heard(seq) === 1_000)

    expect(changed).not.toBe(root)
    const poll = `${service.url}/api/edges/changes?since=${since}`
    const missed = (await (await fetch(poll, { headers: authorization })).json()) as {
      Position: string
      Kind: string
      Change: { assets: readonly (readonly unknown[])[] }
    }
    expect([missed.Position, missed.Kind]).toEqual([later, 'change'])
    expect(missed.Change.assets.map(([path]) => path)).toEqual(['acme/v1/texts/a.txt'])
    const elsewhere = `${service.url}/api/edges/changes?since=${seq}.1`
    expect(await (await fetch(elsewhere, { headers: authorization })).json()).toMatchObject({
      Kind: 'resync',
    })
    for (const bad of ['', '?since=', '?since=x', '?since=-1.0', '?since=1', '?since=1.1e5'])
      for (const path of ['feed', 'changes']) {
        const refused = await fetch(`${service.url}/api/edges/${path}${bad}`, {
          headers: authorization,
        })
        expect({ path, bad, status: refused.status }).toEqual({ path, bad, status: 400 })
      }
  },
  limitMs,
)

test(
  'what edges say is counted once, and nonsense is refused',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: join(directory.path, 'origin') })
    const token = await edgeTokenOf(service.url)
    const say = async (what: string, body: unknown) => {
      const response = await fetch(`${service.url}/api/edges/${what}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      await response.arrayBuffer()
      return response.status
    }
    const row = {
      zone: 'acme',
      path: 'acme/v1/a.txt',
      isAsset: true,
      status: 200,
      isHit: true,
      country: 'DE',
      requests: 7,
      bytes: 70,
    }
    const hour = Math.floor(Date.now() / 3_600_000)
    const flush = { process: 'an-edge', number: 3, hour, rows: [row] }
    for (let time = 0; time < 3; time += 1)
      expect(await say('traffic', { Flushes: [flush] })).toBe(200)
    expect(await say('traffic', { Flushes: [{ ...flush, number: 2 }] })).toBe(200)

    const nonsense = [
      { ...flush, hour: hour - 100 },
      { ...flush, hour: hour + 5 },
      { ...flush, number: 0 },
      { ...flush, rows: [{ ...row, requests: -1 }] },
      { ...flush, rows: [{ ...row, country: 'x' }] },
      { ...flush, rows: [{ ...row, zone: '../x' }] },
    ]
    for (const each of nonsense) expect(await say('traffic', { Flushes: [each] })).toBe(400)
    expect(await say('traffic', { Flushes: [] })).toBe(400)
    expect(await say('acknowledgements', { Edges: [{ Name: 'A B', Seq: 1 }] })).toBe(400)
    expect(await say('acknowledgements', { Edges: [{ Name: 'a', Seq: -1 }] })).toBe(400)
    expect(await say('quota', { Name: 'purge', Amount: 1, Owed: 0 })).toBe(400)
    const summary = await fetch(`${service.url}/api/insights/summary?days=2`, { headers: access })
    expect(await summary.json()).toMatchObject({ TotalRequests: 7, TotalBandwidthBytes: 70 })
    const unknown = await fetch(`${service.url}/api/core/deployments/${'0'.repeat(40)}`, {
      headers: account,
    })
    expect(unknown.status).toBe(404)
    const malformed = await fetch(`${service.url}/api/core/deployments/x`, { headers: account })
    expect(malformed.status).toBe(400)
  },
  limitMs,
)

test(
  'an edge whose token is no good says so and does not start',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: join(directory.path, 'origin') })
    const { exitCode, error } = await sedge(
      ['edge', '--origin', service.url, '--port', '0', '--cache-dir', join(directory.path, 'edge')],
      { EDGE_TOKEN: `cdnsk_${'0'.repeat(34)}0iqUEf`, LOG_LEVEL: 'error' },
    )

    expect(exitCode).toBe(1)
    expect(error).toContain('the token is refused')
  },
  limitMs,
)
