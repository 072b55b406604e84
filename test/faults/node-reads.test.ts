import { expect, test } from 'bun:test'

import type { Operation } from '../../src/http/operation.ts'
import { allOperations } from '../../src/planes/operations.ts'
import { type Cluster, type ClusterNode, startCluster } from '../support/cluster.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, account } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const takeovers = Number(process.env['SEDGE_READ_TAKEOVERS'] ?? 1)
const keys = { ...access, ...account }
const file = 'acme/v1/logos/logo.svg'
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'

type Headers = Readonly<Record<string, string>>

interface Shown {
  readonly status: number
  readonly position: string | null
  /** `0` where the node that writes has answered. */
  readonly behindMs: string | null
  readonly text: string
}

async function read(node: ClusterNode, path: string, headers: Headers = keys): Promise<Shown> {
  const response = await fetch(`${node.url}${path}`, {
    headers,
    signal: AbortSignal.timeout(10_000),
  })
  return {
    status: response.status,
    position: response.headers.get('x-sedge-position'),
    behindMs: response.headers.get('x-sedge-behind-ms'),
    text: await response.text(),
  }
}

/** Answers the position that the write is shown from. */
async function write(node: ClusterNode, path: string, body: string): Promise<string> {
  const init = { method: 'PUT', headers: keys, body }
  const response = await fetch(`${node.url}/api/storage/${path}`, init)
  expect(response.status).toBe(201)
  await response.text()
  return response.headers.get('x-sedge-position') ?? ''
}

