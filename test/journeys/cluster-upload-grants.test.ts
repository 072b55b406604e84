import { expect, test } from 'bun:test'

import { startCluster } from '../support/cluster.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, startService, temporaryDirectory } from '../support/service-process.ts'
import {
  type Connection,
  connectToEach,
  openConnection,
  sharedPorts,
} from '../support/shared-port.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 180_000
const tus = { 'Tus-Resumable': '1.0.0' }
const encoder = new TextEncoder()

interface Node {
  readonly url: string
}

interface Grant {
  readonly Id: string
  readonly Url: string
  readonly TusUrl: string
}

async function grant(node: Node, terms: object): Promise<Grant> {
  const response = await fetch(`${node.url}/api/uploads/grants`, {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify(terms),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as Grant
}

/** Path and query, with the name of a file below the grant's directory. */
function pathOf(url: string, name = ''): string {
  const { pathname, search } = new URL(url)
  return pathname.replace(/\/granted\/$/u, `/granted/${name}`) + search
}

const put = async (connection: Connection, path: string, text: string): Promise<number> =>
  (await connection.ask({ method: 'PUT', path, body: encoder.encode(text) })).status

async function storedAt(node: Node, path: string): Promise<string | number> {
  const response = await fetch(`${node.url}/api/storage/${path}`, { headers: access })
  return response.ok ? await response.text() : response.status
}

async function begin(node: Node, { TusUrl }: Grant, length: number): Promise<string> {
  const path = Buffer.from('acme/v1/titles/pieces.txt').toString('base64')
  const begun = await fetch(`${node.url}${pathOf(TusUrl)}`, {
    method: 'POST',
    headers: { ...tus, 'Upload-Length': String(length), 'Upload-Metadata': `path ${path}` },
  })
  expect(begun.status).toBe(201)
  const { pathname, search } = new URL(begun.headers.get('location') ?? '', node.url)
  return pathname + search
}

const piece = (offset: number, body: string): RequestInit => ({
  method: 'PATCH',
  headers: {
    ...tus,
    'Upload-Offset': String(offset),
    'Content-Type': 'application/offset+octet-stream',
  },
  body,
})

/** Stores by every connection, at places of their own; reads at all of `nodes`. */
async function holdToTerms(connections: readonly Connection[], nodes: readonly Node[]) {
  const [maker, revoker] = [nodes.at(-1), nodes[0]]
  if (maker === undefined || revoker === undefined) throw new Error('few')
  await worldOf(maker).zone('acme')
  const terms = { Prefix: 'acme/v1/titles/', Types: ['text/*'], MaxBytes: 100, Times: 50 }
  const { Url: url, Id: id } = await grant(maker, terms)
  for (const [place, connection] of connections.entries()) {
    const at = (name: string) => pathOf(url, `${name}-${place}.txt`)
    expect(await put(connection, at('small'), `from ${place}`)).toBe(201)
    expect(await put(connection, at('small'), 'again')).toBe(412)
    expect(await put(connection, at('large'), 'x'.repeat(101))).toBe(413)
    expect(await put(connection, at('image'), '%PDF-1.7 and so on')).toBe(415)
    for (const node of nodes)
      expect(await storedAt(node, `acme/v1/titles/small-${place}.txt`)).toBe(`from ${place}`)
  }

  const { Url: scarce } = await grant(revoker, { Prefix: 'acme/v1/banners/', Times: 1 })
  const uses = connections.map((connection, place) =>
    put(connection, pathOf(scarce, `file-${place}.txt`), 'one of them'),
  )
  const statuses = await Promise.all(uses)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 403)).toHaveLength(uses.length - 1)

  await fetch(`${revoker.url}/api/uploads/grants/${id}`, { method: 'DELETE', headers: access })
  for (const connection of connections)
    expect(await put(connection, pathOf(url, 'late.txt'), 'late')).toBe(401)
}

if (have('upload grants at worker processes', sharedPorts))
  test(
    'a grant is good at every worker process, no more often than it says, and till it is revoked',
    async () => {
      await using directory = await temporaryDirectory()
      const environment = { EDGE_WORKERS: '2' }
      await using service = await startService({ dataDirectory: directory.path, environment })
      const connections = [...(await connectToEach(service, 2)).values()]
      expect(connections).toHaveLength(3)
      await holdToTerms(connections, [service])
      for (const connection of connections) connection[Symbol.dispose]()
    },
    limitMs,
  )

if (have('upload grants in a cluster', postgres, s3Server)) {
  test(
    'a grant that a standby made is good at every node, no more often than it says, and till it is revoked',
    async () => {
      await using cluster = await startCluster({ nodeCount: 2 })
      const ports = cluster.nodes.map(({ url }) => Number(new URL(url).port))
      const connections = await Promise.all(ports.map(openConnection))
      await holdToTerms(connections, cluster.nodes)
      for (const connection of connections) connection[Symbol.dispose]()
    },
    limitMs,
  )

  test(
    'an upload with a grant goes on at the next writer, and its use is held all the while',
    async () => {
      await using cluster = await startCluster({ nodeCount: 2 })
      const [first, second] = cluster.nodes
      if (first === undefined || second === undefined) throw new Error('few')
      await worldOf(second).zone('acme')
      const granted = await grant(second, { Path: 'acme/v1/titles/pieces.txt' })
      const upload = await begin(second, granted, 10)
      const begun = await fetch(second.url + upload, piece(0, '01234'))
      expect(begun.status).toBe(204)
      await cluster.kill(first)
      await until(async () => {
        const asked = await fetch(second.url + upload, { method: 'HEAD', headers: tus })
        return asked.headers.get('upload-offset') === '5'
      }, 'nobody took the upload over')

      const direct = { method: 'PUT', body: 'another' }
      expect((await fetch(second.url + pathOf(granted.Url), direct)).status).toBe(403)
      expect((await fetch(second.url + upload, piece(5, '56789'))).status).toBe(204)
      expect(await storedAt(second, 'acme/v1/titles/pieces.txt')).toBe('0123456789')
      expect((await fetch(second.url + pathOf(granted.Url), direct)).status).toBe(403)
    },
    limitMs,
  )
}
