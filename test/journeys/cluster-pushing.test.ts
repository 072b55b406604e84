import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { startCluster } from '../support/cluster.ts'
import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { git, runGit } from '../support/git-client.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const repositoryAt = (url: string): string =>
  `${url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/`

const tipAt = async (url: string): Promise<string> =>
  (await git('/tmp', ['ls-remote', repositoryAt(url), 'refs/heads/main'])).output.slice(0, 40)

if (have('pushes in a cluster', postgres, s3Server))
  test('a push to any node or edge is with every node once it is answered, whoever writes next', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    await using directory = await temporaryDirectory()
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('few')
    await worldOf(second).zone('acme')
    await worldOf(first).put('acme/v1/data/a.txt', 'first')
    await using edge = await startEdge({
      origin: second.url,
      token: await edgeTokenOf(first.url),
      name: 'edge',
      directory: join(directory.path, 'edge'),
    })
    await runGit(directory.path, 'clone', '-q', repositoryAt(first.url), 'clone')
    const clone = join(directory.path, 'clone')
    for (const [place, url] of [first.url, second.url, edge.url].entries()) {
      for (const name of ['one', 'two']) {
        await Bun.write(join(clone, `clients/acme/v1/data/${name}-${place}.txt`), `${name} ${url}`)
        await runGit(clone, 'add', '.')
        await runGit(clone, 'commit', '-q', '-m', `Push ${name} ${place}`)
      }
      await runGit(clone, 'push', '-q', repositoryAt(url), 'HEAD:main')
    }
    const tip = (await runGit(clone, 'rev-parse', 'HEAD')).trim()

    // At once: what was answered is where the next one to write finds it.
    expect(await cluster.writer()).toBe(first)
    await cluster.kill(first)
    await until(async () => {
      const init = { method: 'PUT', headers: access, body: 'after' }
      return (await fetch(`${second.url}/api/storage/acme/v1/data/after.txt`, init)).ok
    }, 'nobody writes')
    expect(await tipAt(second.url)).not.toBe(tip)
    await runGit(clone, 'pull', '-q', '--ff-only', repositoryAt(second.url), 'main')
    await runGit(clone, 'merge-base', '--is-ancestor', tip, 'HEAD')
    const served = await fetch(`${second.url}/acme/v1/data/two-2.txt`)
    expect(await served.text()).toBe(`two ${edge.url}`)
    await runGit(directory.path, 'clone', '-q', repositoryAt(second.url), 'again')
    await runGit(join(directory.path, 'again'), 'fsck', '--strict')
  }, 120_000)
