import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { startCluster } from '../support/cluster.ts'
import { git, runGit } from '../support/git-client.ts'
import { openGitServer } from '../support/git-server.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'

test.skipIf(!have('a mirror of a cluster', postgres, s3Server))(
  'what the writer took up from the remote is whole at the node that takes over, and the mirror goes on',
  async () => {
    await using host = await openGitServer()
    await using work = await temporaryDirectory()
    await using cluster = await startCluster({
      nodeCount: 2,
      environment: { GIT_REMOTE: host.url, GIT_REMOTE_IMPORT: 'true' },
    })
    const put = async (path: string) => {
      const { status } = await fetch(`${cluster.nodes[0]?.url}/api/storage/${path}`, {
        method: 'PUT',
        headers: access,
        body: path,
      })
      return status
    }
    const zone = JSON.stringify({ Name: 'acme' })
    for (const { url } of cluster.nodes)
      await fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body: zone })
    expect(await put('acme/v1/titles/first.txt')).toBe(201)
    await until(async () => (await runGit(host.directory, 'for-each-ref')) !== '')

    await runGit(work.path, 'clone', '-q', host.directory, 'work')
    const clone = join(work.path, 'work')
    await Bun.write(join(clone, 'clients/acme/v1/titles/theirs.txt'), 'theirs')
    await runGit(clone, 'add', '-A')
    await runGit(clone, 'commit', '-q', '-m', 'theirs')
    await runGit(clone, 'push', '-q', 'origin', 'HEAD:main')
    const theirs = (await runGit(clone, 'rev-parse', 'HEAD')).trim()

    // A node that has the right to write looks at the remote as soon as it has it.
    const first = await cluster.writer()
    if (first === undefined) throw new Error('nobody writes')
    await first.process?.stop()
    first.process = undefined
    const second = cluster.nodes.find((node) => node !== first)
    const served = `${second?.url}/acme/v1/titles/theirs.txt`
    await until(async () => (await fetch(served).catch(() => undefined))?.status === 200)
    await cluster.start(first)
    const listing = `${first.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/`
    await runGit(work.path, 'clone', '-q', listing, 'through-the-other-node')
    await runGit(
      join(work.path, 'through-the-other-node'),
      'merge-base',
      '--is-ancestor',
      theirs,
      'HEAD',
    )
    if (second !== undefined) await cluster.kill(second)
    await until(async () => (await cluster.writer()) === first)

    expect(await (await fetch(`${first.url}/acme/v1/titles/theirs.txt`)).text()).toBe('theirs')
    const repository = join(first.dataDirectory, 'repository.git')
    await until(async () => (await git(repository, ['cat-file', '-e', theirs])).exitCode === 0)
    await runGit(repository, 'fsck', '--strict')
    await runGit(repository, 'merge-base', '--is-ancestor', theirs, 'main')
    await until(async () => {
      const { output } = await git(work.path, ['ls-remote', listing, 'main'])
      return (
        output !== '' && output === (await runGit(work.path, 'ls-remote', host.directory, 'main'))
      )
    })
  },
  120_000,
)
