import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { expect, test } from 'bun:test'

import { startCluster } from '../support/cluster.ts'
import { edgeTokenOf, type EdgeProcess, startEdge } from '../support/edge-process.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { connectToEach, sharedPorts } from '../support/shared-port.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 120_000
const environment = { IDLE_WORK: 'none', LFS_ABOVE_MB: '1' }
const yearLong = 'public, max-age=31536000, immutable'

async function openZone(url: string): Promise<void> {
  await worldOf({ url }).zone('acme')
  await worldOf({ url }).client.updateZone({ id: 'acme', body: { History: 'public' } })
}

async function newest(url: string): Promise<string> {
  const response = await fetch(`${url}/api/core/zones/acme/history?limit=1`, { headers: account })
  const { Commits } = (await response.json()) as {
    readonly Commits: readonly { readonly Commit: string }[]
  }
  return Commits[0]?.Commit ?? ''
}

/** A page of a few parts, one of them large, and an edition of it that nothing has any more. */
async function publishPage(url: string) {
  const editionOf = (path: string) =>
    path.endsWith('.bin') ? 'x'.repeat(1_500_000) : `${path} of the first edition`
  const paths = ['a.txt', 'b.svg', 'deep/c.txt', 'film.bin'].map((name) => `acme/v1/page/${name}`)
  for (const path of paths) await worldOf({ url }).put(path, editionOf(path))
  const edition = await newest(url)
  for (const path of paths) await worldOf({ url }).put(path, 'of the second edition')
  const isWhole = async (site: string, named = edition): Promise<boolean> => {
    for (const path of paths) {
      const response = await fetch(`${site}/@${named}/${path}`)
      if (response.headers.get('cache-control') !== yearLong) return false
      if ((await response.text()) !== editionOf(path)) return false
    }
    return true
  }
  return { edition, isWhole }
}

test(
  'a page of a commit loads whole at an edge while the origin is away, and after the edge starts again',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({
      dataDirectory: join(directory.path, 'origin'),
      environment,
    })
    await openZone(service.url)
    const { edition, isWhole } = await publishPage(service.url)
    const options = {
      origin: service.url,
      name: 'pinned-1',
      token: await edgeTokenOf(service.url),
      directory: join(directory.path, 'edge'),
    }
    const edges: EdgeProcess[] = [await startEdge(options)]
    await using behind = await startEdge({
      ...options,
      origin: edges[0]?.url ?? '',
      name: 'pinned-2',
      directory: join(directory.path, 'behind'),
    })
    for (const { url } of [...edges, behind]) {
      await until(() => isWhole(url))
      expect(await isWhole(url, edition.slice(0, 9))).toBe(true)
    }
    const never = `/@${edition}/acme/v1/page/never.txt`
    expect((await fetch(behind.url + never)).status).toBe(404)
    await service.kill()
    await edges[0]?.stop()
    const restarted = await startEdge({ ...options, name: 'pinned-1' })
    await using _restarted = restarted

    expect(await isWhole(restarted.url)).toBe(true)
    expect(await isWhole(restarted.url, edition.slice(0, 9))).toBe(true)
    const moment = '/acme/v1/page/a.txt?at=2100-01-01T00:00:00Z'
    expect((await fetch(restarted.url + moment)).status).toBe(503)
    expect((await fetch(`${restarted.url}/@${edition}/acme/v1/page/other.txt`)).status).toBe(503)
    expect(await isWhole(behind.url)).toBe(true)
  },
  limitMs,
)

