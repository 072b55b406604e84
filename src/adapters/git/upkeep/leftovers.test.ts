import { expect, test } from 'bun:test'
import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makePacks } from '../fixtures/many-packs.ts'
import { git, temporaryDirectory } from '../fixtures/open-test-store.ts'
import { gitCommand, gitEnvironment } from '../objects/git-command.ts'
import { clearLeftovers, clearUnindexedPacks } from './leftovers.ts'

test('unfinished packs of processes that are no more go at once', async () => {
  await using repository = await openRepository()
  const gone = await idOfEnded()
  // An id that another program has got meanwhile is nobody's who repacks.
  for (const id of [gone, process.pid])
    for (const ending of ['pack', 'idx', 'rev', 'mtimes'])
      await repository.leave(`.tmp-${id}-pack-${'a'.repeat(40)}.${ending}`)
  for (const name of ['tmp_pack_aBcDeF', 'tmp_idx_aBcDeF', 'tmp_sedge_1_pack'])
    await repository.leave(name)
  const before = await repository.packs()

  await clearLeftovers(repository.directory)

  expect(await repository.unfinished()).toEqual([])
  expect(await repository.packs()).toEqual(before)
})

test('what a living git process is at work on stays, for a day', async () => {
  await using repository = await openRepository()
  await using worker = await startWorker(repository.directory)
  const names = [`.tmp-${worker.pid}-pack-${'a'.repeat(40)}.pack`, 'tmp_pack_aBcDeF']
  for (const name of names) await repository.leave(name)
  await repository.leave(`.tmp-${await idOfEnded()}-pack-${'b'.repeat(40)}.pack`)

  await clearLeftovers(repository.directory)
  expect(await repository.unfinished()).toEqual(names.toSorted())

  await repository.age(names[1] ?? '', 25)
  await clearLeftovers(repository.directory)
  expect(await repository.unfinished()).toEqual(names.slice(0, 1))

  await worker[Symbol.asyncDispose]()
  await clearLeftovers(repository.directory)
  expect(await repository.unfinished()).toEqual([])
})

test('packs without an index go at once, unless a living git process may be about to add it', async () => {
  await using repository = await openRepository()
  const before = await repository.packs()
  const endings = ['pack', 'rev', 'mtimes']
  const unindexed = endings.map((ending) => `pack-${'a'.repeat(40)}.${ending}`)
  await using worker = await startWorker(repository.directory)
  for (const name of unindexed) await repository.leave(name)

  await clearLeftovers(repository.directory)
  expect(await repository.packs()).toEqual([...before, ...unindexed].toSorted())

  await worker[Symbol.asyncDispose]()
  await clearLeftovers(repository.directory)
  expect(await repository.packs()).toEqual(before)
})

test('a pack without an index is left for an hour to who is about to add it', async () => {
  await using repository = await openRepository()
  const before = await repository.packs()
  const unindexed = `pack-${'a'.repeat(40)}.pack`
  await repository.leave(unindexed)
  // A link to an old file is as new as the link.
  await repository.age(unindexed, 2)

  await clearUnindexedPacks(repository.directory)
  expect(await repository.packs()).toEqual([...before, unindexed].toSorted())

  await clearUnindexedPacks(repository.directory, 0)
  expect(await repository.packs()).toEqual(before)
})

test.skipIf(process.platform !== 'linux')(
  'git at work on another repository keeps nothing here',
  async () => {
    await using repository = await openRepository()
    await using other = await openRepository()
    await using _worker = await startWorker(other.directory)
    await repository.leave('tmp_pack_aBcDeF')

    await clearLeftovers(repository.directory)

    expect(await repository.unfinished()).toEqual([])
  },
)

async function openRepository() {
  const directory = await temporaryDirectory()
  await git(directory, 'init', '-q', '--bare', '--initial-branch=main')
  await git(directory, 'config', 'fastimport.unpacklimit', '1')
  await makePacks(directory, { count: 1, bytesEach: 100 })
  const packDirectory = join(directory, 'objects', 'pack')
  const names = () => readdir(packDirectory)
  const isUnfinished = (name: string) => /^\.?tmp/u.test(name)
  return {
    directory,
    leave: (name: string) => writeFile(join(packDirectory, name), 'PACK'),
    async age(name: string, hours: number) {
      const then = new Date(Date.now() - hours * 3_600_000)
      await utimes(join(packDirectory, name), then, then)
    },
    unfinished: async () => (await names()).filter(isUnfinished).toSorted(),
    packs: async () => (await names()).filter((name) => !isUnfinished(name)).toSorted(),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

/** A git process that has read from the pack and waits for more to do. */
async function startWorker(directory: string) {
  const child = Bun.spawn(gitCommand(directory, ['cat-file', '--batch-check']), {
    env: gitEnvironment(),
    stdin: 'pipe',
    stdout: 'pipe',
  })
  void child.stdin.write('main\n')
  await child.stdin.flush()
  const reader = child.stdout.getReader()
  await reader.read()
  return {
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

async function idOfEnded(): Promise<number> {
  const child = Bun.spawn(['git', 'version'], { stdout: 'ignore' })
  await child.exited
  return child.pid
}
