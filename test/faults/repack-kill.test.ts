import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

import { makePacks } from '../../src/adapters/git/fixtures/many-packs.ts'
import { joiningName } from '../../src/adapters/git/upkeep/housekeeping.ts'
import { runGit } from '../support/git-client.ts'
import { killsOf } from '../support/kills.ts'
import { fsck } from '../support/ledger-clients.ts'
import { processesWith, untilNoneWith } from '../support/running-commands.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const kills = killsOf(6)
const packCount = 500
/** Files outside of zones are warned of, one by one. */
const quiet = { LOG_LEVEL: 'error' }

test(
  'a service killed again and again while it joins packs leaves nothing running and fills no disk',
  async () => {
    await using world = await openWorld()
    const { dataDirectory, repository, unfinished, mark } = world
    const slow = await slowGit(world.path)
    const size = await world.packBytes()

    for (let kill = 0; kill < kills; kill += 1) {
      const before = await unfinished()
      const service = await startService({ dataDirectory, environment: { ...quiet, ...slow } })
      await until(async () => (await unfinished()).some((name) => name.endsWith('.pack')))
      const now = await unfinished()
      expect(before.filter((name) => now.includes(name))).toEqual([])
      await service.kill()
      await untilNoneWith(repository)
      // As a process leaves it that is killed while it writes.
      await writeFile(join(repository, 'objects', 'pack', `tmp_pack_kill${kill}`), 'PACK')
      expect(await world.packBytes()).toBeLessThan(2.5 * size)
      await writeFile(mark, new Date(Date.now() - 3_600_000).toISOString())
    }

    await using service = await startService({ dataDirectory, environment: quiet })
    await until(() => !existsSync(mark))
    expect(await unfinished()).toEqual([])
    expect(await world.packs()).toBeLessThan(20)
    expect(await service.stop()).toBe(0)
    expect(fsck(dataDirectory)).toBe('')
  },
  kills * 20_000,
)

test('the starts after a kill leave the packs alone, and one that is ended leaves nothing running', async () => {
  await using world = await openWorld()
  const { dataDirectory, repository, unfinished, mark } = world
  const slow = await slowGit(world.path)
  const killed = await startService({ dataDirectory, environment: { ...quiet, ...slow } })
  await until(async () => (await unfinished()).some((name) => name.endsWith('.pack')))
  await killed.kill()
  await untilNoneWith(repository)
  const begun = await readFile(mark, 'utf8')

  for (let start = 0; start < 3; start += 1) {
    await using service = await startService({ dataDirectory, environment: quiet })
    expect(await unfinished()).toEqual([])
    expect(await service.stop()).toBe(0)
  }
  expect(await readFile(mark, 'utf8')).toBe(begun)
  expect(await world.packs()).toBe(packCount)

  await writeFile(mark, new Date(Date.now() - 3_600_000).toISOString())
  const ended = await startService({ dataDirectory, environment: { ...quiet, ...slow } })
  await until(async () => (await unfinished()).some((name) => name.endsWith('.pack')))
  expect(await ended.stop()).toBe(0)
  expect(await processesWith(repository)).toEqual([])
}, 120_000)

/** The data directory of a service with as many packs as are joined. */
async function openWorld() {
  const directory = await temporaryDirectory()
  const { path } = directory
  const dataDirectory = join(path, 'data')
  const repository = join(dataDirectory, 'repository.git')
  await mkdir(repository, { recursive: true })
  await runGit(repository, 'init', '-q', '--bare', '--initial-branch=main')
  await runGit(repository, 'config', 'fastimport.unpacklimit', '1')
  await makePacks(repository, { count: packCount, bytesEach: 4_000 })
  const packDirectory = join(repository, 'objects', 'pack')
  return {
    path,
    dataDirectory,
    repository,
    mark: join(repository, joiningName),
    unfinished: async () =>
      (await readdir(packDirectory)).filter((name) => /^\.?tmp[-_]/u.test(name)),
    packs: async () =>
      (await readdir(packDirectory)).filter((name) => /^pack-.*\.pack$/u.test(name)).length,
    async packBytes() {
      const names = (await readdir(packDirectory)).filter((name) => name.endsWith('.pack'))
      const stats = await Promise.all(names.map((name) => stat(join(packDirectory, name))))
      return stats.reduce((sum, { size }) => sum + size, 0)
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

/** An environment in which `git repack` is the real one, which has to wait once it has written its pack. */
async function slowGit(path: string): Promise<Record<string, string>> {
  const [first, second] = [join(path, 'first'), join(path, 'second')]
  const real = Bun.which('git')
  await writeScript(
    join(first, 'git'),
    `case " $* " in *" repack "*) export GIT_EXEC_PATH='${second}' ;; esac\nexec '${real}' "$@"`,
  )
  await writeScript(
    join(second, 'git'),
    `'${real}' "$@" || exit\ncase " $* " in *" pack-objects "*) sleep 300 ;; esac`,
  )
  return { PATH: [first, process.env['PATH']].join(delimiter) }
}

async function writeScript(file: string, script: string): Promise<void> {
  await Bun.write(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}
