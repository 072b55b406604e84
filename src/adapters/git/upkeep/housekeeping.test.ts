import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makePacks } from '../fixtures/many-packs.ts'
import { openTestStore, temporaryDirectory } from '../fixtures/open-test-store.ts'
import { joiningName } from './housekeeping.ts'
import { packNames } from './verification.ts'

const begunAt = new Date('2026-01-02T03:04:05.000Z')
const later = (minutes: number) => new Date(begunAt.getTime() + minutes * 60_000)

test('a joining that was broken off is not begun again by the next starts, but after an hour', async () => {
  await using repository = await openRepository()
  const mark = join(repository.directory, joiningName)
  await writeFile(mark, begunAt.toISOString())

  for (const minutes of [0, 1, 59]) await repository.openAt(later(minutes))
  expect(await readFile(mark, 'utf8')).toBe(begunAt.toISOString())
  expect(await packNames(repository.directory)).toHaveLength(500)

  await repository.openAt(later(60))
  expect((await packNames(repository.directory)).length).toBeLessThan(20)
  expect(existsSync(mark)).toBe(false)
}, 60_000)

test('a mark that says nothing, or a time that has not come, holds no joining up', async () => {
  for (const text of ['', 'soon', later(1).toISOString()]) {
    await using repository = await openRepository()
    await writeFile(join(repository.directory, joiningName), text)

    await repository.openAt(begunAt)

    expect((await packNames(repository.directory)).length).toBeLessThan(20)
  }
}, 60_000)

test('a joining that cannot be begun is told and stops nothing', async () => {
  await using repository = await openRepository()
  // Nobody can write a file where a directory is, whoever they are.
  await Bun.write(join(repository.directory, joiningName, 'in-the-way'), '')

  expect(await repository.openAt(begunAt)).toEqual(['packs could not be joined'])
  expect(await packNames(repository.directory)).toHaveLength(500)
}, 60_000)

const parentOfAll = await temporaryDirectory()
const manyPacks = join(parentOfAll, 'repository.git')

beforeAll(async () => {
  await (await openTestStore({ directory: manyPacks })).store[Symbol.asyncDispose]()
  await makePacks(manyPacks, { count: 500, bytesEach: 100 })
}, 60_000)
afterAll(() => rm(parentOfAll, { recursive: true, force: true }))

async function openRepository() {
  const parent = await temporaryDirectory()
  const directory = join(parent, 'repository.git')
  /** Opens the store at a time, lets it finish what it begins, and answers what it warned of. */
  const openAt = async (time: Date) => {
    const { store, warnings } = await openTestStore({ directory, now: () => time })
    // It waits for a joining that has begun.
    expect(await store.verify()).toEqual([])
    await store[Symbol.asyncDispose]()
    return warnings
  }
  await cp(manyPacks, directory, { recursive: true })
  return {
    directory,
    openAt,
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  }
}
