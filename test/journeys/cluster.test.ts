import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { startCluster } from '../support/cluster.ts'
import { edgeTokenOf, type EdgeProcess, startEdge } from '../support/edge-process.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const shows = async (url: string, path: string, body: string): Promise<boolean> => {
  const response = await fetch(`${url}/${path}`).catch(() => undefined)
  return (await response?.text()) === body
}

interface Deployment {
  readonly EdgesWithCommit: number
}

if (have('a cluster as users see it', postgres, s3Server)) {
  test('any node takes any request, and edges follow any node, also when the one that writes changes', async () => {
    await using cluster = await startCluster({ nodeCount: 3 })
    await using directory = await temporaryDirectory()
    const [first, second, third] = cluster.nodes
    if (first === undefined || second === undefined || third === undefined) throw new Error('few')
    await worldOf(second).zone('acme')
    const token = await edgeTokenOf(third.url)
    const edges: EdgeProcess[] = []
    for (const [place, { url }] of cluster.nodes.entries())
      edges.push(
        await startEdge({
          origin: url,
          token,
          name: `edge-${place}`,
          directory: join(directory.path, `edge-${place}`),
        }),
      )
    await using _edges = { [Symbol.asyncDispose]: () => endAll(edges) }

    await worldOf(third).put('acme/v1/titles/a.txt', 'first')
    expect(await shows(third.url, 'acme/v1/titles/a.txt', 'first')).toBeTrue()
    for (const { url } of [...cluster.nodes, ...edges])
      await until(() => shows(url, 'acme/v1/titles/a.txt', 'first'), `${url} does not show it`)

    expect(await cluster.writer()).toBe(first)
    await cluster.kill(first)
    await until(() => shows(edges[0]?.url ?? '', 'acme/v1/titles/a.txt', 'first'))
    await until(async () => {
      const init = { method: 'PUT', headers: access, body: 'second' }
      const url = `${second.url}/api/storage/clients/acme/v1/titles/a.txt`
      return (await fetch(url, init)).ok
    }, 'nobody writes')
    for (const { url } of [second, third, ...edges.slice(1)])
      await until(() => shows(url, 'acme/v1/titles/a.txt', 'second'), `${url} does not show it`)

    await cluster.start(first)
    await worldOf(first).put('acme/v1/titles/b.txt', 'third')
    for (const { url } of [...cluster.nodes, ...edges])
      await until(() => shows(url, 'acme/v1/titles/b.txt', 'third'), `${url} does not show it`)
    const commit = await worldOf(third).zone('later')
    await until(async () => {
      const url = `${second.url}/api/core/deployments/${commit}`
      const response = await fetch(url, { headers: account })
      return ((await response.json()) as Deployment).EdgesWithCommit === 5
    }, 'not every edge, and every node that follows, has said so')
  }, 120_000)

  test('large files are read at every node, and survive the one that wrote them', async () => {
    await using cluster = await startCluster({ nodeCount: 2, environment: { LFS_ABOVE_MB: '1' } })
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('few')
    await worldOf(first).zone('acme')
    const films = ['a', 'b'].map((seed) => seed.repeat(1_200_000))
    await worldOf(first).put('acme/v1/titles/a.mp4', films[0] ?? '')
    await until(() => shows(second.url, 'acme/v1/titles/a.mp4', films[0] ?? ''))
    await cluster.kill(first)
    await until(async () => (await cluster.writer()) === second, 'nobody took over')
    await until(async () => {
      const init = { method: 'PUT', headers: access, body: films[1] ?? '' }
      const url = `${second.url}/api/storage/clients/acme/v1/titles/b.mp4`
      return (await fetch(url, init)).ok
    }, 'nobody writes')

    for (const [place, name] of ['a', 'b'].entries())
      expect(await shows(second.url, `acme/v1/titles/${name}.mp4`, films[place] ?? '')).toBeTrue()
    const listing = ['cat-file', 'blob', 'main:clients/acme/v1/titles/.gitattributes']
    const repository = join(second.dataDirectory, 'repository.git')
    expect(await Bun.$`git --git-dir=${repository} ${listing}`.text()).toBe(
      ['a', 'b'].map((name) => `/${name}.mp4 filter=lfs diff=lfs merge=lfs -text\n`).join(''),
    )
  }, 120_000)

  test('a node that is told to end hands writing over at once, and everything goes on', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const [first, second] = cluster.nodes
    if (first?.process === undefined || second === undefined) throw new Error('few')
    await worldOf(first).zone('acme')
    await worldOf(second).put('acme/v1/titles/a.txt', 'first')
    const watched = await fetch(`${second.url}/api/insights/live`, { headers: account })
    expect(await first.process.stop()).toBe(0)

    await until(async () => (await cluster.writer()) === second, 'nobody took over')
    await until(async () => {
      const init = { method: 'PUT', headers: access, body: 'second' }
      const url = `${second.url}/api/storage/clients/acme/v1/titles/a.txt`
      return (await fetch(url, init)).ok
    }, 'nobody writes')
    await watched.body?.cancel()
    await cluster.start(first)
    await until(() => shows(first.url, 'acme/v1/titles/a.txt', 'second'))
  }, 120_000)

  test('a node with another account key does not start, and says why', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const [, second] = cluster.nodes
    if (second === undefined) throw new Error('few')
    await cluster.kill(second)
    await Bun.$`rm -rf ${second.dataDirectory}`.quiet()

    const outcome = await cluster.tryStart(second, {
      ACCOUNT_KEY: 'another-account-key-0123456789',
    })
    expect(outcome).toMatchObject({ exitCode: 1 })
    expect(outcome.said).toContain('is ACCOUNT_KEY the same on every node?')
  }, 60_000)

  test('a node that starts just when the one that writes is killed writes itself, and ends when told', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('few')
    await worldOf(first).zone('acme')
    await cluster.kill(second)
    await Bun.$`rm -rf ${second.dataDirectory}/standby`.quiet()
    await cluster.kill(first)
    await cluster.start(second)

    await worldOf(second).put('acme/v1/titles/a.txt', 'text')
    expect(await second.process?.stop()).toBe(0)
  }, 60_000)

  test('a node whose data directory is lost has everything again, and the repository can be cloned through it', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    await using directory = await temporaryDirectory()
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('few')
    await worldOf(first).zone('acme')
    for (let number = 0; number < 5; number += 1)
      await worldOf(first).put(`acme/v1/titles/${number}.txt`, `text ${number}`)
    await cluster.kill(second)
    await Bun.$`rm -rf ${second.dataDirectory}`.quiet()
    await cluster.start(second)
    await cluster.kill(first)
    await until(async () => (await cluster.writer()) === second, 'nobody took over')
    // Reads are answered before it may write.
    await until(async () => {
      const url = `${second.url}/api/storage/acme/v1/titles/5.txt`
      return (await fetch(url, { method: 'PUT', headers: access, body: 'text 5' })).ok
    }, 'nobody writes')
    const clone = join(directory.path, 'clone')
    const url = new URL(`${second.url}/git/`)
    Object.assign(url, { username: 'x', password: testKeys.ACCESS_KEY })
    await Bun.$`git clone --quiet ${url.href} ${clone}`.quiet()
    for (let number = 0; number <= 5; number += 1)
      expect(await Bun.file(join(clone, `clients/acme/v1/titles/${number}.txt`)).text()).toBe(
        `text ${number}`,
      )
    expect((await Bun.$`git -C ${clone} rev-list --count HEAD`.quiet()).text().trim()).toBe('7')
  }, 120_000)
}

async function endAll(processes: readonly AsyncDisposable[]): Promise<void> {
  await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))
}
