import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { git, runGit } from '../support/git-client.ts'
import { openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

test('what is erased is in no clone of its zone, and other zones keep their ids', async () => {
  await using directory = await temporaryDirectory()
  const work = directory.path
  await using service = await openLocalService({ dataDirectory: join(work, 'data') })
  const world = worldOf(service)
  const urlOf = (zone: string) =>
    `${service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/${zone}.git`
  const tipOf = async (zone: string) =>
    (await runGit(work, 'ls-remote', urlOf(zone), 'refs/heads/main')).slice(0, 40)
  for (const zone of ['acme', 'bolt']) await world.zone(zone)
  await world.put('bolt/v1/data/a.txt', 'of bolt')
  await world.put('acme/v1/data/secret.txt', 'the words that must go')
  await runGit(work, 'clone', '-q', urlOf('acme'), 'mine')
  const mine = join(work, 'mine')
  await Bun.write(join(mine, 'v1/data/pushed.txt'), 'pushed')
  await runGit(mine, 'add', '-A')
  await runGit(mine, 'commit', '-q', '-m', 'Push one')
  await runGit(mine, 'push', '-q', 'origin', 'HEAD:main')
  const [acme, bolt] = [await tipOf('acme'), await tipOf('bolt')]

  const erasures = `${service.url}/api/core/erasures`
  const Path = 'acme/v1/data/secret.txt'
  const body = JSON.stringify({ Path, Reason: 'The law says so', Confirm: Path })
  const begun = await fetch(erasures, { method: 'POST', headers: account, body })
  expect(begun.status).toBe(202)
  const { Id } = (await begun.json()) as { readonly Id: string }
  await until(async () => {
    const response = await fetch(`${erasures}/${Id}`, { headers: account })
    return ((await response.json()) as { readonly State: string }).State === 'done'
  }, 'it is not erased')

  await runGit(work, 'clone', '-q', urlOf('acme'), 'after')
  const after = join(work, 'after')
  expect(await runGit(after, 'fsck', '--strict')).toBe('')
  expect(await runGit(after, 'log', '-p', '--all')).not.toContain('the words that must go')
  expect(await Bun.file(join(after, 'v1/data/pushed.txt')).text()).toBe('pushed')
  expect(await tipOf('acme')).not.toBe(acme)
  expect(await tipOf('bolt')).toBe(bolt)

  await Bun.write(join(after, 'v1/data/later.txt'), 'later')
  await runGit(after, 'add', '-A')
  await runGit(after, 'commit', '-q', '-m', 'Push another')
  await runGit(after, 'push', '-q', 'origin', 'HEAD:main')
  expect(await (await fetch(`${service.url}/acme/v1/data/later.txt`)).text()).toBe('later')

  // Whoever has the bytes does not bring them back.
  await runGit(mine, 'fetch', '-q')
  await runGit(
    mine,
    'merge',
    '-q',
    '--allow-unrelated-histories',
    '-s',
    'ours',
    '-m',
    'x',
    'origin/main',
  )
  const { exitCode, errors } = await git(mine, ['push', 'origin', 'HEAD:main'])
  expect(exitCode).not.toBe(0)
  expect(errors).toContain('erased')
}, 60_000)
