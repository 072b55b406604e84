import { type Cluster, startCluster } from '../support/cluster.ts'
import { access } from '../support/service-process.ts'
import type { HostileService } from './hostile-world.ts'

export interface HostileCluster extends HostileService, AsyncDisposable {}

/** A node that writes and one that stands by, each asked in turn, as through a proxy in front of both. */
export async function openHostileCluster(): Promise<HostileCluster> {
  const cluster = await startCluster({
    nodeCount: 2,
    environment: { LOG_LEVEL: 'error' },
  })
  const [first] = cluster.nodes
  if (first === undefined) throw new Error('The cluster has no node')
  const host = new URL(first.url).host
  let asked = 0
  return {
    url: first.url,
    async fetch(request, address) {
      asked += 1
      const node = cluster.nodes[asked % cluster.nodes.length] ?? first
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('X-Forwarded-For', address)
      headers.set('Host', host)
      const body = request.body === null ? undefined : await request.bytes()
      return await fetch(node.url + pathname + search, {
        method: request.method,
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body }),
      })
    },
    settle: () => settle(cluster),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}

async function settle({ nodes }: Cluster): Promise<void> {
  const positions = await Promise.all(
    nodes.map(async ({ url }) => {
      const response = await fetch(`${url}/api/assets?limit=1`, { headers: access })
      return Number(response.headers.get('x-sedge-position') ?? 0)
    }),
  )
  const position = { 'If-Position-At-Least': String(Math.max(...positions)) }
  for (const { url } of nodes)
    await fetch(`${url}/api/assets?limit=1`, { headers: { ...access, ...position } })
}