/** Two commits on one parent whose ids begin with the same seven digits. */
function findTwins(tree: string, parent: string): readonly [string, string] {
  const bodyByDigits = new Map<string, string>()
  for (let count = 0; ; count += 1) {
    const who = 'A <a@sedge.invalid> 1700000000 +0000'
    const body = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\ntwin ${count}\n`
    const id = createHash('sha1').update(`commit ${body.length}\0${body}`).digest('hex')
    const twin = bodyByDigits.get(id.slice(0, 7))
    if (twin !== undefined) return [twin, body]
    bodyByDigits.set(id.slice(0, 7), body)
  }
}

test(
  'digits that several commits begin with are refused at the service, a worker and an edge',
  async () => {
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'origin')
    const git = async (input: string, ...args: readonly string[]) => {
      const repository = `--git-dir=${join(dataDirectory, 'repository.git')}`
      const child = Bun.spawn(['git', repository, ...args], { stdin: Buffer.from(input) })
      return (await new Response(child.stdout).text()).trim()
    }
    let digits = ''
    {
      await using first = await startService({ dataDirectory, environment })
      await openZone(first.url)
      await worldOf(first).put('acme/v1/a.txt', 'one')
    }
    {
      const head = await git('', 'rev-parse', 'main')
      const tree = await git('', 'rev-parse', 'main^{tree}')
      const twins = findTwins(tree, head)
      const ids: string[] = []
      for (const body of twins)
        ids.push(await git(body, 'hash-object', '-t', 'commit', '-w', '--stdin'))
      const [one = '', other = ''] = ids
      digits = one.slice(0, 7)
      expect(other.slice(0, 7)).toBe(digits)
      const who = ['-c', 'user.name=A', '-c', 'user.email=a@sedge.invalid']
      const both = await git('both', ...who, 'commit-tree', tree, '-p', one, '-p', other)
      await git('', 'update-ref', 'refs/heads/main', both)
    }
    await using service = await startService({
      dataDirectory,
      environment: { ...environment, ...(sharedPorts.isThere() && { EDGE_WORKERS: '1' }) },
    })
    await using edge = await startEdge({
      origin: service.url,
      name: 'pinned-1',
      token: await edgeTokenOf(service.url),
      directory: join(directory.path, 'edge'),
    })
    const path = `/@${digits}/acme/v1/a.txt`
    const named = `/api/transform?url=${encodeURIComponent(path)}`
    for (const { url } of [service, edge])
      for (const asked of [path, named, `/api/stream?path=${path.slice(1)}`]) {
        const response = await fetch(url + asked)
        expect([asked, response.status]).toEqual([asked, 400])
        expect(await response.text()).toContain('names several commits')
      }
    if (!sharedPorts.isThere()) return
    for (const connection of (await connectToEach(service, 1)).values()) {
      expect((await connection.ask({ path })).status).toBe(400)
      connection[Symbol.dispose]()
    }
  },
  limitMs,
)

if (have('a worker by itself', sharedPorts))
  test(
    'a worker tells what it knows of a commit while the main process does nothing',
    async () => {
      await using directory = await temporaryDirectory()
      await using service = await startService({
        dataDirectory: directory.path,
        environment: { ...environment, EDGE_WORKERS: '1', HISTORY_PER_MINUTE: '6' },
      })
      await openZone(service.url)
      const { edition, isWhole } = await publishPage(service.url)
      const connections = await connectToEach(service, 1)
      const [, worker] = [...connections].find(([pid]) => pid !== service.pid) ?? []
      if (worker === undefined) throw new Error('there is no worker')
      const path = `/@${edition}/acme/v1/page/a.txt`
      const first = await worker.ask({ path })
      expect([first.status, first.headers.get('cache-control')]).toEqual([200, yearLong])
      process.kill(service.pid, 'SIGSTOP')
      try {
        const { status, body, headers } = await worker.ask({ path })
        expect([status, headers.get('cache-status')]).toEqual([200, expect.stringContaining('hit')])
        expect(body.toString()).toContain('of the first edition')
        const part = await worker.ask({ path, headers: { Range: 'bytes=0-3' } })
        expect([part.status, part.body.toString()]).toEqual([206, 'acme'])
      } finally {
        process.kill(service.pid, 'SIGCONT')
      }
      expect(await isWhole(service.url)).toBe(true)
      const other = (digit: string) => worker.ask({ path: `/@${digit.repeat(40)}/acme/v1/a.txt` })
      expect((await other('d')).status).toBe(404)
      expect((await other('e')).status).toBe(404)
      const refused = await other('f')
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
      await worldOf(service).client.updateZone({ id: 'acme', body: { History: 'off' } })
      await until(async () => (await worker.ask({ path })).status === 404)
      for (const connection of connections.values()) connection[Symbol.dispose]()
    },
    limitMs,
  )

if (have('a cluster that shows former commits', postgres, s3Server))
  test(
    'a node that stands by tells what commits have and previews show, and goes on when it writes itself',
    async () => {
      await using cluster = await startCluster({ nodeCount: 2, environment })
      const [first, second] = cluster.nodes
      if (first === undefined || second === undefined) throw new Error('few')
      await openZone(first.url)
      const path = 'acme/v1/page/a.txt'
      await worldOf(first).put(path, 'of the preview')
      const { client } = worldOf(first)
      await client.createPreview({ id: 'acme', body: { Name: 'spring' } })
      const { isWhole } = await publishPage(first.url)
      const isShown = async (url: string) =>
        (await (await fetch(`${url}/@~spring/${path}`)).text()) === 'of the preview'
      for (const { url } of [first, second]) {
        await until(() => isWhole(url), `${url} has it not`)
        await until(() => isShown(url), `${url} does not show it`)
      }
      await cluster.kill(first)
      expect(await isShown(second.url)).toBe(true)
      expect(await isWhole(second.url)).toBe(true)
      await until(async () => (await cluster.writer()) === second, 'nobody took over')
      await until(() => isWhole(second.url))
      await until(() => isShown(second.url))
    },
    limitMs,
  )
