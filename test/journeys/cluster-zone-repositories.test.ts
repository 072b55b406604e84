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
  `${url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/acme.git`

const tipAt = async (url: string): Promise<string> =>
  (await git('/tmp', ['ls-remote', repositoryAt(url), 'refs/heads/main'])).output.slice(0, 40)

if (have('repositories of zones in a cluster', postgres, s3Server))
  test('a zone is cloned from and pushed to any node and edge, and the next node that writes makes the same of it', async () => {
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
    await runGit(directory.path, 'clone', '-q', repositoryAt(second.url), 'clone')
    const clone = join(directory.path, 'clone')
    for (const [place, url] of [second.url, edge.url].entries()) {
      await Bun.write(join(clone, `v1/data/pushed-${place}.txt`), url)
      await runGit(clone, 'add', '.')
      await runGit(clone, 'commit', '-q', '-m', `Push ${place}`)
      await runGit(clone, 'push', '-q', repositoryAt(url), 'HEAD:main')
    }
    const tip = (await runGit(clone, 'rev-parse', 'HEAD')).trim()
    for (const { url } of [first, second, edge]) expect(await tipAt(url)).toBe(tip)

    expect(await cluster.writer()).toBe(first)
    await cluster.kill(first)
    await until(async () => (await tipAt(second.url)) === tip, 'nobody has the same of it')
    await until(async () => {
      const init = { method: 'PUT', headers: access, body: 'after' }
      return (await fetch(`${second.url}/api/storage/acme/v1/data/after.txt`, init)).ok
    }, 'nobody writes')
    await runGit(clone, 'pull', '-q', '--ff-only', repositoryAt(second.url), 'main')
    expect(await Bun.file(join(clone, 'v1/data/after.txt')).text()).toBe('after')
    await runGit(clone, 'fsck', '--strict')
  }, 120_000)
