import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { runGit } from '../support/git-client.ts'
import { openGitServer } from '../support/git-server.ts'
import { account, startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const secret = 'the words that must go, wherever they come from'

test('of what others push to the mirror erased bytes are left out, and taken out of history again', async () => {
  await using directory = await temporaryDirectory()
  await using host = await openGitServer({})
  const [work, data] = [join(directory.path, 'work'), join(directory.path, 'data')]
  const repository = join(data, 'repository.git')
  await using service = await startService({
    dataDirectory: data,
    environment: { GIT_REMOTE: host.url, GIT_REMOTE_IMPORT: 'true', LOG_LEVEL: 'warn' },
  })
  const world = worldOf(service)
  await world.zone('acme')
  await world.put('acme/v1/data/kept.txt', 'kept')
  await world.put('acme/v1/data/secret.txt', secret)
  const headOf = async (place: string) =>
    (await runGit(place, 'rev-parse', 'main').catch(() => '')).trim()
  const isMirrored = async () => (await headOf(host.directory)) === (await headOf(repository))
  const idOfSecret = (
    await runGit(repository, 'rev-parse', 'main:clients/acme/v1/data/secret.txt')
  ).trim()
  const objects = () =>
    runGit(repository, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
  const Path = 'acme/v1/data/secret.txt'
  const ordered = await fetch(`${service.url}/api/core/erasures`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Path, Reason: 'It must go', Confirm: Path }),
  })
  const { Id } = (await ordered.json()) as { readonly Id: string }
  const erasure = async () => {
    const found = await fetch(`${service.url}/api/core/erasures/${Id}`, { headers: account })
    return (await found.json()) as {
      readonly State: string
      readonly Places: readonly { readonly Place: string; readonly Date: string }[]
    }
  }
  const rewrittenAt = async () =>
    (await erasure()).Places.find(({ Place }) => Place === 'repository')?.Date
  await until(async () => (await erasure()).State === 'done')
  await until(isMirrored, 'the mirror has the former history')
  const first = await rewrittenAt()
  expect(await objects()).not.toContain(idOfSecret)

  await runGit(directory.path, 'clone', '-q', host.directory, work)
  await Bun.write(join(work, 'clients/acme/v1/data/again.txt'), secret)
  await Bun.write(join(work, 'clients/acme/v1/data/beside.txt'), 'beside')
  await runGit(work, 'add', '-A')
  await runGit(work, 'commit', '-q', '-m', 'Bring it back')
  await runGit(work, 'push', '-q', 'origin', 'HEAD:main')
  // The mirror looks there once it has something to push.
  await world.put('acme/v1/data/later.txt', 'later')

  const at = async (path: string) => (await fetch(`${service.url}/${path}`)).status
  await until(async () => (await at('acme/v1/data/beside.txt')) === 200)
  expect(await at('acme/v1/data/again.txt')).toBe(404)
  await until(async () => (await rewrittenAt()) !== first && (await erasure()).State === 'done')
  await world.put('acme/v1/data/latest.txt', 'latest')
  await until(isMirrored, 'the mirror has the bytes')
  expect(await objects()).not.toContain(idOfSecret)
  for (const place of [repository, host.directory]) {
    expect(await runGit(place, 'fsck', '--strict', '--no-dangling')).toBe('')
    expect(await runGit(place, 'log', '-p', '-m', 'main')).not.toContain(secret)
  }
  const subjects = await runGit(repository, 'log', '--format=%an %s', 'main')
  expect(subjects).toContain('Ada Bring it back')
}, 120_000)