const post = (node: ClusterNode, path: string, body: object) =>
  fetch(`${node.url}${path}`, {
    method: 'POST',
    headers: { ...keys, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Of one zone. */
async function makeToken(node: ClusterNode) {
  const scopes = ['assets:read', 'storage:read']
  const request = { name: 'reader', scopes, zones: ['acme'], expiresInDays: 1 }
  const { token, Token } = (await (await post(node, '/api/tokens', request)).json()) as {
    readonly token: string
    readonly Token: { readonly id: string }
  }
  return { id: Token.id, bearer: { Authorization: `Bearer ${token}` } }
}

/** The node that writes, and those that stand by. */
async function rolesIn(cluster: Cluster) {
  const writing = await cluster.writer()
  const standing = cluster.nodes.filter((node) => node !== writing && node.process !== undefined)
  const [first] = standing
  if (writing === undefined || first === undefined) throw new Error('nobody writes, or stands by')
  return { writing, first, standing }
}

const startFilled = async (nodeCount: number): Promise<Cluster> => {
  const cluster = await startCluster({
    nodeCount,
    environment: { SEARCHES_PER_MINUTE: '100000' },
  })
  const { writing, first } = await rolesIn(cluster)
  await post(writing, '/api/core/zones', { Name: 'acme' })
  await write(writing, file, drawing)
  const rules = { File: '_headers', Content: '/acme/v1/logos/*\n  X-Logo: yes\n' }
  expect((await post(writing, '/api/core/rules', rules)).status).toBe(200)
  const domain = { Hostname: 'assets.acme.example' }
  expect((await post(writing, '/api/core/zones/acme/domains', domain)).status).toBe(201)
  await write(writing, 'acme/v1/texts/gone.txt', 'gone')
  const removal = { method: 'DELETE', headers: keys }
  const removed = await fetch(`${writing.url}/api/storage/acme/v1/texts/gone.txt`, removal)
  const position = removed.headers.get('x-sedge-position') ?? ''
  await until(async () => {
    const { status, behindMs, text } = await read(first, '/api/assets', waitingFor(position))
    // How large an image is comes with no entry of the feed, a moment later.
    return status === 200 && behindMs !== '0' && text.includes('"Width":8')
  })
  return cluster
}

const waitingFor = (position: string): Headers => ({ ...keys, 'If-Position-At-Least': position })

/** The URL of an operation's example. */
function urlOf({ path, example }: Operation): string {
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => example?.params?.[name] ?? '')
  const query = new URLSearchParams(
    Object.entries(example?.query ?? {}).map(([name, value]) => [name, String(value)]),
  )
  return query.size === 0 ? filled : `${filled}?${query.toString()}`
}

/** What operations of former commits are asked of, whose ids no example can know. */
async function urlsOfPast(node: ClusterNode): Promise<ReadonlyMap<string, string>> {
  const commitOf = async (path: string) =>
    /"Commit":"([0-9a-f]{40})"/u.exec((await read(node, path)).text)?.[1]
  const stored = await commitOf(`/api/assets/history?path=${file}`)
  const ruled = await commitOf('/api/core/rules/versions?file=_headers')
  return new Map([
    ['getAssetVersion', `/api/assets/version?path=${file}&commit=${stored}`],
    ['getRuleVersion', `/api/core/rules/versions/${ruled}?file=_headers`],
  ])
}

/** When it was made, and where it was asked, is another matter at every node. */
const comparable = (text: string, { url }: ClusterNode): string =>
  text.replaceAll(url, 'http://node').replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/gu, '"time"')

if (have('reads at every node', postgres, s3Server)) {
  test('what any node answers is the same at one that stands by, and says how new it is', async () => {
    await using cluster = await startFilled(2)
    const { writing, first } = await rolesIn(cluster)
    const past = await urlsOfPast(writing)
    for (const operation of allOperations.filter(({ answeredBy }) => answeredBy !== undefined)) {
      const url = past.get(operation.id) ?? urlOf(operation)
      const [there, here] = [await read(writing, url), await read(first, url)]
      const asked = `${operation.id} ${url}`
      expect([asked, here.status]).toEqual([asked, 200])
      expect([asked, comparable(here.text, first)]).toEqual([
        asked,
        comparable(there.text, writing),
      ])
      expect([asked, there.behindMs]).toEqual([asked, '0'])
      expect([asked, Number(here.behindMs) > 0]).toEqual([asked, true])
      expect(Number(here.position)).toBe(Number(there.position))
    }
    const forwarded = await read(first, '/api/core/edges')
    expect([forwarded.status, forwarded.position]).toEqual([200, null])
  }, 120_000)

  test('who has written reads it at another node by its position', async () => {
    await using cluster = await startFilled(2)
    const { writing, first } = await rolesIn(cluster)
    for (let round = 0; round < 40; round += 1) {
      const text = `round ${round}`
      const position = await write(writing, 'acme/v1/texts/own.txt', text)
      const at = `/api/storage/acme/v1/texts/own.txt`
      const shown = await read(first, at, waitingFor(position))
      expect([shown.status, shown.text]).toEqual([200, text])
      expect(Number(shown.position)).toBeGreaterThanOrEqual(Number(position))
    }
  }, 120_000)

  test('what a node does not know yet it does not refuse', async () => {
    await using cluster = await startFilled(2)
    const { writing, first } = await rolesIn(cluster)
    for (let round = 0; round < 10; round += 1) {
      await write(writing, `acme/v1/texts/${round}.txt`, 'new')
      const at = `/api/storage/acme/v1/texts/${round}.txt`
      expect((await read(first, at)).status).toBe(200)
      const { bearer } = await makeToken(writing)
      expect((await read(first, '/api/assets', bearer)).status).toBe(200)
    }
    const missing = await read(first, '/api/assets/metadata?path=acme/v1/texts/missing.txt')
    expect([missing.status, missing.behindMs]).toEqual([404, '0'])
  }, 120_000)

  test('a position that nobody was given is refused, and one that is none', async () => {
    await using cluster = await startFilled(2)
    for (const node of cluster.nodes) {
      for (const never of ['999999', '999999999999999']) {
        const { status, text } = await read(node, '/api/assets', waitingFor(never))
        expect([status, text]).toEqual([412, expect.stringContaining('"PreconditionFailed"')])
      }
      for (const absurd of ['-1', '1.5', '0x10', 'soon', '9999999999999999', '1, 2', '']) {
        const { status, text } = await read(node, '/api/assets', waitingFor(absurd))
        expect([absurd, status, text]).toEqual([
          absurd,
          400,
          expect.stringContaining('If-Position-At-Least'),
        ])
      }
      expect((await read(node, '/api/assets', waitingFor('0'))).status).toBe(200)
    }
  }, 120_000)

  test('at a node that stands by a token sees its zones, and nothing once it is revoked', async () => {
    await using cluster = await startFilled(2)
    const { writing, first } = await rolesIn(cluster)
    await post(writing, '/api/core/zones', { Name: 'other' })
    await write(writing, 'other/v1/texts/secret.txt', 'secret')
    const { id, bearer } = await makeToken(writing)
    await until(async () => Number((await read(first, '/api/assets', bearer)).behindMs) > 0)
    const seen = await read(first, '/api/assets', bearer)
    expect(seen.text).not.toContain('secret')
    expect((await read(first, '/api/storage/other/v1/texts/secret.txt', bearer)).status).toBe(404)
    expect((await read(first, '/api/core/zones', bearer)).status).toBe(403)
    expect((await read(first, '/api/assets', {})).status).toBe(401)

    const revoked = await fetch(`${writing.url}/api/tokens/${id}`, {
      method: 'DELETE',
      headers: keys,
    })
    expect(revoked.status).toBeLessThan(300)
    const began = performance.now()
    await until(async () => (await read(first, '/api/assets', bearer)).status === 401)
    expect(performance.now() - began).toBeLessThan(2_500)
  }, 120_000)

  test('cut off from the database a node answers keys a while, and no token', async () => {
    await using cluster = await startFilled(2)
    const { writing, first } = await rolesIn(cluster)
    const { bearer } = await makeToken(writing)
    await until(async () => Number((await read(first, '/api/assets', bearer)).behindMs) > 0)
    first.toDatabase.turnInto('black hole')
    await until(async () => (await read(first, '/api/assets', bearer)).behindMs === '0')
    await until(async () => (await read(first, '/api/assets')).behindMs === '0')
    first.toDatabase.turnInto('open')
    await until(async () => Number((await read(first, '/api/assets')).behindMs) > 0)
  }, 120_000)

  test(
    `while the next node takes over (${takeovers} times) every read is answered`,
    async () => {
      await using cluster = await startFilled(3)
      const figures = { takeoversMs: [] as number[], answered: 0, oldestMs: 0 }
      for (let round = 0; round < takeovers; round += 1) {
        const { writing, standing } = await rolesIn(cluster)
        const position = await write(writing, `acme/v1/texts/${round}.txt`, 'kept')
        const watched = standing.map((node) => watch(node))
        const began = performance.now()
        await cluster.kill(writing)
        await until(async () => await isWritable(standing))
        figures.takeoversMs.push(performance.now() - began)
        for (const each of watched) {
          const { answered, missed, oldestMs } = await each.stop()
          expect(missed).toEqual([])
          expect(answered).toBeGreaterThan(0)
          expect(oldestMs).toBeLessThan(15_000)
          figures.answered += answered
          figures.oldestMs = Math.max(figures.oldestMs, oldestMs)
        }
        for (const node of standing) {
          const kept = await read(
            node,
            `/api/storage/acme/v1/texts/${round}.txt`,
            waitingFor(position),
          )
          expect([kept.status, kept.text]).toEqual([200, 'kept'])
        }
        await cluster.start(writing)
        await until(async () => (await read(writing, '/api/assets')).status === 200)
      }
      const sorted = figures.takeoversMs.toSorted((a, b) => a - b)
      console.log(
        `${takeovers} takeovers, the next write after ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms (median), ` +
          `${Math.round(sorted.at(-1) ?? 0)} ms (longest); ${figures.answered} reads meanwhile, none unanswered, ` +
          `at most ${figures.oldestMs} ms behind`,
      )
    },
    takeovers * 40_000 + 120_000,
  )
}

const asked = [
  '/api/assets',
  `/api/assets/metadata?path=${file}`,
  '/api/search?q=logo',
  '/api/core/zones',
  '/api/usage',
]

/** Each takes processes of git, which the takeover is to have the machine to itself for. */
const askedLessOften = [
  `/api/assets/history?path=${file}`,
  '/api/core/zones/acme/history',
  '/api/core/zones/acme/differences',
  '/api/core/rules',
  '/api/core/zones/acme/domains',
]

/** Asks a node all the time; notes what is not answered. */
function watch(node: ClusterNode) {
  const state = { isOn: true, answered: 0, oldestMs: 0, missed: [] as string[] }
  const run = async (path: string, pauseMs: number) => {
    while (state.isOn) {
      const shown = await read(node, path).catch(String)
      if (typeof shown !== 'string' && shown.status === 200) {
        state.answered += 1
        state.oldestMs = Math.max(state.oldestMs, Number(shown.behindMs))
      } else if (state.missed.length < 5) state.missed.push(`${path}: ${JSON.stringify(shown)}`)
      await Bun.sleep(pauseMs)
    }
  }
  const running = [
    ...asked.map((path) => run(path, 20)),
    ...askedLessOften.map((path) => run(path, 500)),
  ]
  return {
    async stop() {
      state.isOn = false
      await Promise.all(running)
      return state
    },
  }
}

async function isWritable(nodes: readonly ClusterNode[]): Promise<boolean> {
  for (const { url } of nodes) {
    const init = { method: 'PUT', headers: keys, body: crypto.randomUUID() }
    const response = await fetch(`${url}/api/storage/acme/v1/texts/probe.txt`, init).catch(
      () => undefined,
    )
    if (response?.status === 201) return true
  }
  return false
}
